import { padronForTests } from '../../../support/padrons/padron-for-tests';

const aliased = (count: number): string =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: registryEndpoints { units }`).join(' ')} }`;
const entities = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Person { nss credit { outcome } } } }`;
const people = (count: number) => Array.from({ length: count }, () => ({ __typename: 'Person', nss: '1' }));

describe('the limits of an operation', () => {
  const padron = padronForTests({
    environment: { LIMIT_ALIASES: '5', LIMIT_ENTITIES: '4', LIMIT_DEPTH: '4', LIMIT_NODES: '300' },
  });

  it.each([
    ['as many aliases as are allowed', aliased(5), {}],
    ['as many entities as are allowed', entities, { of: people(4) }],
    ['as many levels as are allowed', '{ person(nss: "1") { credit { evidence { units } } } }', {}],
  ])('accept %s', async (_what, query, variables) => {
    const { status, errors } = await padron.ask(query, variables);
    expect([status, errors]).toEqual([200, undefined]);
  });

  it.each([
    ['one more alias', aliased(6), {}, 'The operation has 6 aliases. The limit is 5: split it.'],
    [
      'aliases in fragments',
      `${aliased(4).slice(0, -1)} ...F ...F } fragment F on Query { b: registryEndpoints { units } c: registryEndpoints { units } }`,
      {},
      'The operation has 6 aliases. The limit is 5: split it.',
    ],
    ['one more entity', entities, { of: people(5) }, 'The operation requests 5 entities. The limit is 4: split it.'],
    [
      'one more entity in the default of a variable',
      `query ($of: [_Any!]! = [${'{__typename: "Person"} '.repeat(5)}]) { _entities(representations: $of) { ... on Person { nss } } }`,
      {},
      'The operation requests 5 entities. The limit is 4: split it.',
    ],
    [
      'one more level',
      '{ employer(registration: "1") { receipts(period: "2026-01") { records { employer { registration } } } } }',
      {},
      'The operation is 5 levels deep. The limit is 4: split it.',
    ],
    [
      'more values',
      '{ employer(registration: "1") { snapshots { records { id name rfc activity riskClass workers totalImss totalRcv capturedAt createdAt updatedAt userId registration personKind riskPremium } } receipts(period: "2026-01") { records { folio paidOn amount amountText amountInWords period } } receiptsBetween(from: "2026-01", to: "2026-02") { records { folio } } } }',
      {},
      'The answer may have',
    ],
  ])('reject %s before any call', async (_what, query, variables, message) => {
    const { status, data, errors } = await padron.ask(query, variables);
    expect([status, data]).toEqual([400, undefined]);
    expect(errors).toMatchObject([
      { message: expect.stringContaining(message), extensions: { code: 'OPERATION_TOO_LARGE' } },
    ]);
    expect(padron.calls()).toEqual([]);
  });

  it('apply to the lists of each request, not only of the first, and to each list of a request', async () => {
    const statusOf = async (query: string, variables: Readonly<Record<string, unknown>>) =>
      (await padron.ask(query, variables)).status;
    const counts = [4, 5, 3, 5, 0];
    const alone: number[] = [];
    for (const count of counts) alone.push(await statusOf(entities, { of: people(count) }));
    expect(alone).toEqual([200, 400, 200, 400, 200]);
    const both = `query ($a: [_Any!]!, $b: [_Any!]!) {
      a: _entities(representations: $a) { __typename } b: _entities(representations: $b) { __typename } }`;
    const pairs = [
      [0, 0],
      [2, 2],
      [3, 2],
      [2, 3],
      [4, 0],
    ] as const;
    const together: number[] = [];
    for (const [a, b] of pairs) together.push(await statusOf(both, { a: people(a), b: people(b) }));
    expect(together).toEqual([200, 200, 400, 400, 200]);
  });
});
