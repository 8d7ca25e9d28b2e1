import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { somebody } from '../../support/operations/people-fields';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { withPadron } from '../../support/padrons/with-padron';

async function read(url: string, sent: Readonly<Record<string, string>> = {}) {
  const { statusCode, headers, body } = await request(url, { headers: sent });
  return { status: statusCode, type: headers['content-type'], text: await body.text() };
}

const reference = readFileSync(join(__dirname, '../../../docs/errors.md'), 'utf8');
const codesOf = (text: string): readonly string[] =>
  [...text.matchAll(/^### `([A-Z_]+)`/gm)].map(([, code = '']) => code);

describe('the URL of an error', () => {
  const padron = padronForTests();
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

describe('an error of padron behind a router', () => {
  it('has a URL only if the operator publishes the documents, because a relative one would lead to the router', async () => {
    const environment = { SUBGRAPH_SECRET: 'the-secret-of-the-router' };
    const secret = { 'x-subgraph-secret': environment.SUBGRAPH_SECRET };
    await withPadron({ environment }, async ({ ask }) => {
      const { errors } = await ask('{ nothing }', {}, secret);
      expect(errors?.[0].extensions).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED' });
    });
    await withPadron({ environment: { ...environment, DOCS_URL: 'https://docs.example' } }, async ({ ask }) => {
      const { errors } = await ask('{ nothing }', {}, secret);
      expect(errors?.[0].extensions.url).toBe('https://docs.example/errors.md#graphql_validation_failed');
    });
  });
});

describe('the error reference that padron serves', () => {
  const padron = padronForTests({ environment: { INTROSPECTION: 'off' } });

  it('is complete, even without introspection', async () => {
    const { status, text } = await read(new URL('/graphql/errors.md', padron.url).href);
    expect(status).toBe(200);
    expect(text.startsWith('# Errors\n')).toBe(true);
  });

  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const entry = (code: string, language = 'en-US') =>
    read(new URL(`/graphql/errors/${code}`, padron.url).href, { accept: browser, 'accept-language': language });

  it('is a page for browsers, with links between the codes', async () => {
    const { status, type, text } = await entry('BATCH_STATE');
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<h1><code>BATCH_STATE</code></h1>');
    expect(text).toContain('<p><strong>To do:</strong>');
    expect((await entry('BAD_REQUEST')).text).toContain('<tr><td>408</td><td>took too long to arrive</td></tr>');
    expect((await entry('FORBIDDEN')).text).toMatch(/<ul>\n<li><code>SUBGRAPH_SECRET<\/code> is set/);
    expect(text).not.toMatch(/lang="es"/);
  });

  it('begins with a sentence in Spanish for readers who prefer Spanish', async () => {
    const { text } = await entry('WRONG_CHECK_DIGIT', 'es-MX,es;q=0.9');
    expect(text).toContain('<html lang="es">');
    expect(text).toContain('<p>El dígito verificador no corresponde al resto del identificador.</p>');
    expect(text).toContain('<section lang="en">');
  });

  it('has no Markdown left in any page, and only links to other codes', async () => {
    const codes = codesOf(reference);
    expect(codes.length).toBeGreaterThan(50);
    for (const code of codes) {
      const { status, text } = await entry(code);
      const body = text.slice(text.indexOf('<body>')).replace(/<code>[^<]*<\/code>/g, '');
      expect([code, status, body.match(/\*\*|`|\]\(|^\s*[-|#] /gm)]).toEqual([code, 200, null]);
      const links = [...body.matchAll(/href="([^"]+)"/g)].map(([, linked = '']) => linked);
      expect(links.filter((linked) => !codes.includes(linked))).toEqual([]);
    }
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
