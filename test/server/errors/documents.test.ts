import { execute, GraphQLError, parse } from 'graphql';
import { redactClientValues } from '../../../src/server/errors/error-formatter';
import { ask, errorsOf, SECRET, schema } from './client-errors';

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
