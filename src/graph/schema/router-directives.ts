import {
  type ConstDirectiveNode,
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parseConstValue,
} from 'graphql';
import { type ClassType, getMetadataStorage } from 'type-graphql';
import type { PriceList } from '../../registry/endpoint/price-list';
import type { PaidFieldExtension } from '../core/paid-field';

type Field = GraphQLField<unknown, unknown>;

/** Returns the tag of a field, by which a schema registry can leave it out of a contract. Null if the tag of a parent applies. */
export type FindTag = (typeName: string, field: Field) => string | null;

interface RoutedExtensions {
  readonly paidField?: PaidFieldExtension;
  readonly ownScope?: string;
}

export function importedDirectives(scopes: boolean): readonly string[] {
  return ['@key', '@cost', '@listSize', '@tag', ...(scopes ? ['@requiresScopes'] : [])];
}

/** Routers assume a cost of 1 for each object by default. In this graph only calls cost. */
export const freeObject = directive('cost', { weight: 0 });

export function fieldDirectives(
  typeName: string,
  field: Field,
  { findTag, scopes, prices }: { readonly findTag: FindTag; readonly scopes: boolean; readonly prices: PriceList },
): readonly ConstDirectiveNode[] {
  const { paidField, ownScope } = field.extensions as RoutedExtensions;
  const size = findListSize(field, paidField);
  const tag = findTag(typeName, field);
  const scope = paidField?.endpoint.scope ?? ownScope;
  return [
    ...(paidField === undefined ? [] : [directive('cost', { weight: prices.of(paidField.endpoint).units })]),
    ...(size === null ? [] : [directive('listSize', size)]),
    ...(tag === null ? [] : [directive('tag', { name: tag })]),
    ...(scopes && scope !== undefined ? [directive('requiresScopes', { scopes: [[scope]] })] : []),
  ];
}

/** Number of records that a router should assume. An estimate assumes as many receipts for a month. */
const assumedRecords = 2;

/**
 * Returns the arguments of `@listSize`. A nullable list is a whole answer, such as the records of a registry, or one that may be unreadable. A non-null list is
 * a part of its object, is short and contains no paid field.
 */
function findListSize({ args, type }: Field, paidField: PaidFieldExtension | undefined): object | null {
  const named = getNamedType(type);
  if (args.some(({ name }) => name === 'first'))
    return { slicingArguments: ['first'], sizedFields: listsOfObjects(named) };
  if (!isListType(type) || !isObjectType(named)) return null;
  return { assumedSize: paidField?.calls ?? assumedRecords };
}

function listsOfObjects(page: GraphQLNamedType): readonly string[] {
  if (!isObjectType(page)) return [];
  return Object.values(page.getFields())
    .filter(({ type }) => isNonNullType(type) && isListType(type.ofType) && isObjectType(getNamedType(type)))
    .map(({ name }) => name);
}

/** Types whose fields are lookups. A field that leads back to one of them is in the same part, so that a contract can leave the part out. */
const lookupTypes: ReadonlySet<string> = new Set(['Person', 'Employer']);

/** Fields that do not belong to the part of their resolver. */
const exceptions: Readonly<Record<string, string>> = {
  registryEndpoints: 'lookup',
  registrySpend: 'money',
  settleRegistryBilling: 'money',
};

export function tagByResolver(resolvers: Readonly<Record<string, readonly ClassType[]>>): FindTag {
  const { queries, mutations } = getMetadataStorage();
  const tags = new Map<string, string>();
  for (const { schemaName, target } of [...queries, ...mutations]) {
    const [tag] = Object.entries(resolvers).find(([, own]) => own.some((resolver) => resolver === target)) ?? [];
    if (tag !== undefined) tags.set(schemaName, exceptions[schemaName] ?? tag);
  }
  const roots = ['Query', 'Mutation'];
  return (typeName, { name, type }) => {
    if (lookupTypes.has(typeName) || lookupTypes.has(getNamedType(type).name)) return 'lookup';
    return roots.includes(typeName) ? (tags.get(name) ?? null) : null;
  };
}

export function directive(name: string, values: object): ConstDirectiveNode {
  const nameNode = (text: string) => ({ kind: Kind.NAME, value: text }) as const;
  return {
    kind: Kind.DIRECTIVE,
    name: nameNode(name),
    arguments: Object.entries(values).map(([argument, value]) => ({
      kind: Kind.ARGUMENT,
      name: nameNode(argument),
      // JSON of numbers, texts and lists is also a literal of GraphQL.
      value: parseConstValue(JSON.stringify(value), { noLocation: true }),
    })),
  };
}
