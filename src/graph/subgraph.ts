import { buildSubgraphSchema } from '@apollo/subgraph';
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  parse,
  print,
  printSchema,
} from 'graphql';
import { createResolversMap } from 'type-graphql';

/** Entities by key: `__resolveReference` by type name. */
export type References = Readonly<Record<string, (key: never) => unknown>>;

const federation = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@cost"])`;

/**
 * The schema that type-graphql built, as a federation subgraph. Printing loses directives, and type-graphql's own syntax
 * nodes carry nothing else: so the printed fields take their directives from the nodes.
 */
export function toSubgraph(inner: GraphQLSchema, references: References): { schema: GraphQLSchema; sdl: string } {
  const printed = parse(printSchema(inner));
  const typeDefs: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [...parse(federation).definitions, ...printed.definitions.map((node) => withDirectives(node, inner))],
  };
  const resolvers: Record<string, object> = createResolversMap(inner);
  for (const [type, resolveReference] of Object.entries(references)) {
    resolvers[type] = { ...resolvers[type], __resolveReference: resolveReference };
  }
  // biome-ignore lint/suspicious/noExplicitAny: the two libraries type a map of resolvers differently.
  return { schema: buildSubgraphSchema([{ typeDefs, resolvers: resolvers as any }]), sdl: `${print(typeDefs)}\n` };
}

function withDirectives(node: DefinitionNode, inner: GraphQLSchema): DefinitionNode {
  if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) return node;
  const type = inner.getType(node.name.value);
  if (!isObjectType(type)) return node;
  const fields = (node.fields ?? []).map((field): FieldDefinitionNode => {
    const directives = type.getFields()[field.name.value]?.astNode?.directives ?? [];
    // Parameter decorators run from last to first, and type-graphql keeps that order: turned back here.
    const args = [...(field.arguments ?? [])].reverse();
    return { ...field, arguments: args, directives: [...(field.directives ?? []), ...directives] };
  });
  const root = rootDescriptions[type.name];
  const description = root === undefined ? {} : { description: { kind: Kind.STRING, value: root } as const };
  return { ...node, ...description, fields, directives: [...(type.astNode?.directives ?? []), weightless] };
}

/** type-graphql gives the root types no place for a description. */
const rootDescriptions: Readonly<Record<string, string>> = {
  Query:
    "Questions to Mexico's identity and employer registries. Entering by a person or an employer asks nothing by itself.",
  Mutation: 'Verifications that send secrets: never repeated, never shared between requests.',
};

/** Routers count one unit an object unless told otherwise; here only questions cost. */
const weightless: ConstDirectiveNode = {
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: 'cost' },
  arguments: [
    { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: 'weight' }, value: { kind: Kind.INT, value: '0' } },
  ],
};
