import { execute, GraphQLError, parse } from 'graphql';
import { ErrorFormatter, redactClientValues } from '../../../src/server/errors/error-formatter';
import { createLogger, safeStack } from '../../../src/server/telemetry/logger';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { buildGraph } from '../../support/padrons/whole-padron';
import { ask, errorsOf, SECRET, schema } from './client-errors';

const linesOf = () => {
  const lines: string[] = [];
  const log = createLogger('trace', { write: (line) => void lines.push(line) });
  const counted: string[] = [];
  const reports = new ErrorFormatter(buildGraph(), log, false, (code) => void counted.push(code));
  return { lines, counted, reports };
};

describe('an internal error', () => {
  it('is reported with the request ID only, and logged without its message', async () => {
    const { lines, counted, reports } = linesOf();
    const bug = new TypeError(SECRET);
    const error = new GraphQLError(SECRET, { originalError: bug, path: ['person', 'credit'] });
    reports.formatAll([error], 'r-1');
    expect(reports.format({ message: SECRET }, error)).toEqual({
      message: 'Internal error. Report request ID r-1 to the operator.',
      path: ['person', 'credit'],
      extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'r-1' },
    });
    expect(counted).toEqual(['INTERNAL_SERVER_ERROR']);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 50,
      requestId: 'r-1',
      error: { type: 'TypeError', at: expect.arrayContaining([expect.stringContaining('error-formatter.test')]) },
    });
    expect(lines[0]).not.toContain(SECRET);
  });

  it('is masked even if the request is not known', () => {
    const { lines, reports } = linesOf();
    const error = new GraphQLError(`Context creation failed: ${SECRET}`, { originalError: new Error(SECRET) });
    const shown = reports.format({ message: error.message, extensions: { code: 'INTERNAL_SERVER_ERROR' } }, error);
    expect(shown).toEqual({ message: 'Internal error.', extensions: { code: 'INTERNAL_SERVER_ERROR' } });
    expect(lines.join('')).not.toContain(SECRET);
    expect(lines).toHaveLength(1);
  });

  it('leaves no line of its message in the log', () => {
    const { type, at: frames } = safeStack(new RangeError(`first\n    at ${SECRET}\n    at last`));
    expect(type).toBe('RangeError');
    expect(frames[0]).toContain('error-formatter.test');
    expect(frames.join()).not.toContain(SECRET);
  });

  it('can be any value that was thrown', () => {
    expect(safeStack(SECRET)).toEqual({ type: 'string', at: [] });
    expect(safeStack(undefined)).toEqual({ type: 'undefined', at: [] });
  });
});

describe('errors about the document', () => {
  it.each([
    ['{ persn { licences } }', 'Cannot query field "persn" on type "Query". Did you mean "person"?'],
    [
      '{ person(nas: "1") { licences } }',
      'Unknown argument "nas" on field "Query.person". Did you mean "nss" or "name"?',
    ],
    ['query ($x: NSSS) { person(nss: $x) { licences } }', 'Unknown type "NSSS". Did you mean "NSS"?'],
    ['{ person { ...x } }', 'Unknown fragment "x".'],
    ['{ failing @labl }', 'Unknown directive "@labl".'],
    ['{ person(nss: $x) { licences } }', 'Variable "$x" is not defined.'],
    ['query ($x: Int) { person { licences } }', 'Variable "$x" is never used.'],
    [
      'query ($x: Int) { person(nss: $x) { licences } }',
      'Variable "$x" of type "Int" used in position expecting type "NSS".',
    ],
  ])('keep the names in the document: %s', (source, message) => {
    expect(ask(source).messages).toContain(message);
  });

  it('shorten a name of more than 64 characters', () => {
    expect(ask(`{ ${'x'.repeat(500)} }`).messages).toEqual([
      `Cannot query field "${'x'.repeat(64)}…" on type "Query".`,
    ]);
  });

  it('keep the limits in the messages of graphql-js', () => {
    const error = thrownBy(() => parse('{ a b c d }', { maxTokens: 3 }));
    expect(redactClientValues(error).message).toMatch(/3 tokens\. Parsing aborted\.$/);
  });

  it('do not quote the name of an operation that does not exist', () => {
    const document = parse('query a { failing } query b { failing }');
    const result = execute({ schema, document, operationName: SECRET });
    const [error] = 'then' in result ? [] : (result.errors ?? []);
    expect(error?.message).toContain(SECRET);
    if (error) expect(redactClientValues(error).message).not.toContain(SECRET);
  });
});

describe('errors of resolvers and of the server', () => {
  it('are returned unchanged', async () => {
    const refusal = new GraphQLError('No bearer.', { extensions: { code: 'UNAUTHENTICATED' } });
    const rootValue = { failing: () => Promise.reject(refusal) };
    const { errors = [] } = await execute({ schema, document: parse('{ failing }'), rootValue });
    expect(errors).toHaveLength(1);
    for (const error of [...errors, new GraphQLError('POST body missing.')]) {
      expect(redactClientValues(error)).toBe(error);
    }
  });
});

describe('an error that quotes the value of a variable', () => {
  it('gets a general message, and loses the stack trace, which begins with the message', () => {
    const [error] = errorsOf('query ($nss: NSS) { person(nss: $nss) { licences } }', { nss: { [SECRET]: 1 } });
    const wrapped = new GraphQLError(error?.message ?? '', {
      nodes: error?.nodes ?? [],
      originalError: error?.originalError ?? null,
      extensions: { code: 'BAD_USER_INPUT', stacktrace: [SECRET] },
    });
    expect(wrapped.message).toContain(SECRET);
    expect(redactClientValues(wrapped).toJSON()).toEqual({
      message: 'The request does not fit the schema.',
      locations: [{ line: 1, column: 8 }],
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });
});

function thrownBy(act: () => unknown): GraphQLError {
  try {
    act();
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const strangers = (count: number) => Array.from({ length: count }, () => ({ __typename: 'Stranger' }));

const entities = 'query ($of: [_Any!]!) {\n  _entities(representations: $of) {\n    __typename\n  }\n}';

describe('the errors of an operation', () => {
  const padron = padronForTests();

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
