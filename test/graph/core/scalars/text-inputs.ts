import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';

/** An operation that has a text in one input of the graph, and a plausible value in every other that it needs. */
export interface TextInput {
  /** The coordinate of the field, then the argument and what leads to the text within it. */
  readonly name: string;
  /** The text is in the variable `$value`. */
  readonly byVariable: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };
  /** The text is in the document. */
  readonly byLiteral: string;
}

/** A value as JSON and as a document writes it. */
interface Value {
  readonly json: unknown;
  readonly literal: string;
}

interface Leaf extends Value {
  readonly path: string;
}

/** Scalars that take no text. */
const notText: ReadonlySet<string> = new Set(['Int', 'Float', 'Boolean', 'Upload']);

/** Every input of the graph that takes a text, on every field that can be selected, with `text` in it. */
export function textInputs(schema: GraphQLSchema, text: string): readonly TextInput[] {
  return fieldsWithArguments(schema).flatMap(({ parent, field, wrap }) =>
    field.args.flatMap((argument) =>
      textLeaves(argument.type, text).map(({ path, json, literal }) => {
        const select = (value: string): string => {
          const siblings = field.args.filter((sibling) => sibling !== argument && isRequiredArgument(sibling));
          const values = [`${argument.name}: ${value}`, ...siblings.map(printArgument)];
          return wrap(
            `${field.name}(${values.join(', ')})${isLeafType(getNamedType(field.type)) ? '' : ' { __typename }'}`,
          );
        };
        return {
          name: `${parent.name}.${field.name}(${argument.name}${path})`,
          byVariable: {
            query: select('$value').replace(/^(\w+)/, `$1($value: ${argument.type})`),
            variables: { value: json },
          },
          byLiteral: select(literal),
        };
      }),
    ),
  );
}

interface ReachedField {
  readonly parent: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  /** The operation around a selection of the parent. */
  readonly wrap: (selection: string) => string;
}

/** Breadth first: each type is reached by its shortest way. */
function fieldsWithArguments(schema: GraphQLSchema): readonly ReachedField[] {
  const found: ReachedField[] = [];
  const seen = new Set<string>();
  const roots = [schema.getQueryType(), schema.getMutationType()].filter(isObjectType);
  let level = roots.map((type, index) => ({
    type,
    wrap: (selection: string) => `${index === 0 ? 'query' : 'mutation'} { ${selection} }`,
  }));
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { type, wrap } of level) {
      if (seen.has(type.name)) continue;
      seen.add(type.name);
      for (const field of Object.values(type.getFields())) {
        found.push({ parent: type, field, wrap });
        const named = getNamedType(field.type);
        const required = field.args.filter(isRequiredArgument).map(printArgument);
        const call = `${field.name}${required.length === 0 ? '' : `(${required.join(', ')})`}`;
        if (isObjectType(named)) next.push({ type: named, wrap: (selection) => wrap(`${call} { ${selection} }`) });
      }
    }
    level = next;
  }
  return found;
}

const printArgument = ({ name, type }: GraphQLArgument): string => `${name}: ${plausible(type).literal}`;

function plausible(type: GraphQLInputType): Value {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return listOf(plausible(nullable.ofType));
  if (isEnumType(nullable))
    return { json: nullable.getValues()[0]?.name, literal: nullable.getValues()[0]?.name ?? '' };
  if (isInputObjectType(nullable))
    return objectOf(
      Object.values(nullable.getFields())
        .filter(isRequiredInputField)
        .map((field) => [field.name, plausible(field.type)]),
    );
  if (nullable.name === 'Int' || nullable.name === 'Float') return { json: 1, literal: '1' };
  if (nullable.name === 'Boolean') return { json: true, literal: 'true' };
  return { json: 'text', literal: '"text"' };
}

/** The value of a type with `text` in one of its places, for each of these. */
function textLeaves(type: GraphQLInputType, text: string): readonly Leaf[] {
  const nullable = getNullableType(type);
  if (isListType(nullable))
    return textLeaves(nullable.ofType, text).map((leaf) => ({ ...listOf(leaf), path: `[]${leaf.path}` }));
  if (isEnumType(nullable)) return [];
  if (isInputObjectType(nullable)) {
    const fields = Object.values(nullable.getFields());
    return fields.flatMap((field) =>
      textLeaves(field.type, text).map((leaf) => {
        const siblings = fields.filter((sibling) => sibling !== field && isRequiredInputField(sibling));
        const members = [
          ...siblings.map((sibling) => [sibling.name, plausible(sibling.type)] as const),
          [field.name, leaf] as const,
        ];
        return { ...objectOf(members), path: `.${field.name}${leaf.path}` };
      }),
    );
  }
  if (notText.has(nullable.name)) return [];
  const leaf = { json: text, literal: JSON.stringify(text), path: '' };
  // A representation is an object, and so may be what JSON is.
  if (nullable.name === '_Any' || nullable.name === 'JSON')
    return [
      {
        ...objectOf([
          ['__typename', plausibleText('RegistryBatch')],
          ['id', leaf],
        ]),
        path: '.id',
      },
    ];
  return [leaf];
}

const plausibleText = (text: string): Value => ({ json: text, literal: JSON.stringify(text) });

const listOf = ({ json, literal }: Value): Value => ({ json: [json], literal: `[${literal}]` });

const objectOf = (members: readonly (readonly [string, Value])[]): Value => ({
  json: Object.fromEntries(members.map(([name, { json }]) => [name, json])),
  literal: `{ ${members.map(([name, { literal }]) => `${name}: ${literal}`).join(', ')} }`,
});
