import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getNamedType, isLeafType, isObjectType, parse, print } from 'graphql';
import { people } from '../../../src/extensions/sandbox/data/people';
import { OperationLimiter } from '../../../src/graph/core/operations/operation-limits';
import { checkDocument } from '../../../src/graph/core/operations/read-documents';
import { OfflinePricing } from '../../../src/graph/schema/offline-pricing';
import { ownPrices } from '../../../src/registry/endpoint/price-list';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { buildGraph, readConfig } from '../../support/padrons/whole-padron';

const { limits } = readConfig({});
const graph = buildGraph();
const limiter = new OperationLimiter(graph, limits);
const pricing = new OfflinePricing(graph, limiter, limits, ownPrices);

function price(text: string, variables: Readonly<Record<string, unknown>> = {}) {
  const rules = { schema: graph.schema, limiter, maxTokens: limits.tokens };
  const { document, operation } = checkDocument({ source: 'test', id: null, text }, rules);
  return pricing.price(document, operation, variables);
}

const unitsOf = async (text: string, variables: Readonly<Record<string, unknown>> = {}) => {
  const { units, unbounded, unknown } = await price(text, variables);
  expect({ unbounded, unknown }).toEqual({ unbounded: [], unknown: [] });
  return units;
};

describe('the price of an operation whose variables may have any value', () => {
  it.each([
    ['a lookup', 'query ($nss: NSS!) { person(nss: $nss) { credit { outcome } } }', 1],
    ['a free field', '{ registryEndpoints { units } }', 0],
    [
      'two people',
      'query ($a: NSS!, $b: NSS!) { a: person(nss: $a) { credit { outcome } } b: person(nss: $b) { credit { outcome } } }',
      2,
    ],
    [
      'one person twice',
      'query ($a: NSS!) { a: person(nss: $a) { credit { outcome } } b: person(nss: $a) { credit { outcome } } }',
      1,
    ],
    [
      'two months',
      'query ($r: EmployerRegistration!, $a: YearMonth!, $b: YearMonth!) { employer(registration: $r) { a: receipts(period: $a) { outcome } b: receipts(period: $b) { outcome } } }',
      2,
    ],
    ['a signature', 'mutation ($input: SignatureInput!) { verifySignature(input: $input) { valid } }', 1],
    [
      'a signature with file variables',
      'mutation ($file: Upload!, $rfc: RFC!) { verifySignature(input: { rfc: $rfc, password: "x", certificate: { upload: $file }, privateKey: { upload: $file } }) { valid } }',
      1,
    ],
  ])('is known: %s', async (_, text, units) => {
    expect(await unitsOf(text)).toBe(units);
  });

  it('assumes the conditions that cost most', async () => {
    const text =
      'query ($nss: NSS!, $all: Boolean!, $less: Boolean = false) { person(nss: $nss) { credit { outcome } housingAccount @include(if: $all) { outcome } ... @skip(if: $less) { obligations: licences { outcome } } } }';
    const [all, half] = [
      await unitsOf(text, { all: true, less: false }),
      await unitsOf(text, { all: true, less: true }),
    ];
    const none = await unitsOf(text, { all: false, less: true });
    expect([all > half, half > none, await unitsOf(text)]).toEqual([true, true, all]);
  });

  it('assumes one of two fields that exclude each other', async () => {
    const text =
      'query ($nss: NSS!, $a: Boolean!) { person(nss: $nss) { credit @include(if: $a) { outcome } housingAccount @skip(if: $a) { outcome } } }';
    expect(await unitsOf(text)).toBe(Math.max(await unitsOf(text, { a: true }), await unitsOf(text, { a: false })));
  });

  it('assumes that an optional identifier is missing if its lookup is paid', async () => {
    const text = 'query ($nss: NSS!, $curp: CURP) { person(nss: $nss, curp: $curp) { identity { outcome } } }';
    const [given, missing] = [await unitsOf(text, { curp: people[0]?.curp }), await unitsOf(text, { curp: null })];
    expect([missing > given, await unitsOf(text)]).toEqual([true, missing]);
  });

  it('assumes the longest range of months, once for each range', async () => {
    const ranges = (text: string) =>
      `query ($r: EmployerRegistration!, $a: YearMonth!, $b: YearMonth!, $c: YearMonth!) { employer(registration: $r) { ${text} c: receipts(period: $c) { outcome } } }`;
    const range = 'a: receiptsBetween(from: $a, to: $b) { outcome }';
    const single = ranges(range);
    const adjacent = ranges(`${range} b: receiptsBetween(from: $b, to: $c) { outcome }`);
    const same = ranges(`${range} b: receiptsBetween(from: $a, to: $b) { count }`);
    expect(await unitsOf(single)).toBe(37);
    expect(await unitsOf(single, { a: '2026-01', b: '2026-03' })).toBe(4);
    expect(await unitsOf(single, { a: '2026-01' })).toBe(37);
    expect([await unitsOf(adjacent), await unitsOf(same)]).toEqual([73, 37]);
  });

  it('counts the ranges of each operation separately', async () => {
    const text = (name: string) =>
      `query ($r: EmployerRegistration!, $${name}: YearMonth!) { employer(registration: $r) { receiptsBetween(from: $${name}, to: "2026-01") { outcome } } }`;
    for (let index = 0; index < 40; index += 1) expect(await unitsOf(text(`from${index}`))).toBe(36);
  });

  it('has no upper bound if the entries of a list are paid', async () => {
    const text =
      'query ($r: EmployerRegistration!, $m: YearMonth!) { employer(registration: $r) { receipts(period: $m) { records { files { outcome } } } } }';
    expect(await price(text)).toMatchObject({
      units: 3,
      unbounded: ['employer.receipts.records.files, for each entry of a list'],
      unknown: [],
    });
  });

  it('is unknown if entities are a variable without a value', async () => {
    const text =
      'query ($keys: [_Any!]!) { _entities(representations: $keys) { ... on Employer { snapshots { outcome } } } }';
    expect((await price(text)).unknown).toEqual(['it depends on the entities in $keys: give values with --variables']);
    expect(await unitsOf(text, { keys: [{ __typename: 'Employer', registration: 'Y6012345101' }] })).toBe(1);
  });

  it('ignores lists in the input of a free field', async () => {
    const text =
      'query ($nss: NSS!, $input: UnitEstimateInput!) { unitEstimate(input: $input) { atMost } person(nss: $nss) { credit { outcome } } }';
    expect(await unitsOf(text)).toBe(1);
  });

  it('is unknown, never zero, if padron would reject a value', async () => {
    const text = '{ person(nss: "123") { credit { outcome } } }';
    expect((await price(text)).unknown).toEqual(['nss is rejected (INVALID_FORMAT)']);
    const typed = 'query ($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';
    expect((await price(typed, { nss: 4 })).unknown).toEqual(['a variable does not fit its type']);
  });

  it('includes the limits of the batches that it starts, once for each batch', async () => {
    const start = 'startRegistryBatch(id: "a", maxUnits: 7) { batch { id } }';
    expect(await unitsOf(`mutation { ${start} }`)).toBe(7);
    const retry = 'b: retryRegistryBatch(id: "a", maxUnits: 20) { batch { id } }';
    const resume = 'resumeRegistryBatch(id: "b", maxUnits: 100) { batch { id } }';
    expect(await unitsOf(`mutation { ${start} ${retry} ${resume} }`)).toBe(120);
    expect(await unitsOf('mutation { startRegistryBatch(id: "a", maxUnits: -5) { batch { id } } }')).toBe(0);
    const variable = 'mutation ($id: ID!, $max: Int!) { startRegistryBatch(id: $id, maxUnits: $max) { batch { id } } }';
    expect(await unitsOf(variable, { max: 1_000_000 })).toBe(1_000_000);
  });

  it('is unknown, never zero, if it starts a batch whose limit is unknown', async () => {
    const unknown = async (text: string, variables = {}) => (await price(text, variables)).unknown;
    const reason = (field: string) => [
      `${field} spends up to the limit of its batch: write \`maxUnits\` as a number, or give values with --variables`,
    ];
    expect(await unknown('mutation { resumeRegistryBatch(id: "a") { batch { id } } }')).toEqual(
      reason('resumeRegistryBatch'),
    );
    for (const field of ['startRegistryBatch', 'retryRegistryBatch', 'resumeRegistryBatch'])
      expect(
        await unknown(
          `mutation ($id: ID!, $max: Int! = 1) { again: ${field}(id: $id, maxUnits: $max) { batch { id } } }`,
        ),
      ).toEqual(reason(field));
    const some = 'mutation ($go: Boolean!) { resumeRegistryBatch(id: "a") @include(if: $go) { batch { id } } }';
    expect(await unknown(some)).toEqual(reason('resumeRegistryBatch'));
    expect(await unitsOf(some, { go: false })).toBe(0);
  });

  it('counts every mutation that may spend units', () => {
    const fields = Object.values(graph.schema.getMutationType()?.getFields() ?? {});
    const spends = ({ args, extensions, description }: (typeof fields)[number]): boolean =>
      extensions.paidField !== undefined ||
      args.some(({ name }) => name === 'maxUnits') ||
      !/Free\b/.test(`${description}`);
    // An erasure calls no registry.
    const batches = ['startRegistryBatch', 'resumeRegistryBatch', 'retryRegistryBatch'];
    expect(fields.filter(spends).map(({ name }) => name)).toEqual([
      'verifySignature',
      'eraseRegistrySubject',
      ...batches,
    ]);
  });

  it('is unknown if there are too many combinations', async () => {
    const names = Array.from({ length: 11 }, (_, index) => `b${index}`);
    const fields = names.map((name) => `${name}: nss @include(if: $${name})`).join(' ');
    const text = `query (${names.map((name) => `$${name}: Boolean!`).join(', ')}) { person { ${fields} } }`;
    expect((await price(text)).unknown).toEqual([expect.stringContaining('more than 1024 combinations')]);
    expect(await unitsOf(text, { b0: true })).toBe(0);
  });
});

describe('every paid field', () => {
  const coordinates = graph.catalogue.flatMap(({ endpoint, fields }) =>
    fields.map((field) => [field, endpoint.units] as const),
  );

  it.each(coordinates)('has a known price if all its arguments are variables: %s', async (coordinate, units) => {
    const { units: total, unknown } = await price(operationFor(coordinate));
    expect({ unknown, isCounted: total >= units }).toEqual({ unknown: [], isCounted: true });
  });

  it('has no list among its arguments, whose length would affect the price', () => {
    const paths = Object.values(graph.schema.getTypeMap()).filter(isObjectType);
    const fields = paths.flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })));
    const paid = fields.filter(
      ({ type, field }) => field.extensions.paidField !== undefined || leadsToPaid(type.name, field.name),
    );
    expect(paid.length).toBeGreaterThan(15);
    expect(paid.flatMap(({ field }) => field.args).filter(({ type }) => String(type).includes('['))).toEqual([]);
  });

  /** Whether a field returns people or employers. */
  function leadsToPaid(type: string, field: string): boolean {
    return type === 'Query' && ['person', 'employer'].includes(field);
  }

  /** Returns an operation that selects a field with a variable for each argument. */
  function operationFor(coordinate: string): string {
    const variables = new Map<string, string>();
    const select = (typeName: string, name: string, inner: string): string => {
      const type = graph.schema.getType(typeName);
      const field = isObjectType(type) ? type.getFields()[name] : undefined;
      const args = (field?.args ?? []).map((arg) => {
        variables.set(`${name}_${arg.name}`, String(arg.type));
        return `${arg.name}: $${name}_${arg.name}`;
      });
      const body = field !== undefined && isLeafType(getNamedType(field.type)) ? '' : `{ ${inner} }`;
      return `${name}${args.length === 0 ? '' : `(${args.join(', ')})`} ${body}`;
    };
    const [typeName = '', name = ''] = coordinate.split('.');
    const paid = select(typeName, name, '__typename');
    const roots: Readonly<Record<string, () => string>> = {
      Query: () => paid,
      Mutation: () => paid,
      Person: () => select('Query', 'person', paid),
      Employer: () => select('Query', 'employer', paid),
      EmployerReceipt: () => select('Query', 'employer', select('Employer', 'receipts', `records { ${paid} }`)),
      // The rest of an estimate is free, and so is the balance if its path is not set.
      UnitEstimate: () => select('Query', 'unitEstimate', paid),
    };
    const root = roots[typeName];
    if (root === undefined) throw new Error(`Tell this test how to reach ${typeName}.`);
    const text = root();
    const definitions = [...variables].map(([variable, type]) => `$${variable}: ${type}`).join(', ');
    return print(
      parse(
        `${typeName === 'Mutation' ? 'mutation' : 'query'} ${definitions === '' ? '' : `(${definitions})`} { ${text} }`,
      ),
    );
  }
});

describe('the examples', () => {
  const folder = join(__dirname, '../../../schema/examples');
  const padron = padronForTests();
  const nssOf = people.filter(({ credit }) => credit).slice(0, 5);

  it.each(readdirSync(folder).filter((file) => /^(person|licence).*\.graphql$/.test(file)))(
    'cost no more than their price: %s',
    async (file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const units = await unitsOf(text);
      for (const { nss, curp, licences } of nssOf) {
        const before = padron.spent();
        await padron.ask(text, { nss, curp, number: licences[0]?.number });
        expect(padron.spent() - before).toBeLessThanOrEqual(units);
      }
      expect(padron.calls().length).toBeGreaterThan(0);
    },
  );
});
