import { request } from 'undici';
import { somebody } from '../../support/operations/people-fields';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { withPadron } from '../../support/padrons/with-padron';

async function read(url: string) {
  const { statusCode, headers, body } = await request(url);
  return { status: statusCode, type: headers['content-type'], text: await body.text() };
}

describe('the URL of an error', () => {
  let padron: RunningPadron;
  beforeAll(async () => {
    padron = await runPadron();
  });
  afterAll(() => padron.stop());
  afterEach(() => expect(padron.calls()).toEqual([]));

  const errors: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
    ['GRAPHQL_PARSE_FAILED', '{', {}],
    ['GRAPHQL_VALIDATION_FAILED', '{ nothing }', {}],
    ['BAD_USER_INPUT', '{ __typename }', { 'x-max-units': 'many' }],
    ['UNAUTHENTICATED', `{ person(nss: "${somebody.nss}") { credit { outcome } } }`, { authorization: '' }],
    ['UNIT_BUDGET_EXCEEDED', `{ person(nss: "${somebody.nss}") { credit { outcome } } }`, { 'x-max-units': '0' }],
    ['NOT_ACCEPTABLE', '{ __typename }', { accept: 'text/csv' }],
  ];
  it.each(errors)('leads from %s to its entry, served as text', async (code, query, headers) => {
    const { errors: found } = await padron.ask(query, {}, headers);
    expect(found?.[0].extensions).toMatchObject({ code, url: `/graphql/errors/${code}` });
    const { status, type, text } = await read(new URL(found?.[0].extensions.url, padron.url).href);
    expect([status, type]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text.startsWith(`### \`${code}\`\n`)).toBe(true);
    expect(text).toMatch(/\*\*To do:\*\*/);
    expect(text.match(/^#/gm)).toHaveLength(1);
  });

  it('begins with the URL at which the operator publishes the documents', async () => {
    const environment = { DOCS_URL: 'https://docs.example/padron/' };
    await withPadron({ environment }, async ({ ask }) => {
      const { errors: found } = await ask('{ nothing }');
      expect(found?.[0].extensions.url).toBe('https://docs.example/padron/errors.md#graphql_validation_failed');
    });
  });
});

describe('the error reference that padron serves', () => {
  let padron: RunningPadron;
  beforeAll(async () => {
    padron = await runPadron({ environment: { INTROSPECTION: 'off' } });
  });
  afterAll(() => padron.stop());

  it('is complete, even without introspection', async () => {
    const { status, text } = await read(new URL('/graphql/errors.md', padron.url).href);
    expect(status).toBe(200);
    expect(text.startsWith('# Errors\n')).toBe(true);
  });

  it('has the codes of problems, and no other paths', async () => {
    const { status, text } = await read(new URL('/graphql/errors/wrong_password', padron.url).href);
    expect([status, text.split('\n')[0]]).toEqual([200, '### `WRONG_PASSWORD`']);
    for (const name of ['toString', 'NO_SUCH_CODE', '..%2f..%2fpackage.json']) {
      const missing = await read(new URL(`/graphql/errors/${name}`, padron.url).href);
      expect([missing.status, JSON.parse(missing.text).errors[0].extensions.code]).toEqual([404, 'NOT_FOUND']);
    }
  });
});
