import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { CREDIT } from '../../support/operations/people-endpoints';
import type { RunningPadron } from '../../support/padrons/padron';
import { padronForTests, padronStarter } from '../../support/padrons/padron-for-tests';
import { LONG_SECRET } from '../../support/padrons/settings';
import { withPadron } from '../../support/padrons/with-padron';
import { tableOf } from '../../support/pages';
import { asking, nss, outcomeIn } from '../../support/requests/credit-request';
import { expectRefusal, type HttpAnswer, type Sent, send, sendRaw } from '../../support/requests/http';

const APP = 'https://app.example';
const preflight = (
  origin: string,
  names: readonly string[] = ['authorization', 'content-type', 'x-max-units'],
): Sent => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': names.join() },
});
const namesIn = (header: unknown): readonly string[] => String(header).toLowerCase().split(/, ?/);
/** Names of the first column of a table of docs/configuration.md. */
const documentedHeaders = (heading: string): readonly string[] =>
  tableOf(heading).flatMap(([cell = '']) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name));
const refusalsIn = (padron: RunningPadron): readonly Readonly<Record<string, unknown>>[] =>
  padron.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('CORS_ORIGINS'));
const corsHeaders = ({ headers }: HttpAnswer): readonly string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

/** Sent by Apollo Client (`clientAwareness`), by its persisted queries and uploads, and by OpenTelemetry in a page. */
const clientHeaders = [
  ...'accept apollographql-client-name apollographql-client-version graphql-client-name graphql-client-version'.split(
    ' ',
  ),
  ...'x-apollo-operation-name traceparent tracestate baggage'.split(' '),
];

const start = padronStarter();

describe('browsers of other origins', () => {
  const closed = padronForTests();
  const open = padronForTests({ environment: { CORS_ORIGINS: `${APP}, https://desk.example` } });

  it('cannot read responses unless the operator allows the origin', async () => {
    const refused = await send(closed.url, preflight(APP));
    expectRefusal(refused, 403, 'FORBIDDEN');
    expect(corsHeaders(refused)).toEqual([]);
    expect(corsHeaders(await send(closed.url, asking({ origin: APP })))).toEqual([]);
  });

  it('may send requests if they are allowed: the preflight allows headers, and never cookies', async () => {
    for (const origin of [APP, 'https://desk.example']) {
      const { status, headers } = await send(open.url, preflight(origin));
      expect(status).toBe(204);
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST, DELETE',
        vary: expect.stringContaining('Origin'),
      });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      const answer = await send(open.url, asking({ origin }));
      expect(outcomeIn(answer)).toBe('FOUND');
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
    }
  });

  it('may send every documented request header, and those of Apollo Client and OpenTelemetry', async () => {
    const documented = documentedHeaders('header');
    expect(documented).toEqual(expect.arrayContaining(['x-operation-id', 'x-client-name', 'x-tag', 'x-dry-run']));
    const names = [...documented, ...clientHeaders];
    const { headers } = await send(open.url, preflight(APP, names));
    expect(namesIn(headers['access-control-allow-headers'])).toEqual(expect.arrayContaining(names));
  });

  it('may read every documented response header', async () => {
    const { headers } = await send(open.url, asking({ origin: APP }));
    const exposed = namesIn(headers['access-control-expose-headers']);
    expect(exposed).toEqual(expect.arrayContaining(['retry-after', 'x-units-spent', 'x-units-left', 'x-request-id']));
    // Browsers let a page read `cache-control` without a permission.
    const named = documentedHeaders('response header').filter((name) => name !== 'cache-control');
    expect(named).toContain('retry-after');
    expect(exposed).toEqual(expect.arrayContaining(named));
    // An agent in a page needs the headers of the protocol.
    expect(exposed).toEqual(expect.arrayContaining(['mcp-session-id', 'www-authenticate']));
  });

  it.each([
    'https://app.example.evil',
    'http://app.example',
    'https://app.example:8443',
    'https://evil.app.example',
    'null',
  ])('are not mistaken for an allowed origin: %s', async (origin) => {
    for (const answer of [await send(open.url, preflight(origin)), await send(open.url, asking({ origin }))])
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('can read why a request was rejected', async () => {
    const { url } = await start({ CORS_ORIGINS: APP, SUBGRAPH_SECRET: 'what-only-the-router-knows' });
    const refused = await send(url, asking({ origin: APP }));
    expectRefusal(refused, 403, 'FORBIDDEN');
    expect(refused.headers['access-control-allow-origin']).toBe(APP);
  });

  it('get the name of the setting in the rejected preflight, and the log has one line for each origin', async () => {
    const padron = await start({ CORS_ORIGINS: 'https://desk.example' });
    for (let time = 0; time < 3; time += 1) {
      const refused = await send(padron.url, preflight(APP));
      expectRefusal(refused, 403, 'FORBIDDEN');
      expect(refused.text).toContain('CORS_ORIGINS');
    }
    await send(padron.url, preflight('http://localhost:5173'));
    expect(refusalsIn(padron).map(({ origin }) => origin)).toEqual([APP, 'http://localhost:5173']);
  });

  it('are logged too if only pages of this machine may use the token', async () => {
    const padron = await start({ REGISTRY_TOKEN: SANDBOX_TOKEN });
    for (const origin of [APP, 'http://localhost:5173'])
      expectRefusal(await send(padron.url, preflight(origin)), 403, 'FORBIDDEN');
    expect(refusalsIn(padron).map(({ origin }) => origin)).toEqual([APP, 'http://localhost:5173']);
  });

  it('cannot fill the log, or write an identifier or text into it', async () => {
    const padron = await start();
    await send(padron.url, preflight(`https://${nss}.example`));
    await send(padron.url, preflight(`https://app.example/${nss}`));
    await send(padron.url, preflight('null'));
    expect(refusalsIn(padron).map(({ origin }) => origin)).toEqual([null]);
    for (let index = 0; index < 150; index += 1) await send(padron.url, preflight(`https://a-${index}.example`));
    expect(refusalsIn(padron).length).toBeLessThanOrEqual(100);
    expect(padron.log.join()).not.toContain(nss);
  });
});

describe('pages of this machine', () => {
  const embedded = padronForTests({ environment: { REGISTRY_URL: '' } });
  const origins = ['http://localhost:5173', 'http://127.0.0.1:8080', 'https://app.localhost', 'http://[::1]:3000'];

  it.each(origins)('may send requests to the embedded sandbox without a setting: %s', async (origin) => {
    const { status, headers } = await send(embedded.url, preflight(origin));
    expect([status, headers['access-control-allow-origin']]).toEqual([204, origin]);
    const answer = await send(embedded.url, asking({ origin }));
    expect([outcomeIn(answer), answer.headers['access-control-allow-origin']]).toEqual(['FOUND', origin]);
  });

  it.each(['https://evil.example', 'http://localhost.evil.example', 'null', 'file://'])(
    'are the only allowed pages: %s is rejected',
    async (origin) => {
      const refused = await send(embedded.url, preflight(origin));
      expectRefusal(refused, 403, 'FORBIDDEN');
      expect(corsHeaders(refused)).toEqual([]);
    },
  );

  it('may not spend real units unless they are allowed', async () => {
    const { url, calls } = await start();
    expectRefusal(await send(url, preflight('http://localhost:5173')), 403, 'FORBIDDEN');
    expect(calls()).toEqual([]);
  });
});

const { authorization: _, ...json } = { ...asking().headers };
/** Sends a paid question without a token of the caller. */
const ask = (url: string, headers: Readonly<Record<string, string>>): Promise<HttpAnswer> =>
  send(url, { ...asking(), headers: { ...json, ...headers } });

describe('a server whose REGISTRY_TOKEN is only protected by the loopback address', () => {
  const padron = padronForTests({ environment: { REGISTRY_TOKEN: SANDBOX_TOKEN, CORS_ORIGINS: APP } });

  it.each([
    ...'localhost localhost:4000 LOCALHOST:4000 padron.localhost a.b.localhost:80'.split(' '),
    ...'127.0.0.1 127.0.0.1:4000 127.1.2.3:1 [::1] [::1]:4000'.split(' '),
  ])('accepts host names of this machine: %s', async (host) => {
    const { status, text } = await ask(padron.url, { host });
    expect([status, JSON.parse(text).data]).toEqual([200, { person: { credit: { outcome: 'FOUND' } } }]);
    expect(padron.calls()).toEqual([CREDIT]);
  });

  it.each([
    ...'evil.example evil.example:4000 localhost.evil.example evil-localhost .localhost'.split(' '),
    ...'localhost:4000.evil.example 127.0.0.1.evil.example 127.0.0.1:4000@evil.example'.split(' '),
    ...'128.0.0.1 0.0.0.0:4000 192.168.1.7:4000 [::2]:4000'.split(' '),
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
    const { body = '' } = asking();
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
