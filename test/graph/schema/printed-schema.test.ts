import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeExecutableSchema } from '@graphql-tools/schema';
import {
  buildSchema,
  type ConstDirectiveNode,
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  graphql,
  type InputValueDefinitionNode,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  parse,
  print,
  printType,
  validate,
} from 'graphql';
import { graphParts } from '../../../src/extensions';
import { printTypeNames, toApiSdl } from '../../../src/graph/schema/type-names';
import { buildGraph } from '../../support/padrons/whole-padron';
import { blocksOf } from '../../support/pages';

const root = join(__dirname, '../../..');
const graph = buildGraph();
const ownTypes = Object.values(graph.schema.getTypeMap()).filter(isOwn);

function isOwn({ name }: GraphQLNamedType): boolean {
  const foreignNames = ['_Any', '_Entity', '_Service', 'Boolean', 'Float', 'ID', 'Int', 'String'];
  return (
    !name.startsWith('__') && !name.includes('federation') && !name.startsWith('link__') && !foreignNames.includes(name)
  );
}

describe('the printed schema', () => {
  it('is committed as the code prints it (npm run print:schema)', () => {
    expect(readFileSync(join(root, 'schema/padron.graphql'), 'utf8')).toBe(graph.sdl);
    expect(readFileSync(join(root, 'schema/client/possible-types.ts'), 'utf8')).toBe(printTypeNames(graph.schema));
  });

  it('describes every element', () => {
    const bare = ownTypes.flatMap((type) => [
      ...(type.description ? [] : [type.name]),
      ...elementsOf(type)
        .filter(([, description]) => !description)
        .map(([name]) => name),
    ]);
    expect(bare).toEqual([]);
  });

  it('names the REST source of every field that costs units', () => {
    const silent = graph.catalogue.flatMap(({ endpoint, fields }) =>
      fields.filter((coordinate) => {
        const description = fieldAt(coordinate)?.description ?? '';
        // The population registry's path is the operator's to set.
        return !description.includes(endpoint.pathSetting === undefined ? endpoint.path : `${endpoint.method} to`);
      }),
    );
    expect(silent).toEqual([]);
  });

  it('has the size of every list of objects, except of short ones that are parts of an object', () => {
    const isList = (type: string) => type.startsWith('[');
    const lists = objectFields().filter(({ type }) => isList(type) && isObjectType(graph.schema.getType(bare(type))));
    const parts = lists.filter(({ coordinate }) => directivesOf(coordinate, 'listSize').length === 0);
    // The lists of pages have the size of their page.
    expect(parts.map(({ coordinate }) => coordinate).filter((coordinate) => !coordinate.endsWith('.problems'))).toEqual(
      [
        ...['UnitEstimate.endpoints', 'Cfdi.concepts'],
        ...['PersonConsistency.fields', 'RegistryAuditPage.actions', 'RegistryEventPage.events'],
        ...[
          'RegistryLedgerPage.entries',
          'RegistryBatch.columns',
          'RegistryBatch.refusedRows',
          'RegistryEarlierAnswers.batches',
          'RegistryBatchRowPage.rows',
        ],
        ...['RegistryBatchRow.evidence', 'RegistryBatchPage.batches', 'RegistryErasure.otherIdentifiers'],
      ],
    );
    expect(directivesOf('Employer.receiptsBetween', 'listSize')).toEqual(['@listSize(assumedSize: 12)']);
    const pages = objectFields().filter(({ args }) => args.includes('first'));
    const sizes = pages.map(({ coordinate }) => directivesOf(coordinate, 'listSize').join());
    for (const size of sizes)
      expect(size).toMatch(/^@listSize\(slicingArguments: \["first"\], sizedFields: \["\w+"\]\)$/);
    expect(pages.length).toBeGreaterThan(4);
  });

  it('has one tag on every field of the roots, of persons and of employers, so that contracts can leave parts out', () => {
    const roots = ['Query', 'Mutation', 'Person', 'Employer'];
    const tagged = objectFields()
      .filter(({ coordinate }) => roots.includes(coordinate.split('.')[0] ?? '') && !coordinate.startsWith('Query._'))
      .map(({ coordinate }) => [coordinate, directivesOf(coordinate, 'tag').join(' ')] as const);
    const tagOf = new Map(tagged);
    const tags = ['lookup', 'money', ...graphParts.map(({ tag }) => tag)].map((tag) => `@tag(name: "${tag}")`);
    expect(tagged.filter(([, tag]) => !tags.includes(tag))).toEqual([]);
    const withTag = (name: string) =>
      [...tagOf].filter(([, tag]) => tag === `@tag(name: "${name}")`).map(([coordinate]) => coordinate);
    expect(withTag('lookup').filter((coordinate) => /^(Query|Mutation)\./.test(coordinate))).toEqual([
      ...['Query.registryEndpoints', 'Query.professionalLicence', 'Query.studyCertificate', 'Query.employer'],
      ...['Query.person', 'Mutation.verifySignature'],
    ]);
    expect(withTag('compliance')).toEqual([
      ...['Query.registryAudit', 'Query.registryEvents', 'Query.registryLedger', 'Query.registryProofs'],
      ...['Query.registryProofDocument', 'Mutation.resendRegistryEvent', 'Mutation.eraseRegistrySubject'],
    ]);
    expect(withTag('batch').filter((coordinate) => !/Registry\w*Batch|registryBatch/.test(coordinate))).toEqual([]);
    expect(withTag('money')).toEqual(
      expect.arrayContaining(['Query.unitEstimate', 'Query.registrySpend', 'Mutation.settleRegistryBilling']),
    );
  });

  it('makes every field nullable that a gateway may have to null while padron is down', () => {
    const entities = ['Query', 'Mutation', 'Person', 'Employer'];
    const keys = ['Employer.registration', 'Query._entities', 'Query._service'];
    const strict = entities.flatMap((name) => {
      const type = graph.schema.getType(name);
      if (!isObjectType(type)) throw new Error(`${name} is gone`);
      const fields = Object.values(type.getFields()).filter((field) => String(field.type).endsWith('!'));
      return fields.map((field) => `${name}.${field.name}`).filter((coordinate) => !keys.includes(coordinate));
    });
    expect(strict).toEqual([]);
  });
});

describe('the examples and the operations of the documents', () => {
  const folder = join(root, 'schema/examples');
  const files = readdirSync(folder).filter((file) => file.endsWith('.graphql'));
  const blocks = blocksOf('graphql').filter((block) => /^(query|mutation) \w/.test(block));
  const operations = [
    ...files.map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const),
    ...blocks.map((block) => [block.split(/\W/)[1] ?? '', block] as const),
  ];

  it.each(operations)('%s is valid against the schema', (_name, operation) => {
    expect(blocks.length).toBeGreaterThan(2);
    expect(validate(graph.schema, parse(operation)).map(String)).toEqual([]);
  });

  it('are read by the oldest graphql-js that padron-client allows, so also by graphql-core and Relay', () => {
    const { peerDependencies } = JSON.parse(readFileSync(join(root, 'schema/client/package.json'), 'utf8'));
    const oldest: typeof import('graphql') = require('graphql-oldest');
    expect(peerDependencies.graphql).toContain(`^${oldest.version} `);
    const copied = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.graphql') && !file.includes('node_modules'))
      .map((file) => readFileSync(join(root, 'examples', file), 'utf8'));
    expect(copied.length).toBeGreaterThan(5);
    for (const text of [
      ...files.map((file) => readFileSync(join(folder, file), 'utf8')),
      ...blocksOf('graphql'),
      ...copied,
    ])
      expect(() => oldest.parse(text)).not.toThrow();
  });
});

describe('the contract (test/fixtures/contract.graphql)', () => {
  it('is contained in the printed schema: names, arguments, nullability, keys and costs', () => {
    const printed = linesOf(parse(graph.sdl));
    const contract = linesOf(parse(readFileSync(join(root, 'test/fixtures/contract.graphql'), 'utf8')));
    expect(contract.length).toBeGreaterThan(200);
    expect(contract.filter((line) => !printed.includes(line))).toEqual([]);
  });
});

/** Returns every element of a document on a separate line, without descriptions and unordered. */
function linesOf(document: DocumentNode): readonly string[] {
  return document.definitions.flatMap((node) => {
    if (node.kind === Kind.SCALAR_TYPE_DEFINITION) return [node.name.value];
    if (node.kind === Kind.ENUM_TYPE_DEFINITION)
      return (node.values ?? []).map((value) => `${node.name.value}.${value.name.value}`);
    if (node.kind === Kind.SCHEMA_EXTENSION) return [print(node).replace(/, import: .*/, '')];
    if (!('fields' in node) || !('interfaces' in node || node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION)) return [];
    const type = node.name.value;
    const implemented = 'interfaces' in node ? (node.interfaces ?? []) : [];
    const interfaces = implemented.map(({ name }) => `${type} implements ${name.value}`);
    const directives = (node.directives ?? [])
      .map((directive) => `${type} ${print(directive)}`)
      .filter((line) => !line.endsWith('@cost(weight: 0)'));
    const fields = (node.fields ?? []).map((field) => {
      const bare = 'arguments' in field ? (field.arguments ?? []).map((arg) => print(withoutDescription(arg))) : [];
      const args = bare.length === 0 ? '' : `(${bare.join(', ')})`;
      return `${type}.${field.name.value}${args}: ${print(field.type)} ${yearlyPrice(field.directives ?? [])}`;
    });
    return [...interfaces, ...directives, ...fields];
  });
}

function withoutDescription({ description: _, ...argument }: InputValueDefinitionNode): InputValueDefinitionNode {
  return argument;
}

function elementsOf(type: GraphQLNamedType): readonly (readonly [string, string | null | undefined])[] {
  if (isEnumType(type)) return type.getValues().map((value) => [`${type.name}.${value.name}`, value.description]);
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field.description]);
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields())
    .filter(({ name }) => !name.startsWith('_'))
    .flatMap((field) => [
      [`${type.name}.${field.name}`, field.description] as const,
      ...field.args.map((arg) => [`${type.name}.${field.name}(${arg.name}:)`, arg.description] as const),
    ]);
}

function fieldAt(coordinate: string) {
  const [typeName = '', fieldName = ''] = coordinate.split('.');
  const type = graph.schema.getType(typeName);
  return isObjectType(type) ? type.getFields()[fieldName] : undefined;
}

/** Returns the directives of a field that have these names, as text. */
function directivesOf(coordinate: string, ...names: readonly string[]): readonly string[] {
  const directives = fieldAt(coordinate)?.astNode?.directives ?? [];
  return directives.filter(({ name }) => names.includes(name.value)).map((directive) => print(directive));
}

/** The fields of all object types. */
function objectFields() {
  return ownTypes.filter(isObjectType).flatMap((type) =>
    Object.values(type.getFields()).map((field) => ({
      coordinate: `${type.name}.${field.name}`,
      type: String(field.type),
      args: field.args.map(({ name }) => name),
    })),
  );
}

const bare = (type: string): string => type.replace(/[[\]!]/g, '');

/** Returns the price of a field with all calls of its list. The contract states it as one weight. */
function yearlyPrice(directives: readonly ConstDirectiveNode[]): string {
  const numberOf = (name: string): number | null => {
    const value = directives.find((directive) => directive.name.value === name)?.arguments?.[0]?.value;
    return value?.kind === Kind.INT ? Number(value.value) : null;
  };
  const weight = numberOf('cost');
  return weight === null ? '' : String(weight * (numberOf('listSize') ?? 1));
}

const committed = readFileSync(join(root, 'schema/api.graphql'), 'utf8');

/** Elements that federation adds to the graph. A client does not query them. */
const federationName = /^(_|link__|federation__)/;

/** Prints each type of a schema, without the fields of federation. */
function printedTypes(printed: GraphQLSchema): Readonly<Record<string, string>> {
  const types = Object.values(printed.getTypeMap()).filter(
    (type) => !federationName.test(type.name) && !isSpecifiedScalarType(type),
  );
  for (const type of types.filter(isObjectType))
    for (const name of Object.keys(type.getFields())) if (federationName.test(name)) delete type.getFields()[name];
  return Object.fromEntries(types.map((type) => [type.name, printType(type)]));
}

describe('the API schema', () => {
  it('is committed as the code prints it (npm run print:schema)', () => {
    expect(committed).toBe(toApiSdl(graph));
  });

  it('is accepted by buildSchema, and has the types, fields, arguments and descriptions of the graph', () => {
    const graphTypes = printedTypes(buildGraph().schema);
    expect(Object.keys(graphTypes).length).toBeGreaterThan(80);
    expect(printedTypes(buildSchema(committed))).toEqual(graphTypes);
  });

  it('contains only directives that the specification of GraphQL defines, and none of routers', () => {
    const withoutDescriptions = committed.replace(/"""[\s\S]*?"""|"[^"\n]*"/g, '');
    const directives = new Set([...withoutDescriptions.matchAll(/@\w+/g)].map(([name]) => name));
    const allowed = ['@deprecated', '@specifiedBy', '@oneOf', '@semanticNonNull'];
    expect([...directives].filter((name) => !allowed.includes(name))).toEqual([]);
  });

  it('runs with resolvers of a test', async () => {
    const credit = { __typename: 'HousingCreditLookup', outcome: 'NOT_FOUND' };
    const mock = makeExecutableSchema({ typeDefs: committed, resolvers: { Query: { person: () => ({ credit }) } } });
    const source =
      '{ person(nss: "04159600263") { credit { ...Proof } } } fragment Proof on RegistryLookup { outcome }';
    const { data, errors } = await graphql({ schema: mock, source });
    expect([errors, JSON.stringify(data)]).toEqual([undefined, '{"person":{"credit":{"outcome":"NOT_FOUND"}}}']);
  });
});
