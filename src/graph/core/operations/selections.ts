import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { maxInputLength } from '../../../identifiers/normalise';

/** Returns the selections of an object without repeated spreads of a fragment, which add nothing to the response. */
export function distinctSelections({ selections }: SelectionSetNode): readonly SelectionNode[] {
  const spread = new Set<string>();
  return selections.filter((selection) => {
    if (selection.kind !== Kind.FRAGMENT_SPREAD) return true;
    const { value } = selection.name;
    if (spread.has(value)) return false;
    spread.add(value);
    return true;
  });
}

/** Weight of an error: the number of values that take graphql-js as long as one error. */
export const failureWeight = 75;

/** Returns the weight of a null variable in `@skip` or `@include`, which must not be null. Each selected object then has an error. */
export function conditionWeight(
  { directives = [] }: SelectionNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const values = directives.flatMap((directive) => directive.arguments ?? []).map(({ value }) => value);
  return values.some((value) => value.kind === Kind.VARIABLE && isNull(variables, value.name.value))
    ? failureWeight
    : 0;
}

/** Whether a variable is null. An omitted one is not. */
function isNull(variables: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(variables, name) && variables[name] === null;
}

/** Returns the bytes of a field's response name in JSON, with quotes, colon and comma. */
export function responseNameBytes({ alias, name }: FieldNode): number {
  return (alias ?? name).value.length + 4;
}

/**
 * Whether an operation selects a field of the object that a resolver returns, so that the resolver can skip work for other fields. Assumes that
 * no other type has a field of this name.
 */
export function selects({ fieldNodes, fragments, variableValues }: GraphQLResolveInfo, field: string): boolean {
  const spread = new Set<string>();
  const isIncluded = (node: SelectionNode) =>
    getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if !== true &&
    getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false;
  const hasField = ({ selections }: SelectionSetNode): boolean =>
    selections.filter(isIncluded).some((node) => {
      if (node.kind === Kind.FIELD) return node.name.value === field;
      if (node.kind === Kind.INLINE_FRAGMENT) return hasField(node.selectionSet);
      const fragment = spread.has(node.name.value) ? undefined : fragments[node.name.value];
      spread.add(node.name.value);
      return fragment !== undefined && hasField(fragment.selectionSet);
    });
  return fieldNodes.some(({ selectionSet }) => selectionSet !== undefined && hasField(selectionSet));
}

/** Fields of an object with the same response name. The type is null if the schema does not have the field. */
export interface SelectedField {
  readonly nodes: readonly FieldNode[];
  readonly type: GraphQLOutputType | null;
}

export class SelectionReader {
  private readonly fragments;

  constructor(
    private readonly schema: GraphQLSchema,
    { definitions }: DocumentNode,
  ) {
    const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  /** Returns the fields of these selection sets by response name, in the order in which graphql-js resolves them. */
  read(sets: readonly SelectionSetNode[], parent: GraphQLNamedType | null): ReadonlyMap<string, SelectedField> {
    const selected = new Map<string, SelectedField>();
    const visited = new Set<string>();
    for (const set of sets) this.select(set, parent, selected, visited);
    return selected;
  }

  private select(
    { selections }: SelectionSetNode,
    parent: GraphQLNamedType | null,
    selected: Map<string, SelectedField>,
    visited: Set<string>,
  ): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const name = selection.alias?.value ?? selection.name.value;
        const { nodes = [], type = fieldType(parent, selection.name.value) } = selected.get(name) ?? {};
        selected.set(name, { nodes: [...nodes, selection], type });
        continue;
      }
      const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
      const fragment = isSpread ? this.fragments.get(selection.name.value) : selection;
      if (fragment === undefined || (isSpread && visited.has(selection.name.value))) continue;
      if (isSpread) visited.add(selection.name.value);
      const { typeCondition, selectionSet } = fragment;
      const type = typeCondition === undefined ? parent : (this.schema.getType(typeCondition.name.value) ?? parent);
      this.select(selectionSet, type, selected, visited);
    }
  }
}

function fieldType(parent: GraphQLNamedType | null, name: string): GraphQLOutputType | null {
  return isObjectType(parent) || isInterfaceType(parent) ? (parent.getFields()[name]?.type ?? null) : null;
}

type Variables = Readonly<Record<string, unknown>>;

/** Maximum bytes of a text that counts as short. An identifier with all its separators is shorter. */
const maxShortTextBytes = 100;
/** Bytes of a control character in JSON, such as `\u0001`. */
const maxBytesPerCharacter = 6;
const quotesBytes = 2;
/** Maximum page size. The resolvers reject larger ones. */
const maxPageSize = 1_000;

export function isLongText(value: unknown): boolean {
  if (typeof value !== 'string' || value.length * maxBytesPerCharacter <= maxShortTextBytes) return false;
  return value.length > maxShortTextBytes || Buffer.byteLength(JSON.stringify(value)) - quotesBytes > maxShortTextBytes;
}

export class FieldArguments {
  private readonly lists = new Map<string, readonly unknown[]>();
  private readonly longTexts = new Set<string>();

  constructor(private readonly variables: Variables) {}

  readDefaults({ variableDefinitions = [] }: OperationDefinitionNode): void {
    for (const { variable, defaultValue } of variableDefinitions) {
      const name = variable.name.value;
      if (defaultValue?.kind === Kind.LIST) this.lists.set(name, defaultValue.values);
      if (defaultValue?.kind === Kind.STRING && isLongText(defaultValue.value)) this.longTexts.add(name);
    }
  }

  countRepresentations({ arguments: values }: FieldNode): number {
    const value = values?.[0]?.value;
    if (value?.kind === Kind.LIST) return value.values.length;
    if (value?.kind !== Kind.VARIABLE) return 1;
    const { value: name } = value.name;
    const list = this.valueOf(name) ?? this.lists.get(name);
    return Array.isArray(list) ? list.length : 1;
  }

  /** Returns the maximum number of entries of a page. Returns 1 for a field without pages. */
  pageSize({ arguments: values = [] }: FieldNode, { args }: GraphQLField<unknown, unknown>): number {
    const first = args.find(({ name }) => name === 'first');
    if (first === undefined) return 1;
    const value = values.find(({ name }) => name.value === 'first')?.value;
    // Sizes are cached by the lengths of variables, not by their values.
    if (value?.kind === Kind.VARIABLE) return maxPageSize;
    const size = value?.kind === Kind.INT ? Number(value.value) : Number(first.defaultValue ?? maxPageSize);
    return Math.min(maxPageSize, Math.max(1, size));
  }

  /** Whether a variable is null although its argument is non-null. Then each object has an error. */
  hasNullForNonNull({ arguments: values = [] }: FieldNode, { args }: GraphQLField<unknown, unknown>): boolean {
    return values.some(({ name, value }) => {
      if (value.kind !== Kind.VARIABLE || !isNull(this.variables, value.name.value)) return false;
      return isNonNullType(args.find((argument) => argument.name === name.value)?.type);
    });
  }

  /** Returns the bytes that a long argument may add to each value of a field, because identifiers are returned as they were sent. */
  echoedBytes({ arguments: values = [] }: FieldNode): number {
    const isLong = values.some(({ value }) => {
      if (value.kind === Kind.STRING) return isLongText(value.value);
      if (value.kind !== Kind.VARIABLE) return false;
      const { value: name } = value.name;
      return this.longTexts.has(name) || isLongText(this.valueOf(name));
    });
    return isLong ? maxInputLength * maxBytesPerCharacter : 0;
  }

  private valueOf(name: string): unknown {
    return Object.hasOwn(this.variables, name) ? this.variables[name] : undefined;
  }
}

export const introspectionFields: readonly string[] = ['__schema', '__type'];
/** Fields that return the schema to clients, or as SDL to routers. */
export const schemaFields: readonly string[] = [...introspectionFields, '_service'];

/** The schema fields that each document selects. Documents are cached, so a known one is not visited again. */
const selectedFields = new WeakMap<DocumentNode, readonly string[]>();

export function findSelectedField(document: DocumentNode, names: readonly string[]): string | null {
  const selected = selectedFields.get(document) ?? listSchemaFields(document);
  selectedFields.set(document, selected);
  return selected.find((name) => names.includes(name)) ?? null;
}

function listSchemaFields(document: DocumentNode): readonly string[] {
  const found = new Set<string>();
  visit(document, {
    Field: ({ name: { value } }) => {
      if (schemaFields.includes(value)) found.add(value);
    },
  });
  return [...found];
}
