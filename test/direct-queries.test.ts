import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { buildGraph } from '../src/graph/schema';
import { KnownOperations } from '../src/server/known-operations';
import { NOW } from './support/employer-graph';
import { askPriced, type Request } from './support/money';
import { type RunningPadron, runPadron } from './support/padron';
import { anyOperations } from './support/paid-operations';
import { parametrised } from './support/parametrised';

const example = (name: string): string =>
  readFileSync(join(__dirname, '../schema/examples', `${name}.graphql`), 'utf8');

/** An address whose search part keeps a request from being run at once: Apollo answers it. */
const throughApollo = ({ url }: RunningPadron) => ({ url: `${url}?` });

/** What differs from one call to the next: codes, links, and what took how long. */
const changing = new Set(['validationCode', 'checkedAt', 'expiresAt', 'url', 'at', 'ms', 'requestId']);

const steady = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null, (key, inner) => (changing.has(key) ? typeof inner : inner)));

describe('a query that is run at once', () => {
  let padron: RunningPadron;
  beforeAll(async () => {
    padron = await runPadron({ now: () => NOW });
  });
  afterAll(() => padron.stop());
  jest.setTimeout(60_000);

  const limits = { tokens: 10_000, depth: 50, nodes: 100_000, aliases: 1_000, entities: 1_000 };
  const operations = new KnownOperations(buildGraph().schema, limits);

  async function same(body: Request, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const one = await askPriced(padron, body, headers);
    const calls = padron.calls();
    const other = await askPriced(throughApollo(padron), body, headers);
    for (const part of ['status', 'data', 'errors', 'units', 'unitsSpent'] as const)
      expect([part, steady(one[part])]).toEqual([part, steady(other[part])]);
    expect(one.headers['content-type']).toBe(other.headers['content-type']);
    expect(one.headers['cache-control']).toBe(other.headers['cache-control']);
    expect([...calls].sort()).toEqual([...padron.calls()].sort());
  }

  it('is answered as Apollo answers it, call by call, whatever becomes of its questions', async () => {
    let ready = 0;
    const property = fc.asyncProperty(anyOperations, async ({ text }) => {
      const body = parametrised(text);
      if (operations.ready(body.query, null, body.variables) !== null) ready += 1;
      await same(body);
    });
    await fc.assert(property, { seed: 20_261_120, numRuns: 60, endOnFailure: true });
    expect(ready).toBe(60);
  });

  it('is refused by the same budgets, at the same price', async () => {
    let refused = 0;
    const property = fc.asyncProperty(anyOperations, fc.nat({ max: 12 }), async ({ text }, budget) => {
      const body = parametrised(text);
      await same(body, { 'x-max-units': String(budget) });
      const { errors } = await askPriced(padron, body, { 'x-max-units': String(budget) });
      padron.calls();
      if (errors?.[0].extensions.code === 'UNIT_BUDGET_EXCEEDED') refused += 1;
    });
    await fc.assert(property, { seed: 20_261_120, numRuns: 40, endOnFailure: true });
    expect(refused).toBeGreaterThan(5);
    expect(refused).toBeLessThan(35);
  });

  it.each([
    ['without a token', { authorization: '' }],
    ['with a token that nobody knows', { authorization: 'Bearer nobody' }],
    ['in sandbox mode', { 'x-sandbox': 'true' }],
    ['for a client that reads the media type of GraphQL', { accept: 'application/graphql-response+json' }],
    ['for a client that reads JSON only', { accept: 'application/json' }],
    ['with a header about money that cannot be read', { 'x-sandbox': 'perhaps' }],
    ['with a budget that does not reach', { 'x-max-units': '3' }],
    ['with a budget that does, to the unit', { 'x-max-units': '6' }],
    ['for its price alone', { 'x-dry-run': 'true' }],
  ])('is the same %s', async (_how, headers) => {
    await same({ query: example('person-profile'), variables: { nss: '04159600263' } }, headers);
  });

  it.each([
    ['a variable that is none', { nss: { number: 1 } }],
    ['a variable that is missing', {}],
    ['an identifier that is wrong', { nss: '123' }],
    ['a variable that nobody asked for', { nss: '04159600263', more: true }],
  ])('is the same with %s', async (_what, variables) => {
    await same({ query: 'query ($nss: NSS!) { person(nss: $nss) { nss credit { outcome } } }', variables });
  });

  it('is the same where a condition is null', async () => {
    const query = 'query ($x: Boolean = true) { __typename person { nss @skip(if: $x) } registryEndpoints { units } }';
    await same({ query, variables: { x: null } });
    const choice = 'query ($m: NameMatch = EXACT, $n: NSS) { person(nss: $n) { licences(match: $m) { outcome } } }';
    await same({ query: choice, variables: { m: null, n: '04159600263' } });
    const { errors } = await askPriced(padron, { query: choice, variables: { m: null, n: '04159600263' } });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    padron.calls();
  });

  it('asks what its conditions come to, each time anew', async () => {
    const query = `query ($nss: NSS!, $with: Boolean!, $without: Boolean!) {
      person(nss: $nss) { nss @skip(if: $without) credit @include(if: $with) { outcome } } }`;
    const both = [true, false];
    for (const given of both.flatMap((one) => both.map((two) => ({ with: one, without: two })))) {
      await same({ query, variables: { nss: '04159600263', ...given } });
    }
  });
});

/** The same fields under so many aliases. */
const many = (count: number, fields: string): string =>
  Array.from({ length: count }, (_, index) => `a${index}: ${fields}`).join('\n');

describe('an operation that is known', () => {
  const { schema } = buildGraph();
  const limits = { tokens: 1_000, depth: 12, nodes: 50_000, aliases: 100, entities: 2 };
  const ready = (query: string, variables = {}, name: string | null = null) =>
    new KnownOperations(schema, limits).ready(query, name, variables);

  it('is a query whose values are variables', () => {
    expect(ready('query Who($nss: NSS) { person(nss: $nss) { nss } }', { nss: '1' })).toMatchObject({
      name: 'Who',
      variables: { nss: '1' },
    });
    expect(ready('query A { __typename } query B { __typename }', {}, 'B')).toMatchObject({ name: 'B' });
  });

  it.each([
    ['holds a value of somebody', '{ person(nss: "04159600263") { nss } }'],
    ['is a mutation', example('signature-check')],
    ['looks at the schema', '{ __schema { types { name } } }'],
    ['cannot be read', '{ person('],
    ['is not of this graph', '{ persona { nss } }'],
    ['is one of several, unnamed', 'query A { __typename } query B { __typename }'],
    ['is nested beyond reading', `{ a${'{ a'.repeat(300)}${'}'.repeat(300)} }`],
    ['is longer than is kept', `{ __typename ${' '.repeat(50_000)}}`],
    ['looks at the schema where it is skipped', '{ __typename __schema @skip(if: true) { types { name } } }'],
    ['names somebody in an enum of a representation', '{ _entities(representations: [{nss: A}]) { __typename } }'],
    ['names somebody by an enum alone', '{ _entities(representations: PEGJ) { __typename } }'],
    [
      'names somebody by default',
      'query ($r: [_Any!]! = [{nss: A}]) { _entities(representations: $r) { __typename } }',
    ],
    ['names somebody in an alias', '{ n04159600263: person { nss } }'],
    ['names somebody in a comment', '{ person { nss } } # Juan'],
    ['is larger than a plan may be', `{ ${many(1_100, 'person { nss }')} }`],
  ])('is none that %s', (_what, query) => {
    expect(ready(query)).toBeNull();
  });

  it('may be as long as is kept, and name a choice', () => {
    expect(ready(`{ __typename ${' '.repeat(49_000)}}`)).not.toBeNull();
    const query =
      'query ($nss: NSS, $m: NameMatch = ALL) { person(nss: $nss) { licences(match: EXACT) { outcome } b: licences(match: $m) { outcome } } }';
    expect(ready(query, { nss: '1' })).not.toBeNull();
  });

  it('is not another one whose name and text begin alike', () => {
    const known = new KnownOperations(schema, limits);
    expect(known.ready('query A { __typename }', 'A', {})).not.toBeNull();
    expect(known.ready('A query A { __typename }', null, {})).toBeNull();
  });

  it('is judged by its own lists where none are given, also after an empty one', () => {
    const known = new KnownOperations(schema, limits);
    const query = `query ($a: [_Any!]!, $b: [_Any!]!) {
      a: _entities(representations: $a) { __typename } b: _entities(representations: $b) { __typename } }`;
    const ask = (a: unknown, b: unknown) => known.ready(query, null, { a, b }) !== null;
    const person = { __typename: 'Person', nss: '1' };
    expect([ask([], []), ask([person], [person]), ask([person, person], [person]), ask(null, [])]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('takes no more memory than is bounded, however many conditions are tried', () => {
    const known = new KnownOperations(schema, { ...limits, tokens: 10_000, aliases: 1_000 });
    const flags = Array.from({ length: 8 }, (_, index) => `c${index}`);
    const query = `query (${flags.map((flag) => `$${flag}: Boolean!`).join()}) {
      ${flags.map((flag) => `${flag}: __typename @include(if: $${flag})`).join('\n')} ${many(450, 'person { nss curp __typename }')} }`;
    for (let asked = 0; asked < 256; asked += 1) {
      const given = Object.fromEntries(flags.map((flag, bit) => [flag, ((asked >> bit) & 1) === 1]));
      expect(known.ready(query, null, given)).not.toBeNull();
    }
    expect(known.fieldsKept).toBeGreaterThan(100_000);
    expect(known.fieldsKept).toBeLessThanOrEqual(120_000);
  });

  it('is judged by the lists that it is given, not only the first time', () => {
    const known = new KnownOperations(schema, limits);
    const query = 'query ($all: [_Any!]!) { _entities(representations: $all) { __typename } }';
    const ask = (count: number) =>
      known.ready(query, null, { all: Array.from({ length: count }, () => ({ __typename: 'Person', nss: '1' })) });
    expect([ask(2) !== null, ask(3) !== null, ask(1) !== null]).toEqual([true, false, true]);
  });
});
