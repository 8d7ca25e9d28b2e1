import { type RunningPadron, runPadron } from '../../support/padrons/padron';

const strangers = (count: number) => Array.from({ length: count }, () => ({ __typename: 'Stranger' }));
const entities = 'query ($of: [_Any!]!) {\n  _entities(representations: $of) {\n    __typename\n  }\n}';

describe('the errors of an operation', () => {
  let padron: RunningPadron;
  beforeAll(async () => {
    padron = await runPadron();
  });
  afterAll(() => padron.stop());

  it('are listed up to a hundred, and the rest is counted', async () => {
    const { status, data, errors = [] } = await padron.ask(entities, { of: strangers(2_000) });
    expect([status, data._entities.length]).toEqual([200, 2_000]);
    expect(errors.length).toBe(101);
    expect(errors[99]).toEqual({
      message: 'A representation names a type that is not an entity of this graph.',
      path: ['_entities', 99],
      locations: [{ line: 2, column: 3 }],
      extensions: { code: 'BAD_USER_INPUT', url: '/graphql/errors/BAD_USER_INPUT' },
    });
    expect(errors[100]).toEqual({
      message: 'And 1900 more errors.',
      extensions: { code: 'ERRORS_OMITTED', count: 1_900, url: '/graphql/errors/ERRORS_OMITTED' },
    });
  });

  it('become one error if more than two thousand entities have an unknown type', async () => {
    const { status, data, errors } = await padron.ask(entities, { of: strangers(2_001) });
    expect([status, data]).toEqual([200, null]);
    expect(errors).toMatchObject([{ path: ['_entities'], extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(padron.calls()).toEqual([]);
  });

  it('are all listed if there are a hundred', async () => {
    const { errors = [] } = await padron.ask(entities, { of: strangers(100) });
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(Array(100).fill('BAD_USER_INPUT'));
  });

  it('have lines and columns with any line ending', async () => {
    const { errors } = await padron.ask('{\n  person(nss: "1") {\r\n    nss\r    nope\n  }\n\n  other\n}');
    expect(errors?.map(({ locations }) => locations)).toEqual([[{ line: 4, column: 5 }], [{ line: 7, column: 3 }]]);
  });

  it('have the location of an argument that fails during execution', async () => {
    const query =
      'query ($p: YearMonth = "2026-01") {\n  employer(registration: "1") {\n    receipts(period: $p) { outcome }\n  }\n}';
    const { errors } = await padron.ask(query, { p: null });
    expect(errors).toMatchObject([{ locations: [{ line: 3, column: 22 }], extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  it('have at most ten locations each', async () => {
    const { status, errors } = await padron.ask(`{ person(${'nss: "1"\n'.repeat(1_000)}) { nss } }`);
    expect([status, errors?.length]).toEqual([400, 1]);
    expect(errors?.[0].locations.length).toBe(10);
  });

  it('are one if the document has too many lines, which is checked before it is parsed', async () => {
    const { status, errors } = await padron.ask(`{ __typename ${'\n'.repeat(40_000)} }`);
    expect([status, errors]).toMatchObject([
      400,
      [
        {
          message: 'The document has 40001 lines. Send at most 20000.',
          extensions: { code: 'GRAPHQL_PARSE_FAILED' },
        },
      ],
    ]);
  });

  it.each([
    ['an alias', (name: string) => `{ ${name}: __typename }`],
    ['a variable', (name: string) => `query ($${name}: [NSS] = [1, 1, 1]) { __typename }`],
    ['a fragment', (name: string) => `{ ...${name} } fragment ${name} on Query { __typename }`],
  ])('shorten very long names: %s', async (_where, write) => {
    const { status, errors } = await padron.ask(write('n'.repeat(5_000)));
    expect([status, errors]).toMatchObject([
      400,
      [{ message: 'A name has 5000 characters. Use at most 1000.', extensions: { code: 'GRAPHQL_PARSE_FAILED' } }],
    ]);
  });

  it('quote nothing of a long text', async () => {
    const { status, errors } = await padron.ask(`{ person(nss: "${'1'.repeat(5_000)}") { __typename } }`);
    expect([status, errors]).toEqual([200, undefined]);
  });

  it('are described without parsing the document for each of them', async () => {
    const matched = jest.spyOn(String.prototype, 'matchAll');
    const query = `${entities.replace('__typename', `${'\n'.repeat(10_000)} __typename`)}`;
    const { errors = [] } = await padron.ask(query, { of: strangers(2_000) });
    const scans = matched.mock.contexts.filter((text) => String(text).length > 10_000).length;
    matched.mockRestore();
    expect(errors.length).toBe(101);
    expect(scans).toBe(1);
  });
});
