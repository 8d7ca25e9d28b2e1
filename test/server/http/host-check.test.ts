import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { CREDIT } from '../../support/operations/people-endpoints';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { LONG_SECRET } from '../../support/padrons/settings';
import { withPadron } from '../../support/padrons/with-padron';
import { expectRefusal, send, sendRaw } from '../../support/requests/http';

const { nss } = findOrThrow(people, ({ credit }) => Boolean(credit));
const body = JSON.stringify({ query: `{ person(nss: "${nss}") { credit { outcome } } }` });
const APP = 'https://app.example';

const ask = (url: string, headers: Readonly<Record<string, string>>) =>
  send(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

const padron = padronForTests({ environment: { REGISTRY_TOKEN: SANDBOX_TOKEN, CORS_ORIGINS: APP } });

describe('a server whose REGISTRY_TOKEN is only protected by the loopback address', () => {
  it.each([
    'localhost',
    'localhost:4000',
    'LOCALHOST:4000',
    'padron.localhost',
    'a.b.localhost:80',
    '127.0.0.1',
    '127.0.0.1:4000',
    '127.1.2.3:1',
    '[::1]',
    '[::1]:4000',
  ])('accepts host names of this machine: %s', async (host) => {
    const { status, text } = await ask(padron.url, { host });
    expect([status, JSON.parse(text).data]).toEqual([200, { person: { credit: { outcome: 'FOUND' } } }]);
    expect(padron.calls()).toEqual([CREDIT]);
  });

  it.each([
    'evil.example',
    'evil.example:4000',
    'localhost.evil.example',
    'evil-localhost',
    'localhost:4000.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1:4000@evil.example',
    '128.0.0.1',
    '0.0.0.0:4000',
    '192.168.1.7:4000',
    '[::2]:4000',
    '.localhost',
  ])('rejects other host names: %s', async (host) => {
    const answer = await ask(padron.url, { host });
    expectRefusal(answer, 403, 'FORBIDDEN');
    expect(answer.text).toContain('localhost');
    expect(padron.calls()).toEqual([]);
  });

  it.each(['http://localhost:3000', 'http://127.0.0.1', 'https://padron.localhost', 'http://[::1]:8080', APP])(
    'accepts pages of this machine and of CORS_ORIGINS: %s',
    async (origin) => {
      expect((await ask(padron.url, { origin })).status).toBe(200);
      expect(padron.calls()).toEqual([CREDIT]);
    },
  );

  it.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'file://', 'http://localhost, http://a'])(
    'rejects other pages: %s',
    async (origin) => {
      expectRefusal(await ask(padron.url, { origin }), 403, 'FORBIDDEN');
      expect(padron.calls()).toEqual([]);
    },
  );

  it.each(['/health/live', '/metrics', '/graphql/explorer/settings.json', '/graphql', '/nothing'])(
    'rejects other host names on every path: GET %s',
    async (path) => {
      const headers = { host: 'evil.example', accept: 'text/html' };
      expectRefusal(await send(new URL(path, padron.url).href, { headers }), 403, 'FORBIDDEN');
    },
  );

  it('rejects a request without a host, which HTTP/1.0 allows', async () => {
    const head = ['POST /graphql HTTP/1.0', 'content-type: application/json', `content-length: ${body.length}`];
    expect(await sendRaw(padron.url, `${head.join('\r\n')}\r\n\r\n${body}`)).toMatch(/^HTTP\/1\.[01] 403 /);
    expect(padron.calls()).toEqual([]);
  });
});

describe('a server that authenticates its callers', () => {
  it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ['a token of their own', {}, { authorization: `Bearer ${SANDBOX_TOKEN}` }],
    [
      'the secret of the router',
      { REGISTRY_TOKEN: SANDBOX_TOKEN, SUBGRAPH_SECRET: LONG_SECRET },
      { 'x-subgraph-secret': LONG_SECRET },
    ],
  ])('accepts any host name: %s', async (_, environment, headers) => {
    await withPadron({ environment }, async ({ url }) => {
      expect((await ask(url, { ...headers, host: 'graph.example' })).status).toBe(200);
    });
  });
});
