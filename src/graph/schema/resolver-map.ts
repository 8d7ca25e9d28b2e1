import type { GraphQLFieldResolver } from 'graphql';
import { getMetadataStorage } from 'type-graphql';

type Metadata = ReturnType<typeof getMetadataStorage>;
type MethodMetadata = Metadata['queries'][number] | Metadata['fieldResolvers'][number];
type Parameter = NonNullable<MethodMetadata['params']>[number];
type Resolve = GraphQLFieldResolver<unknown, unknown>;
type Method = (...parameters: unknown[]) => unknown;

/** Resolvers by type and field. */
export type ResolverMap = Readonly<Record<string, Readonly<Record<string, Resolve>>>>;

/**
 * Returns the methods of the resolver classes as resolvers of graphql-js, which reads all other fields as properties. The resolvers
 * of type-graphql are not used, because they await each argument of a method.
 */
export function buildResolverMap(): ResolverMap {
  const { queries, mutations, fieldResolvers, objectTypes } = getMetadataStorage();
  const instances = new Map<unknown, Readonly<Record<string, Method>>>();
  const methods: Record<string, Record<string, Resolve>> = {};
  const add = (type: string, metadata: MethodMetadata): void => {
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
  return (root, args, context, info) => {
    const values: unknown[] = [];
    for (const read of readers) values.push(read(root, args, context, info));
    return method.apply(instance, values);
  };
}

/** Adds the path of a paid field to its context, because its calls are reported under this path. */
const readContextOfField: Resolve = (_root, _args, context, { path }) => ({ ...(context as object), path });

/** Returns the function that reads a parameter according to its decorator. */
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
      return (_root, args) => args[name];
    }
    default:
      throw new Error(`No resolver of this graph has a parameter of the kind ${parameter.kind}.`);
  }
}
