import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { getOperationAST, parse } from 'graphql';
import { buildGraph } from '../../../src/graph/schema/build-schema';
import { PlanCache } from '../../../src/server/apollo/plan-cache';
import { NOW } from '../../support/operations/employer-graph';
import { anyOperations } from '../../support/operations/paid-operations';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { parametrised } from '../../support/parametrised';
import { askPriced, type Request } from '../../support/requests/money';

const example = (name: string): string =>
  readFileSync(join(__dirname, '../../../schema/examples', `${name}.graphql`), 'utf8');

/** What differs from one call to the next: codes, links, and what took how long. */
const changing = new Set(['validationCode', 'checkedAt', 'expiresAt', 'url', 'at', 'ms', 'requestId']);

const steady = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null, (key, inner) => (changing.has(key) ? typeof inner : inner)));

/** The plan of a document, given its variables. */
function findPlan(plans: PlanCache, query: string, variables = {}, name: string | null = null) {
  const document = parse(query);
  const operation = getOperationAST(document, name);
  return operation ? plans.find(document, operation, variables) : null;
}

describe('a query with a plan', () => {
  let planned: RunningPadron;
  let unplanned: RunningPadron;
  beforeAll(async () => {
    planned = await runPadron({ now: () => NOW });
    unplanned = await runPadron({ now: () => NOW, plannedExecution: false });
  });
  afterAll(() => Promise.all([planned.stop(), unplanned.stop()]));
  jest.setTimeout(60_000);

  const plans = new PlanCache(buildGraph().schema);

  async function same(body: Request, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const answer = await askPriced(planned, body, headers);
    const expected = await askPriced(unplanned, body, headers);
    for (const part of ['status', 'data', 'errors', 'units', 'unitsSpent', 'estimate'] as const)
      expect([part, steady(answer[part])]).toEqual([part, steady(expected[part])]);
    expect(answer.headers['content-type']).toBe(expected.headers['content-type']);
    expect(answer.headers['cache-control']).toBe(expected.headers['cache-control']);
    expect([...planned.calls()].sort()).toEqual([...unplanned.calls()].sort());
  }

  it('is answered as graphql-js answers it, call by call, whatever becomes of its questions', async () => {
    let withPlan = 0;
    const property = fc.asyncProperty(anyOperations, async ({ text }) => {
      const body = parametrised(text);
      if (findPlan(plans, body.query, body.variables) !== null) withPlan += 1;
      await same(body);
    });
    await fc.assert(property, { seed: 20_261_120, numRuns: 60, endOnFailure: true });
    expect(withPlan).toBe(60);
  });

  it('is refused by the same budgets, at the same price', async () => {
    let refused = 0;
    const property = fc.asyncProperty(anyOperations, fc.nat({ max: 12 }), async ({ text }, budget) => {
      const body = parametrised(text);
      await same(body, { 'x-max-units': String(budget) });
      const { errors } = await askPriced(planned, body, { 'x-max-units': String(budget) });
      planned.calls();
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
    const { errors } = await askPriced(planned, { query: choice, variables: { m: null, n: '04159600263' } });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    planned.calls();
  });

  it.each([
    ['its only field is', '{ __typename @skip(if: true) }', {}],
    ['all of its fields are', '{ person(nss: "1") @skip(if: true) { nss } b: __typename @include(if: false) }', {}],
    ['a variable says so', 'query ($no: Boolean!) { person @include(if: $no) { nss } }', { no: false }],
    [
      'its fragments are',
      'query ($no: Boolean!) { ...F @include(if: $no) } fragment F on Query { __typename }',
      { no: false },
    ],
    ['what its fragments hold is', '{ ...F } fragment F on Query { ... { __typename @skip(if: true) } }', {}],
    ['the schema is', '{ __schema @skip(if: true) { queryType { name } } }', {}],
    ['it is a mutation', 'mutation { __typename @skip(if: true) }', {}],
  ])('is answered by an empty object where nothing of it is asked: %s', async (_what, query, variables) => {
    for (const padron of [planned, unplanned]) {
      for (const headers of [{}, { 'x-max-units': '1' }]) {
        const { status, data, errors } = await askPriced(padron, { query, variables }, headers);
        expect([status, data, errors]).toEqual([200, {}, undefined]);
      }
      const { status, estimate } = await askPriced(padron, { query, variables }, { 'x-dry-run': 'true' });
      expect([status, estimate?.estimatedUnits, estimate?.invalidRows]).toEqual([200, 0, 0]);
      expect(padron.calls()).toEqual([]);
    }
  });

  it('is the same where it is so wide that it takes many turns, and is sent in chunks', async () => {
    const query = `query ($of: [_Any!]!) { _entities(representations: $of) {
      ... on Person { nss b: nss credit { outcome problems { code message path } } } } registryEndpoints { units } }`;
    const of = Array.from({ length: 3_000 }, (_, index) => ({ __typename: 'Person', nss: `${index}"\n\u2028Ñ😀` }));
    await same({ query, variables: { of } });
    const answer = await askPriced(planned, { query, variables: { of } });
    expect(answer.headers['content-length']).toBeUndefined();
    expect(answer.data._entities[2_999].credit.outcome).toBe('INVALID_INPUT');
  });

  it('asks what its conditions come to, each time anew', async () => {
    const query = `query ($nss: NSS!, $with: Boolean!, $without: Boolean!) {
      person(nss: $nss) { nss @skip(if: $without) credit @include(if: $with) { outcome } } }`;
    const both = [true, false];
    for (const flags of both.flatMap((included) => both.map((skipped) => ({ with: included, without: skipped })))) {
      await same({ query, variables: { nss: '04159600263', ...flags } });
    }
  });
});

/** The same fields under so many aliases. */
const many = (count: number, fields: string): string =>
  Array.from({ length: count }, (_, index) => `a${index.toString(36)}: ${fields}`).join('\n');

describe('a plan', () => {
  const { schema } = buildGraph();
  const find = (query: string, variables = {}, name: string | null = null) =>
    findPlan(new PlanCache(schema), query, variables, name);

  it('is made of a query whose values are variables', () => {
    const query = 'query Who($nss: NSS) { person(nss: $nss) { nss } }';
    expect(find(query, { nss: '1' })).toMatchObject({ variables: { nss: '1' } });
    expect(find('query A { __typename } query B { b: __typename }', {}, 'B')?.plan.root.fields[0]?.key).toBe('b');
  });

  it.each([
    ['is a mutation', example('signature-check')],
    ['looks at the schema', '{ __schema { types { name } } }'],
    ['is one of several, unnamed', 'query A { __typename } query B { __typename }'],
    ['is larger than a plan may be', `{ ${many(5_100, 'person { nss }')} }`],
  ])('is not made of what %s', (_what, query) => {
    expect(find(query)).toBeNull();
  });

  it.each([
    ['holds a value of somebody', '{ person(nss: "04159600263") { nss } }'],
    ['names somebody in an enum of a representation', '{ _entities(representations: [{nss: A}]) { __typename } }'],
    ['names somebody by an enum alone', '{ _entities(representations: PEGJ) { __typename } }'],
    [
      'names somebody by default',
      'query ($r: [_Any!]! = [{nss: A}]) { _entities(representations: $r) { __typename } }',
    ],
    ['names somebody in an alias', '{ n04159600263: person { nss } }'],
    ['names somebody in a comment', '{ person { nss } } # Juan'],
  ])('is not kept of what %s, but serves the request', (_what, query) => {
    const plans = new PlanCache(schema);
    const document = parse(query);
    const operation = getOperationAST(document) ?? undefined;
    const found = plans.find(document, operation, {});
    expect([plans.count, plans.size]).toEqual([0, 0]);
    expect(plans.find(document, operation, {})?.plan).toBe(found?.plan);
  });

  it('is made of a query that names a choice', () => {
    const query =
      'query ($nss: NSS, $m: NameMatch = ALL) { person(nss: $nss) { licences(match: EXACT) { outcome } b: licences(match: $m) { outcome } } }';
    expect(find(query, { nss: '1' })).not.toBeNull();
  });

  it('takes no more memory than is bounded, however many conditions are tried', () => {
    const plans = new PlanCache(schema);
    const flags = Array.from({ length: 8 }, (_, index) => `c${index}`);
    const query = `query (${flags.map((flag) => `$${flag}: Boolean!`).join()}) {
      ${flags.map((flag) => `${flag}: __typename @include(if: $${flag})`).join('\n')} ${many(450, 'person { nss curp __typename }')} }`;
    const document = parse(query);
    const operation = getOperationAST(document);
    if (!operation) throw new Error('The document holds an operation.');
    for (let asked = 0; asked < 256; asked += 1) {
      const variables = Object.fromEntries(flags.map((flag, bit) => [flag, ((asked >> bit) & 1) === 1]));
      expect(plans.find(document, operation, variables)).not.toBeNull();
    }
    expect(plans.size).toBeGreaterThan(45_000_000);
    expect(plans.size).toBeLessThanOrEqual(48_000_000);
  });

  it('keeps few long documents in memory, also where nothing of them is asked', () => {
    const plans = new PlanCache(schema);
    for (let asked = 0; asked < 60; asked += 1)
      findPlan(
        plans,
        `query ($x: Boolean!) { t${asked % 10}: __typename ${many(2_000, '__typename @skip(if: $x)')} }`,
        { x: true },
      );
    expect(plans.count).toBeLessThan(40);
  });
});
