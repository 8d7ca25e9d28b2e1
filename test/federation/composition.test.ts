import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildASTSchema, buildSchema, isObjectType, parse, print, validate } from 'graphql';
import { OTHER_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { type RunningPadron, runPadron } from '../support/padrons/padron';
import { ledgerPadronForTests } from '../support/padrons/padron-for-tests';
import { buildGraph } from '../support/padrons/whole-padron';
import { nss } from '../support/requests/credit-request';
import { engineRig } from '../support/stores/engines';
import { type Hr, startHr } from './hr';
import { compose, composeAsHive, contractWithout, type SubgraphSource, servedSdl } from './supergraph';

const schemaFolder = join(__dirname, '../../schema');
const committed = readFileSync(join(schemaFolder, 'padron.graphql'), 'utf8');

let padron: RunningPadron;
let hr: Hr;
let neighbour: SubgraphSource;
beforeAll(async () => {
  [padron, hr] = await Promise.all([runPadron(), startHr()]);
  neighbour = { name: 'hr', url: hr.url, sdl: await servedSdl(hr.url) };
});
afterAll(() => Promise.all([padron.stop(), hr.stop()]));

describe('composition with another subgraph', () => {
  it.each([
    ['as padron serves its schema', () => servedSdl(padron.url)],
    ['as the schema is committed', async () => committed],
    ['with permissions (SCHEMA_SCOPES)', async () => buildGraph({ scopes: true }).sdl],
  ])('has no errors and no hints: %s', async (_source, sdl) => {
    const { supergraph, errors, hints } = compose([{ name: 'padron', url: padron.url, sdl: await sdl() }, neighbour]);
    expect({ errors, hints }).toEqual({ errors: [], hints: [] });
    expect(supergraph).toContain('@join__type(graph: PADRON, key: "nss")');
  });

  it('serves the elements of the committed schema', async () => {
    const served = compose([{ name: 'padron', url: 'http://padron', sdl: await servedSdl(padron.url) }]).supergraph;
    const printed = compose([{ name: 'padron', url: 'http://padron', sdl: committed }]).supergraph;
    expect(served).toBe(printed);
  });

  it('needs the same scalar names in every subgraph: an NSS that is a String does not compose', () => {
    const sdl = neighbour.sdl.replace('nss: NSS', 'nss: String');
    const { supergraph, errors } = compose([
      { name: 'padron', url: padron.url, sdl: committed },
      { ...neighbour, sdl },
    ]);
    expect(supergraph).toBeUndefined();
    expect(errors.join()).toMatch(/"Person\.nss" is incompatible across subgraphs/);
  });

  it.each([
    ["Apollo's", compose],
    ["Hive's", composeAsHive],
  ])('keeps prices, sizes of lists and tags in the supergraph, by %s composition', (_whose, composeWith) => {
    const { supergraph = '', errors } = composeWith([{ name: 'padron', url: padron.url, sdl: committed }, neighbour]);
    expect(errors).toEqual([]);
    const printed = buildSchema(supergraph, { assumeValid: true });
    const directivesOf = (typeName: string, fieldName: string) => {
      const type = printed.getType(typeName);
      const directives = isObjectType(type) ? type.getFields()[fieldName]?.astNode?.directives : undefined;
      return directives
        ?.map((directive) => print(directive))
        .filter((text) => !text.startsWith('@join__'))
        .sort();
    };
    expect(directivesOf('Person', 'professionalStatus')).toEqual(['@cost(weight: 2)', '@tag(name: "lookup")']);
    expect(directivesOf('Employer', 'receiptsBetween')).toEqual([
      '@cost(weight: 1)',
      '@listSize(assumedSize: 12)',
      '@tag(name: "lookup")',
    ]);
    expect(directivesOf('Query', 'registryLedger')?.join()).toMatch(
      /^@listSize\(slicingArguments: \["first"\], sizedFields: \["entries"\].*\),@tag\(name: "compliance"\)$/,
    );
  });

  it('imports version 2.9 of federation, because Hive refuses the next one', () => {
    const later = committed.replace('federation/v2.9', 'federation/v2.10');
    expect(later).not.toBe(committed);
    expect(compose([{ name: 'padron', url: padron.url, sdl: later }]).errors).toEqual([]);
    expect(composeAsHive([{ name: 'padron', url: padron.url, sdl: later }]).errors.join()).toContain('v2.10');
  });
});

describe('a contract without money, batches and compliance', () => {
  const subgraph = { name: 'padron', url: 'http://padron', sdl: committed };
  const contract = contractWithout(['money', 'batch', 'compliance'], [subgraph]);
  const schema = buildASTSchema(contract);

  it.each(readdirSync(join(schemaFolder, 'examples')).filter((file) => file.endsWith('.graphql')))(
    'accepts the example %s',
    (file) => {
      const example = parse(readFileSync(join(schemaFolder, 'examples', file), 'utf8'));
      expect(validate(schema, example).map(String)).toEqual([]);
    },
  );

  it('has lookups only, and no type of the other parts', () => {
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {}).sort()).toEqual([
      'employer',
      'person',
      'professionalLicence',
      'registryEndpoints',
      'studyCertificate',
    ]);
    expect(Object.keys(schema.getMutationType()?.getFields() ?? {})).toEqual(['verifySignature']);
    const types = Object.keys(schema.getTypeMap());
    expect(types.filter((name) => /Batch|Budget|Ledger|Audit|Spend|Erasure|Settlement|Estimate/.test(name))).toEqual(
      [],
    );
  });

  it('is one of several: a contract for finance has no persons and no employers', () => {
    const finance = buildASTSchema(contractWithout(['lookup', 'batch'], [subgraph]));
    const example = parse(readFileSync(join(schemaFolder, 'examples/person-credit.graphql'), 'utf8'));
    expect(validate(finance, example)).not.toEqual([]);
    const spend = parse('{ registrySpend { units } registryLedger { entries { units } } }');
    expect(validate(finance, spend)).toEqual([]);
  });
});

/** A subgraph that stores a ledger entry as the proof of each decision. */
const decisions = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
  type Query { decisions: [Decision!] }
  type Decision @key(fields: "id") { id: ID! proof: RegistryLedgerEntry budget: RegistryBudget }
  type RegistryLedgerEntry @key(fields: "id", resolvable: false) { id: ID! }
  type RegistryBudget @key(fields: "id", resolvable: false) { id: ID! }
`;

describe('the ledger behind a router', () => {
  const rig = engineRig();
  const padron = ledgerPadronForTests(rig);

  it('composes with a subgraph that refers to its entries and budgets', async () => {
    const own = { name: 'padron', url: padron.url, sdl: await servedSdl(padron.url) };
    const { supergraph, errors, hints } = compose([
      own,
      { name: 'decisions', url: 'http://decisions', sdl: decisions },
    ]);
    expect({ errors, hints }).toEqual({ errors: [], hints: [] });
    expect(supergraph).toMatch(
      /type RegistryLedgerEntry\s+@join__type\(graph: DECISIONS, key: "id", resolvable: false\)/,
    );
  });

  it('resolves references only within the account', async () => {
    const { data: asked } = await padron.ask(`{ person(nss: "${nss}") { credit { evidence { ledgerId } } } }`);
    const { ledgerId } = asked.person.credit.evidence;
    const query = `query ($r: [_Any!]!) { _entities(representations: $r) {
      ... on RegistryLedgerEntry { id evidence { endpoint units } } ... on RegistryBudget { id } ... on Person { nss } } }`;
    const r = [
      { __typename: 'RegistryLedgerEntry', id: ledgerId },
      { __typename: 'Person', nss },
      { __typename: 'RegistryLedgerEntry', id: 'NOTHING' },
      { __typename: 'RegistryBudget', id: 'NOTHING' },
    ];
    const own = await padron.ask(query, { r });
    const evidence = { endpoint: 'POST /api/infonavit/grupo/buscar-credito', units: 1 };
    expect([own.data._entities, own.errors]).toEqual([[{ id: ledgerId, evidence }, { nss }, null, null], undefined]);
    const foreign = await padron.ask(query, { r }, { authorization: `Bearer ${OTHER_TOKEN}` });
    expect([foreign.data._entities, foreign.errors]).toEqual([[null, { nss }, null, null], undefined]);
    const nobody = await padron.ask(query, { r }, { authorization: '' });
    expect(nobody.data._entities).toEqual([null, { nss }, null, null]);
    expect(nobody.errors?.map(({ extensions }) => extensions.code)).toEqual(Array(3).fill('UNAUTHENTICATED'));
  });
});
