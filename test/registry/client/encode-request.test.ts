import type { IncomingMessage } from 'node:http';
import { LiveDataSource } from '../../../src/money/calls/live-data-source';
import { UnitMeter } from '../../../src/money/units/unit-meter';
import { UnauthenticatedError } from '../../../src/registry/answer/answer';
import { accountId } from '../../../src/registry/caller';
import { RegistryClient } from '../../../src/registry/client/client';
import { endpoint } from '../../../src/registry/endpoint/endpoint';
import { SignedLinkClient } from '../../../src/registry/signed-links';
import { memoryCalls, noOrigin } from '../../support/memory-calls';
import { type RunningServer, startServer } from '../../support/start-server';
import { search } from '../search-endpoint';

let server: RunningServer;
let client: RegistryClient;
let origin: string;
const requests: IncomingMessage[] = [];
/** Status of the answers to come. */
let status: number;
beforeAll(async () => {
  server = await startServer((request, response) => {
    requests.push(request);
    response.statusCode = status;
    response.end(JSON.stringify({ success: status === 200, status, data: [] }));
  });
  origin = server.url;
  client = new RegistryClient({ url: origin, timeoutMs: 5_000, concurrency: 8, paths: {}, now: () => new Date() });
});
afterAll(async () => {
  await client.close();
  await server.close();
});
beforeEach(() => {
  requests.length = 0;
  status = 200;
});

const caller = {
  bearer: 'token',
  account: accountId('token'),
  sandbox: false,
  tenant: 'account',
  usesServerToken: false,
  permissions: null,
};
const scope = { caller, request: {}, signal: new AbortController().signal };
const askers = () => new LiveDataSource(memoryCalls(client), scope, new UnitMeter(null), noOrigin);

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
    await client.fetch(search, input, scope);
    const { pathname, searchParams } = new URL(requests[0]?.url ?? '', origin);
    expect(pathname).toBe('/api/search');
    expect(Object.fromEntries(searchParams)).toEqual({ names: value, number: '7', whole: 'true', ñ: 'x' });
  });
});

describe('a signed link', () => {
  it('is fetched without Accept-Encoding', async () => {
    const links = new SignedLinkClient({ origins: [origin], timeoutMs: 5_000, maxBytes: 1_000, concurrency: 1 });
    await links.reader(scope).read(`${origin}/file?signature=1`);
    await links.close();
    expect(requests.map(({ url, headers }) => [url, headers['accept-encoding']])).toEqual([
      ['/file?signature=1', 'identity'],
    ]);
  });
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

  it('is sent as soon as its resolver returns, and does not wait for other work of the process', async () => {
    const dataSource = askers();
    let turns = 0;
    process.nextTick(() => {
      turns += 1;
    });
    const answer = dataSource.fetch(search, { a: 1 });
    for (let microtask = 0; microtask < 5; microtask += 1) await null;
    expect([client.state().running, turns]).toEqual([1, 0]);
    await answer;
  });

  it('is sent again for another request', async () => {
    status = 500;
    for (const dataSource of [askers(), askers()]) await dataSource.fetch(search, { a: 1 });
    expect(requests).toHaveLength(2);
  });
});

describe('a question that is never shared', () => {
  it('is not made into a cache key, which would keep its secrets', async () => {
    const cacheKey = (): never => {
      throw new Error('a key was made');
    };
    const secret = endpoint({ ...search, cacheKey });
    expect((await askers().fetchUncached(secret, { a: 1 })).outcome).toBe('NOT_FOUND');
    expect(requests).toHaveLength(1);
  });
});

describe('the id of an account', () => {
  it('stays the same whatever other accounts do, and belongs to no other account', () => {
    const before = accountId('token');
    const otherAccounts = Array.from({ length: 3_000 }, (_, index) => accountId(`token ${index}`));
    expect(accountId('token')).toBe(before);
    expect(new Set([before, accountId(null), ...otherAccounts]).size).toBe(3_002);
    expect(before).toMatch(/^[\w-]{22}$/);
  });
});
