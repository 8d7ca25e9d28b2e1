import { addResolversToSchema } from '@graphql-tools/schema';
import {
  buildASTSchema,
  concatAST,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
} from 'graphql';
import { createResolversMap, getMetadataStorage } from 'type-graphql';
import { ownPrices, type PriceList } from '../../registry/endpoint/price-list';
import type { Context, LookupContext } from '../core/context';
import type { Compute } from '../core/fields';
import type { PaidFieldExtension } from '../core/paid-field';
import { findPricedTypes, skipFreeFieldsInDryRun } from './dry-run';
import { entitiesResolver, type ReferenceResolver, Representation } from './entities';
import { type FindTag, fieldDirectives, freeObject, importedDirectives } from './router-directives';

export interface SubgraphOptions {
  readonly references: Readonly<Record<string, ReferenceResolver>>;
  /** Whether to print the scope of each field as `@requiresScopes`, for routers that enforce it. */
  readonly scopes: boolean;
  readonly findTag: FindTag;
}

/**
 * Converts the schema of type-graphql to a federation subgraph. Printing loses directives, so they are copied from the syntax nodes of
 * type-graphql, which contain only directives.
 */
export function toSubgraph(inner: GraphQLSchema, options: SubgraphOptions) {
  const { references, scopes } = options;
  const printed = parse(printSchema(inner));
  const typeDefsWith = (prices: PriceList): DocumentNode => ({
    kind: Kind.DOCUMENT,
    definitions: [
      ...federationLink(scopes).definitions,
      ...printed.definitions.map((node) => completeType(node, inner, { ...options, prices })),
    ],
  });
  const typeDefs = typeDefsWith(ownPrices);
  const sdl = `${print(typeDefs)}\n`;
  let served = { prices: ownPrices, sdl };
  const serve = (_root: unknown, _args: unknown, { dataSource: { prices } }: Context) => {
    if (served.prices !== prices) served = { prices, sdl: `${print(typeDefsWith(prices))}\n` };
    return { sdl: served.sdl };
  };
  const priced = findPricedTypes(inner);
  const federation = { _entities: entitiesResolver(references, priced), _service: serve };
  const resolvers = toResolvers(inner);
  const schema = addResolversToSchema({
    schema: buildASTSchema(concatAST([typeDefs, federationDefinitions(Object.keys(references))])),
    // biome-ignore lint/suspicious/noExplicitAny: the two libraries type a map of resolvers differently.
    resolvers: { ...resolvers, _Any: Representation, Query: { ...resolvers.Query, ...federation } } as any,
    inheritResolversFromInterfaces: false,
  });
  copyExtensions(inner, schema);
  skipFreeFieldsInDryRun(schema, priced);
  return { schema, sdl };
}

/** Copies what the tables of fields and the decorators say about a field beyond its type. */
function copyExtensions(inner: GraphQLSchema, schema: GraphQLSchema): void {
  for (const type of Object.values(inner.getTypeMap()).filter(isObjectType)) {
    const copy = schema.getType(type.name);
    if (!isObjectType(copy)) continue;
    for (const [name, { extensions }] of Object.entries(type.getFields())) {
      const compute = extensions.compute as Compute | undefined;
      const resolve = compute && ((source: never, _args: unknown, context: Context) => compute(source, context));
      Object.assign(copy.getFields()[name] ?? {}, { extensions, ...(resolve && { resolve }) });
    }
  }
}

function toResolvers(inner: GraphQLSchema): Record<string, object> {
  const leafResolvers = Object.entries(createResolversMap(inner)).filter(
    ([name]) => !isObjectType(inner.getType(name)),
  );
  return { ...Object.fromEntries(leafResolvers), ...buildResolverMap(inner) };
}

function federationLink(scopes: boolean): DocumentNode {
  const names = importedDirectives(scopes).map((name) => JSON.stringify(name));
  return parse(`extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [${names.join(', ')}])`);
}

type PrintOptions = SubgraphOptions & { readonly prices: PriceList };

function completeType(node: DefinitionNode, inner: GraphQLSchema, options: PrintOptions): DefinitionNode {
  const type = 'name' in node && node.name !== undefined ? inner.getType(node.name.value) : undefined;
  if (node.kind !== Kind.OBJECT_TYPE_DEFINITION || !isObjectType(type)) return node;
  const resolvedFields = type.getFields();
  const fields = (node.fields ?? []).map((field) => {
    const resolved = resolvedFields[field.name.value];
    return resolved === undefined ? field : completeField(field, type.name, resolved, options);
  });
  const directives = [...(type.astNode?.directives ?? []), freeObject];
  return { ...node, ...rootDescription(node), fields, directives };
}

function completeField(
  node: FieldDefinitionNode,
  typeName: string,
  field: GraphQLField<unknown, unknown>,
  options: PrintOptions,
): FieldDefinitionNode {
  const paidField = field.extensions.paidField as PaidFieldExtension | undefined;
  const directives = [...(node.directives ?? []), ...fieldDirectives(typeName, field, options)];
  // Parameter decorators run from last to first, and type-graphql keeps this order, so it is reversed here.
  const reversed = [...(node.arguments ?? [])].reverse();
  return { ...node, ...(paidField && restSource(node, paidField)), arguments: reversed, directives };
}

function restSource(
  { description }: FieldDefinitionNode,
  { endpoint: { method, path, pathSetting } }: PaidFieldExtension,
): Pick<FieldDefinitionNode, 'description'> {
  const source = `${method} ${pathSetting === undefined ? path : 'to the path that the operator sets'}.`;
  return { description: { ...description, kind: Kind.STRING, value: `${description?.value ?? ''} ${source}` } };
}

/** Returns the description of a root type, which type-graphql does not support. */
function rootDescription({ name }: ObjectTypeDefinitionNode): Pick<ObjectTypeDefinitionNode, 'description'> {
  const value = rootDescriptions[name.value];
  return value === undefined ? {} : { description: { kind: Kind.STRING, value } };
}

const rootDescriptions: Readonly<Record<string, string>> = {
  Query: "Lookups in Mexico's identity and employer registries. Selecting a person or an employer is free.",
  Mutation:
    'Verifications that send secrets, which are never repeated or shared between requests, and changes of the ledger, budgets and batches.',
};

/**
 * Returns what the federation specification adds to a subgraph: the directives that padron's schema uses, with their types,
 * and the two fields by which a router reads the schema and resolves entities. The SDL that routers read does not contain
 * them, because a composer supplies its own.
 */
function federationDefinitions(entities: readonly string[]): DocumentNode {
  return parse(`
    directive @link(url: String!, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
    directive @key(fields: federation__FieldSet!, resolvable: Boolean = true) repeatable on OBJECT | INTERFACE
    directive @cost(weight: Int!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
    directive @listSize(
      assumedSize: Int
      slicingArguments: [String!]
      sizedFields: [String!]
      requireOneSlicingArgument: Boolean = true
    ) on FIELD_DEFINITION
    directive @tag(name: String!) repeatable on FIELD_DEFINITION | OBJECT
    directive @requiresScopes(scopes: [[federation__Scope!]!]!) on FIELD_DEFINITION | OBJECT | INTERFACE | SCALAR | ENUM

    enum link__Purpose { SECURITY EXECUTION }
    scalar link__Import
    scalar federation__FieldSet
    scalar federation__Scope

    scalar _Any
    union _Entity = ${entities.join(' | ')}
    type _Service { sdl: String }
    extend type Query {
      _entities(representations: [_Any!]!): [_Entity]!
      _service: _Service!
    }
  `);
}

type Metadata = ReturnType<typeof getMetadataStorage>;
type MethodMetadata = Metadata['queries'][number] | Metadata['fieldResolvers'][number];
type Parameter = NonNullable<MethodMetadata['params']>[number];
type Resolve = GraphQLFieldResolver<unknown, unknown>;
type Method = (...parameters: unknown[]) => unknown;

type ResolverMap = Readonly<Record<string, Readonly<Record<string, Resolve>>>>;

/**
 * Returns the methods of the resolver classes as resolvers of graphql-js, which reads all other fields as properties. The resolvers
 * of type-graphql are not used. They await each argument, so that a field with arguments would call `collector.track` too late, and
 * they copy each parent, so that nothing could be kept by its object.
 */
function buildResolverMap(inner: GraphQLSchema): ResolverMap {
  const { queries, mutations, fieldResolvers, objectTypes } = getMetadataStorage();
  const instances = new Map<unknown, Readonly<Record<string, Method>>>();
  const methods: Record<string, Record<string, Resolve>> = {};
  const add = (type: string, metadata: MethodMetadata): void => {
    const target = inner.getType(type);
    // An extension that is loaded and not listed has classes, but no fields.
    if (!isObjectType(target) || target.getFields()[metadata.schemaName] === undefined) return;
    const instance = instances.get(metadata.target) ?? Reflect.construct(metadata.target, []);
    instances.set(metadata.target, instance);
    methods[type] = { ...methods[type], [metadata.schemaName]: toResolver(instance, metadata) };
  };
  for (const query of queries) add('Query', query);
  for (const mutation of mutations) add('Mutation', mutation);
  for (const field of fieldResolvers) {
    const type = objectTypes.find(({ target }) => target === field.getObjectType?.());
    if (type !== undefined) add(type.name, field);
  }
  return methods;
}

function toResolver(
  instance: Readonly<Record<string, Method>>,
  { methodName, params = [], extensions }: MethodMetadata,
): Resolve {
  const method = instance[methodName];
  if (method === undefined) throw new Error(`The resolver has no method ${methodName}.`);
  const isPaid = extensions?.paidField !== undefined;
  const readers = [...params]
    .sort((left, right) => left.index - right.index)
    .map((parameter) => (isPaid && parameter.kind === 'context' ? readContextOfField : parameterReader(parameter)));
  return (root, args, context, info) =>
    method.apply(
      instance,
      readers.map((read) => read(root, args, context, info)),
    );
}

/** Adds the path of a paid field to its context, because its calls are reported under this path. */
const readContextOfField: Resolve = (_root, _args, context, { path }): LookupContext => {
  const { dataSource, caller, links, pdfText, checkDigits, finders, now, signal, contentBudget } =
    context as LookupContext;
  return { dataSource, caller, path, links, pdfText, checkDigits, finders, now, signal, contentBudget };
};

function parameterReader(parameter: Parameter): Resolve {
  switch (parameter.kind) {
    case 'root':
      return (root) => root;
    case 'context':
      return (_root, _args, context) => context;
    case 'info':
      return (_root, _args, _context, info) => info;
    case 'arg': {
      const { name } = parameter;
      // An argument that is omitted is null.
      return (_root, args) => args[name] ?? null;
    }
    default:
      throw new Error(`No resolver of this graph has a parameter of the kind ${parameter.kind}.`);
  }
}
