import {
  type GraphQLEnumType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { SelectionReader } from '../../../graph/core/operations/selections';
import { type Language, spanishEnums } from '../../../identifiers/text';
import type { AnswerColumn, AnswerKind } from '../operation';
import { type AnswerField, addHeaders, capitalize, inEnglish } from './answer-headers';
import { spanishRegistries } from './spanish-fields';

const kinds: Readonly<Record<string, AnswerKind>> = {
  Int: 'number',
  Float: 'number',
  Decimal: 'decimal',
  Boolean: 'boolean',
  Date: 'day',
  DateTime: 'time',
  LocalDateTime: 'time',
};

const kindsInLists: Readonly<Partial<Record<AnswerKind, AnswerKind>>> = {
  boolean: 'boolean',
  message: 'message',
  time: 'times',
};

/**
 * Returns the columns of the answers to an operation. They only depend on the document and the schema, so that the tables of
 * two batches with the same operation have the same columns. A field that the schema no longer has is a text.
 */
export function outlineOperation(
  schema: GraphQLSchema,
  text: string,
  operationName: string | null,
  language: Language,
): readonly AnswerColumn[] {
  const document = parse(text, { noLocation: true });
  const operation = getOperationAST(document, operationName);
  if (!operation) return [];
  const collector = new FieldCollector(new SelectionReader(schema, document), language);
  const fields = collector.collect([operation.selectionSet], schema.getRootType(operation.operation) ?? null, []);
  return addHeaders(fields, language);
}

class FieldCollector {
  constructor(
    private readonly reader: SelectionReader,
    private readonly language: Language,
  ) {}

  /** Returns the fields without a selection set below these selection sets, in the order in which graphql-js answers them. */
  collect(
    sets: readonly SelectionSetNode[],
    parent: GraphQLNamedType | null,
    above: AnswerField['path'],
    isInList = false,
  ): readonly AnswerField[] {
    return [...this.reader.read(sets, parent)].flatMap(([name, { nodes, type }]) => {
      const named = type === null ? null : getNamedType(type);
      const isAlias = nodes[0]?.alias !== undefined;
      const isLookup = isObjectType(named) && named.getInterfaces().length > 0;
      const path = [...above, { name, isAlias, isLookup, spanish: spanishNameOf(parent, nodes[0]?.name.value) }];
      const isList = isInList || (type !== null && hasList(type));
      const inner = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (inner.length > 0) return this.collect(inner, named, path, isList);
      const words = isEnumType(named) ? enumWords(named, this.language) : null;
      if (words !== null) return [{ path, kind: 'enum', words }];
      const isMessage = parent?.name === 'RegistryProblem' && nodes[0]?.name.value === 'message';
      const kind = isMessage ? 'message' : (kinds[named?.name ?? ''] ?? 'text');
      return [{ path, kind: isList ? (kindsInLists[kind] ?? 'text') : kind }];
    });
  }
}

/** Returns the Spanish name of a field of an endpoint file, which says it. */
const spanishNameOf = (parent: GraphQLNamedType | null, field = ''): string | undefined =>
  isObjectType(parent) ? (parent.getFields()[field]?.extensions.spanish as string | undefined) : undefined;

function hasList(type: GraphQLOutputType): boolean {
  if (isNonNullType(type)) return hasList(type.ofType);
  return isListType(type);
}

/** Enums whose values are codes in every language, because the documentation explains them by code. */
const codes: ReadonlySet<string> = new Set(['ProblemCode']);

const resultEnums: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...spanishEnums,
  OpinionSense: { POSITIVE: 'Positiva', NEGATIVE: 'Negativa', NO_OPINION: 'Sin opinión' },
  ConsistencyStatus: { CONSISTENT: 'Coincide', CONFLICTING: 'Se contradice', INSUFFICIENT: 'Datos insuficientes' },
  IdentityField: {
    NSS: 'NSS',
    CURP: 'CURP',
    RFC: 'RFC',
    NAMES: 'Nombres',
    PATERNAL_SURNAME: 'Apellido paterno',
    MATERNAL_SURNAME: 'Apellido materno',
    BIRTH_DATE: 'Fecha de nacimiento',
    SEX: 'Sexo',
  },
};

/** Returns words for the values of an enum, such as `Not charged` for `NOT_CHARGED`. Returns null if its values are codes. */
function enumWords(type: GraphQLEnumType, language: Language): Readonly<Record<string, string>> | null {
  if (codes.has(type.name)) return null;
  const inSpanish = type.name === 'IdentityRegistry' ? spanishRegistries() : resultEnums[type.name];
  const spanish = language === 'es' ? inSpanish : undefined;
  const words = type.getValues().map(({ name }) => {
    const word = language === 'es' ? spanish?.[name] : capitalize(inEnglish(name.replaceAll('_', ' ')));
    return [name, word ?? name];
  });
  return Object.fromEntries(words);
}
