import { setFlagsFromString } from 'node:v8';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { runPadron } from '../../../support/padrons/padron';
import { padronForTests } from '../../../support/padrons/padron-for-tests';

// It computes for seconds: see quick-tests.ts.
setFlagsFromString('--opt');

const query = 'query ($input: UnitEstimateInput!) { unitEstimate(input: $input) { dataset rowCount estimatedUnits } }';
const credit = 'query ($nss: NSS!) { person(nss: $nss) { credit { outcome } } }';
const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ nss: people[index % 200]?.nss }));
const aliased = (count: number, field: string): string =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');
const aliases30 = `query ($nss: NSS!) { person(nss: $nss) { ${aliased(30, 'credit { outcome }')} } }`;

const padron = padronForTests();

async function refusal(input: unknown, text = query) {
  const { status, data, errors } = await padron.ask(text, { input });
  expect([status, data.unitEstimate ?? null]).toEqual([200, null]);
  expect(padron.calls()).toEqual([]);
  return errors?.[0];
}

describe('Query.unitEstimate', () => {
  it.each([
    ['5,000 rows of one paid field', { operation: credit, rows: rows(5_000) }, 200],
    ['1,000 rows of thirty aliases', { operation: aliases30, rows: rows(1_000) }, 200],
  ])('estimates %s', async (_what, input, units) => {
    const { data, errors } = await padron.ask(query, { input });
    expect(errors).toBeUndefined();
    expect(data.unitEstimate.estimatedUnits).toBe(units);
  });

  it('rejects an operation that would be rejected if it ran', async () => {
    const operation = `{ ${aliased(1_000, '_service { sdl }')} }`;
    expect(await refusal({ operation })).toMatchObject({
      message: expect.stringMatching(/The answer may have \d+ bytes\. The limit is 10000000/),
      extensions: { code: 'OPERATION_TOO_LARGE', limit: 'bytes', allowed: 10_000_000 },
    });
  });

  it('rejects an operation that grows beyond what can be counted', async () => {
    const inner = (depth: number): string =>
      depth === 0
        ? 'files { outcome }'
        : `employer { receiptsBetween(from: "2023-01", to: "2025-12") { records { ${inner(depth - 1)} } } }`;
    const operation = `{ employer(registration: "Y6077636105") { receiptsBetween(from: "2023-01", to: "2025-12") { records { ${inner(3)} } } } }`;
    expect(await refusal({ operation })).toMatchObject({
      message: expect.stringMatching(/would not run\. The answer may have \d+ values\. The limit is 100000/),
      extensions: { code: 'OPERATION_TOO_LARGE', limit: 'nodes', allowed: 100_000 },
    });
  });

  it('rejects more questions than it counts', async () => {
    const operation = `query ($nss: NSS!) { person(nss: $nss) { ${aliased(6, 'credit { outcome }')} } }`;
    const generous = await runPadron({ environment: { LIMIT_ESTIMATE_NODES: '2000000' } });
    const { errors } = await generous.ask(query, { input: { operation, rows: rows(9_000) } });
    await generous.stop();
    expect(errors?.[0].message).toBe('The dataset has more than 50000 questions. Split it.');
  });

  it.each([
    ['free fields', `{ ${aliased(1_000, 'registryEndpoints { units }')} }`, 200],
    ['introspection', '{ __schema { types { fields { name type { name } } } } }', 1_000],
    [
      'introspection by variables',
      'query ($nss: String!) { __schema { types { name } } __type(name: $nss) { name } }',
      9_000,
    ],
  ])('rejects %s times rows', async (_what, operation, count) => {
    expect(await refusal({ operation, rows: rows(count) })).toMatchObject({
      message: expect.stringMatching(/rows have \d+ values\. The limit of a request is 1500000/),
      extensions: { code: 'OPERATION_TOO_LARGE', limit: 'estimateNodes', allowed: 1_500_000 },
    });
  });

  it('rejects rows that each bring a list', async () => {
    const operation =
      'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Person { credit { outcome } } } }';
    const of = Array.from({ length: 100 }, () => ({ __typename: 'Person', nss: '1' }));
    const input = { operation, rows: Array.from({ length: 80 }, () => ({ of })) };
    const tight = await runPadron({ environment: { LIMIT_ESTIMATE_NODES: '5000' } });
    const { errors } = await tight.ask(query, { input });
    await tight.stop();
    expect(errors?.[0].extensions).toMatchObject({ limit: 'estimateNodes', allowed: 5_000 });
  });

  it('counts the estimates of a request together', async () => {
    const input = {
      operation: `{ ${aliased(1_000, 'registryEndpoints { units }')} }`,
      rows: rows(50),
    };
    const twice =
      'query ($input: UnitEstimateInput!) { a: unitEstimate(input: $input) { rowCount } b: unitEstimate(input: $input) { rowCount } }';
    const { data, errors } = await padron.ask(twice, { input });
    expect(data).toEqual({ a: { rowCount: 50 }, b: null });
    expect(errors).toMatchObject([{ path: ['b'], extensions: { limit: 'estimateNodes' } }]);
  });

  it('limits the tokens of all estimates of a request to those of one document', async () => {
    const input = { operation: `{ ${aliased(3_000, '__typename')} }` };
    const twice =
      'query ($input: UnitEstimateInput!) { a: unitEstimate(input: $input) { rowCount } b: unitEstimate(input: $input) { rowCount } }';
    const { data, errors } = await padron.ask(twice, { input });
    expect(data).toEqual({ a: { rowCount: 1 }, b: null });
    expect(errors?.[0].message).toMatch(/more than \d+ tokens/);
  });

  it('rejects an operation that selects the same field too often to be checked', async () => {
    const operation = `{ person(nss: "1") { ${'credit { outcome } '.repeat(300)} } }`;
    expect(await refusal({ operation })).toMatchObject({
      message: '`operation` is rejected. The document selects the same fields too often to be validated.',
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });

  it('rejects a document that is nested too deeply or has too many lines', async () => {
    expect((await refusal({ operation: `${'{a'.repeat(3_000)}${'}'.repeat(3_000)}` })).message).toMatch(
      /at most 200 levels/,
    );
    expect((await refusal({ operation: `{ a ${'\n'.repeat(30_000)} }` })).message).toMatch(/Send at most 20000/);
  });

  it('does not repeat a dataset in an error', async () => {
    expect((await refusal({ operation: credit, rows: [], dataset: 'x'.repeat(201) })).message).toMatch(
      /201 characters\. Send at most 200/,
    );
    const { data } = await padron.ask(query, { input: { operation: credit, rows: [], dataset: 'x'.repeat(200) } });
    expect(data.unitEstimate.dataset).toHaveLength(200);
  });

  it('reports the position of an error in its operation', async () => {
    expect((await refusal({ operation: '{\n  person(nss: "1") {\n    nope\n  }\n}' })).message).toContain(
      '(line 3, column 5)',
    );
  });
});
