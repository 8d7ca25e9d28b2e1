import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { startSandbox } from '../../../src/extensions/sandbox/service';
import { LiveDataSource } from '../../../src/money/calls/live-data-source';
import { UnitMeter } from '../../../src/money/calls/units/unit-meter';
import { UnauthenticatedError } from '../../../src/registry/answer/answer';
import { accountId } from '../../../src/registry/caller';
import { RegistryClient } from '../../../src/registry/client/client';
import { endpoint } from '../../../src/registry/endpoint/endpoint';
import { ownPrices } from '../../../src/registry/endpoint/price-list';
import { SignedLinkClient } from '../../../src/registry/signed-links';
import { findOrThrow } from '../../support/find-or-throw';
import { memoryCalls, noOrigin } from '../../support/memory-calls';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { freePort } from '../../support/processes/free-port';
import { noProxies } from '../../support/proxies/no-proxies';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';
import { startForTests } from '../../support/start-for-tests';
import { startServer } from '../../support/start-server';
import { search } from '../search-endpoint';

const { nss, curp } = findOrThrow(people, ({ credit, account }) => !!credit && !!account);
const query = `{ person(nss: "${nss}") { credit {
  outcome evidence { servedFrom status billing units } problems { code retryable retryAfter } } } }`;
const paidOnce = { outcome: 'FOUND', evidence: { status: 200, billing: 'CHARGED', units: 1 }, problems: [] };

/** undici reports each failed connection to a port on this channel. */
function onRefused(port: number, report: (times: number) => void): () => void {
  let times = 0;
  const listener = (message: unknown): void => {
    const { connectParams } = message as { readonly connectParams: { readonly port: string } };
    if (connectParams.port !== String(port)) return;
    times += 1;
    report(times);
  };
  subscribe('undici:client:connectError', listener);
  return () => unsubscribe('undici:client:connectError', listener);
}

describe('a service that refuses connections', () => {
  let padron: RunningPadron;
  let port: number;
  let stopCounting: () => void = () => undefined;
  beforeEach(async () => {
    port = await freePort();
    padron = await runPadron({ registryUrl: () => `http://127.0.0.1:${port}` });
  });
  afterEach(async () => {
    stopCounting();
    await padron.stop();
  });

  it('is retried twice, at no cost', async () => {
    let refused = 0;
    stopCounting = onRefused(port, (times) => {
      refused = times;
    });
    const { data } = await padron.ask(query);
    expect(data.person.credit).toEqual({
      outcome: 'UNAVAILABLE',
      evidence: { servedFrom: 'NOT_SENT', status: null, billing: 'NOT_CHARGED', units: 0 },
      problems: [{ code: 'REGISTRY_UNREACHABLE', retryable: true, retryAfter: null }],
    });
    expect(refused).toBe(3);
  });

  it('is reached if it is back at the next retry', async () => {
    const sandbox = await startSandbox();
    let back: Promise<TamperingProxy> | null = null;
    stopCounting = onRefused(port, () => {
      back ??= startProxy(sandbox.url, port);
    });
    try {
      const { data } = await padron.ask(query);
      expect(data.person.credit).toMatchObject(paidOnce);
      expect(sandbox.calls).toHaveLength(1);
    } finally {
      await (await (back as Promise<TamperingProxy> | null))?.close();
      await sandbox.close();
    }
  });
});

const padron = proxiedPadronForTests();

describe('a rate limit', () => {
  const limited = (headers: Readonly<Record<string, string | string[]>>) => ({
    status: 429,
    headers,
    json: { success: false, status: 429, message: 'Demasiadas peticiones.' },
  });

  it('of one second is waited for, and the answer is paid once', async () => {
    const before = padron.spent();
    padron.proxy.standIn(({ arrivals }) => (arrivals === 1 ? limited({ 'retry-after': '1' }) : null));
    expect((await padron.ask(query)).data.person.credit).toMatchObject(paidOnce);
    expect([padron.proxy.requests.length, padron.spent() - before]).toEqual([2, 1]);
  });

  it('that is waited for leaves the whole REGISTRY_TIMEOUT_MS for the answer', async () => {
    const hurried = await runPadronBehindProxy({ REGISTRY_TIMEOUT_MS: '4000' });
    const slow = ({ status }: { readonly status: number }) => sleep(status === 200 ? 2_500 : 0).then(() => null);
    hurried.proxy.tamper(slow);
    hurried.proxy.standIn(({ arrivals }) => (arrivals === 1 ? limited({ 'retry-after': '2' }) : null));
    const { data } = await hurried.ask(query);
    await hurried.stop();
    expect(data.person.credit).toMatchObject(paidOnce);
    expect(hurried.proxy.requests).toHaveLength(2);
  });

  it.each<[string, Readonly<Record<string, string | string[]>>, unknown, number]>([
    ['persists, after three attempts', { 'retry-after': '0' }, 0, 3],
    ['asks for a day', { 'retry-after': '86400' }, 86_400, 1],
    ['asks for longer than a call may wait', { 'retry-after': '31' }, 31, 1],
    ['asks for nothing', {}, null, 1],
    ['asks for something unreadable', { 'retry-after': 'soon' }, null, 1],
    ['asks for two times at once', { 'retry-after': ['0', '0'] }, null, 1],
    ['asks for a fraction', { 'retry-after': '1.5' }, null, 1],
    ['asks for less than nothing', { 'retry-after': '-5' }, null, 1],
    ['names the end of time', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, 999_999_999, 1],
    ['names an hour', { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }, expect.any(Number), 1],
  ])('is reported without another attempt if it %s', async (_name, headers, retryAfter, attempts) => {
    padron.proxy.standIn(() => limited(headers));
    const { data, errors } = await padron.ask(query);
    expect(errors).toBeUndefined();
    expect(data.person.credit).toMatchObject({
      outcome: 'UNAVAILABLE',
      evidence: { status: 429, billing: 'NOT_CHARGED', units: 0 },
      problems: [{ code: 'RATE_LIMITED', retryable: true, retryAfter }],
    });
    expect(padron.proxy.requests).toHaveLength(attempts);
  });
});

describe('a request to the service', () => {
  const sentHeaders = () => padron.proxy.requests.map(({ headers }) => headers);

  it("has the caller's bearer token, and no Accept-Encoding", async () => {
    await padron.ask(query, {}, { authorization: `bearer   ${OTHER_TOKEN}` });
    await padron.ask(query, {}, { 'accept-encoding': 'gzip, br' });
    const expected = { 'accept-encoding': 'identity', accept: 'application/json' };
    expect(sentHeaders()).toMatchObject(
      [OTHER_TOKEN, SANDBOX_TOKEN].map((token) => ({ authorization: `Bearer ${token}`, ...expected })),
    );
  });

  it('has sandbox mode only if the caller asked for it', async () => {
    for (const asked of ['true', '1', 'false', '']) await padron.ask(query, {}, { 'x-sandbox': asked });
    expect(sentHeaders().map((headers) => headers['x-sandbox'])).toEqual(['true', 'true', undefined, undefined]);
  });

  it('has no other header of the caller', async () => {
    const headers = { cookie: 'a=b', 'x-forwarded-for': '10.1.2.3', 'user-agent': 'somebody', traceparent: 'x' };
    await padron.ask(query, {}, headers);
    const allowed = ['accept', 'accept-encoding', 'authorization', 'connection', 'content-length', 'host'];
    expect(Object.keys(sentHeaders()[0] ?? {}).sort()).toEqual(allowed);
  });

  it('uses connections that stay open', async () => {
    await padron.ask(query);
    const before = padron.proxy.connections();
    for (let time = 0; time < 5; time += 1) await padron.ask(query);
    expect([padron.proxy.connections(), padron.proxy.requests.length]).toEqual([before, 6]);
  });

  it('is not sent in sandbox mode to a population registry outside /api, where sandbox mode is not documented', async () => {
    const elsewhere = await runPadronBehindProxy({ IDENTITY_PATH: '/private/identidad' });
    const identity = `{ person(curp: "${curp}") { identity { outcome problems { code } } } }`;
    const { data } = await elsewhere.ask(identity, {}, { 'x-sandbox': 'true' }).finally(() => elsewhere.stop());
    expect(data.person.identity).toEqual({ outcome: 'NOT_RUN', problems: [{ code: 'SANDBOX_UNSUPPORTED' }] });
    expect(elsewhere.proxy.requests).toEqual([]);
  });
});

const requests: IncomingMessage[] = [];
/** Status of the answers of `server`. */
let status: number;
const server = startForTests(
  () =>
    startServer((request, response) => {
      requests.push(request);
      response.statusCode = status;
      response.end(JSON.stringify({ success: status === 200, message: 'x', status, data: [] }));
    }),
  ({ close }) => close(),
);
const client = startForTests(
  async () => {
    const settings = { timeoutMs: 5_000, concurrency: 8, proxies: noProxies, paths: {}, now: () => new Date() };
    return { registry: new RegistryClient({ ...settings, url: server.url }) };
  },
  ({ registry }) => registry.close(),
);
beforeEach(() => {
  requests.length = 0;
  status = 200;
});

const account = accountId('token');
const mode = { sandbox: false, usesServerToken: false, permissions: null };
const caller = { bearer: 'token', account, tenant: 'account', ...mode };
const scope = { caller, request: {}, signal: new AbortController().signal, prices: ownPrices };
const askers = () => new LiveDataSource(memoryCalls(client.registry), scope, new UnitMeter(null), noOrigin);

describe('the query string of a question', () => {
  it.each([
    ['accents', 'JOSÉ ÑÁÑEZ Ü'],
    ['blanks', '  DE LA  O '],
    ['signs that mean something in a query', 'a+b&c=d#e?f/g%20;h'],
    ['signs that mean nothing in a query', "O'HARA-*._~!()"],
    ['more than one language', '李 🙂 \u0000\r\n'],
    ['nothing', ''],
  ])('arrives unchanged: %s', async (_, value) => {
    const input = { names: value, number: 7, whole: true, ñ: 'x' };
    await client.registry.fetch(search, input, scope);
    const { pathname, searchParams } = new URL(requests[0]?.url ?? '', server.url);
    expect(pathname).toBe('/api/search');
    expect(Object.fromEntries(searchParams)).toEqual({ names: value, number: '7', whole: 'true', ñ: 'x' });
  });
});

it('a signed link is fetched without Accept-Encoding', async () => {
  const links = new SignedLinkClient({
    origins: [server.url],
    timeoutMs: 5_000,
    maxBytes: 1_000,
    concurrency: 1,
    proxies: noProxies,
  });
  await links.reader(scope).read(`${server.url}/file?signature=1`);
  await links.close();
  expect(requests).toMatchObject([{ url: '/file?signature=1', headers: { 'accept-encoding': 'identity' } }]);
});

describe('a question that one request asks twice', () => {
  it('is sent once even if it fails, now and later', async () => {
    status = 500;
    const dataSource = askers();
    const failed = await dataSource.fetch(search, { a: 1 });
    status = 200;
    expect(await dataSource.fetch(search, { a: 1 })).toBe(failed);
    expect([failed.outcome, requests.length]).toEqual(['UNAVAILABLE', 1]);
  });

  it('is sent once even if the token is rejected', async () => {
    status = 401;
    const dataSource = askers();
    await expect(dataSource.fetch(search, { a: 1 })).rejects.toThrow(UnauthenticatedError);
    status = 200;
    await expect(dataSource.fetch(search, { a: 1 })).rejects.toThrow(UnauthenticatedError);
    expect(requests).toHaveLength(1);
  });

  it('is uncertain if an internal error ends its call, and is not reported as one with a refused token', async () => {
    const dataSource = askers();
    const broken = endpoint({
      ...search,
      matches: () => {
        throw new Error('This error is injected.');
      },
    });
    await expect(dataSource.fetch(broken, { a: 1 })).rejects.toThrow('injected');
    const { units } = dataSource;
    expect([units.calls, units.spent, units.uncertain]).toEqual([[], 0, 1]);
    expect(requests).toHaveLength(1);
  });

  it('is sent as soon as its resolver returns, and does not wait for other work of the process', async () => {
    const dataSource = askers();
    let turns = 0;
    process.nextTick(() => {
      turns += 1;
    });
    const answer = dataSource.fetch(search, { a: 1 });
    for (let microtask = 0; microtask < 5; microtask += 1) await null;
    expect([client.registry.state().running, turns]).toEqual([1, 0]);
    await answer;
  });

  it('is sent again for another request', async () => {
    status = 500;
    for (const dataSource of [askers(), askers()]) await dataSource.fetch(search, { a: 1 });
    expect(requests).toHaveLength(2);
  });
});

it('a question that is never shared is not made into a cache key, which would keep its secrets', async () => {
  const cacheKey = (): never => {
    throw new Error('a key was made');
  };
  const secret = endpoint({ ...search, cacheKey });
  expect((await askers().fetchUncached(secret, { a: 1 })).outcome).toBe('NOT_FOUND');
  expect(requests).toHaveLength(1);
});

it('the id of an account stays the same whatever other accounts do, and belongs to no other account', () => {
  const before = accountId('token');
  const otherAccounts = Array.from({ length: 3_000 }, (_, index) => accountId(`token ${index}`));
  expect(accountId('token')).toBe(before);
  expect(new Set([before, accountId(null), ...otherAccounts]).size).toBe(3_002);
  expect(before).toMatch(/^[\w-]{22}$/);
});
