import { networkInterfaces } from 'node:os';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findCredit } from '../../../src/graph/domains/housing/endpoints';
import { accountId } from '../../../src/registry/caller';
import { RegistryClient } from '../../../src/registry/client/client';
import type { CallReport } from '../../../src/registry/client/request-sender';
import { ownPrices } from '../../../src/registry/endpoint/price-list';
import { SignedLinkClient } from '../../../src/registry/signed-links';
import { findProxy, type Proxies } from '../../../src/registry/transport/proxies';
import { findOrThrow } from '../../support/find-or-throw';
import { type ConnectProxy, credentials, startConnectProxy } from '../../support/proxies/connect-proxy';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';
import { sandboxForTests } from '../../support/sandbox/sandbox-for-tests';

const https = new URL('http://secure-proxy.example:3128');
const http = new URL('http://plain-proxy.example:3128');
const proxyOf = (target: string, noProxy = ''): string | null =>
  findProxy({ https, http, exceptions: noProxy.split(',').filter(Boolean) }, new URL(target))?.hostname ?? null;

describe('the proxy of a target', () => {
  it('is that of its protocol, and only that', () => {
    expect(proxyOf('https://registry.example')).toBe('secure-proxy.example');
    expect(proxyOf('http://registry.example')).toBe('plain-proxy.example');
    expect(findProxy({ https: null, http, exceptions: [] }, new URL('https://registry.example'))).toBeNull();
    expect(findProxy({ https, http: null, exceptions: [] }, new URL('http://registry.example'))).toBeNull();
  });

  const ownAddresses = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);

  it.each([
    ...['localhost', 'sandbox.localhost', 'LOCALHOST', 'localhost.', '127.0.0.1', '127.1.2.3', '2130706433', '0.0.0.0'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]'],
    ...ownAddresses
      .filter(({ address }) => !address.startsWith('fe80'))
      .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
  ])('is none if the target is this machine: %s', (host) => {
    for (const scheme of ['http', 'https']) expect(proxyOf(`${scheme}://${host}:4010`)).toBeNull();
  });

  it.each(['127.0.0.1.example', 'localhost.example', '128.0.0.1', '[::2]', '10.0.0.1'])(
    'is not left out for another machine: %s',
    (host) => expect(proxyOf(`https://${host}`)).toBe('secure-proxy.example'),
  );

  it.each([
    ['*', 'registry.example'],
    ['a.example,*', 'registry.example'],
    ['registry.example', 'registry.example'],
    ['REGISTRY.example', 'registry.example'],
    ['example', 'registry.example'],
    ['.example', 'registry.example'],
    ['*.example', 'registry.example'],
    ['.registry.example', 'registry.example'],
    ['registry.example:443', 'registry.example'],
    ['registry.example:8443', 'registry.example:8443'],
    ['10.0.0.7', '10.0.0.7'],
    ['10.0.0.7:8443', '10.0.0.7:8443'],
    ['fd00::7', '[fd00::7]'],
    ['[fd00::7]', '[fd00::7]'],
    ['[fd00::7]:8443', '[fd00::7]:8443'],
  ])('is none if NO_PROXY=%s covers it: %s', (noProxy, host) => expect(proxyOf(`https://${host}`, noProxy)).toBeNull());

  it.each([
    ['', 'registry.example'],
    ['registry.example', 'other-registry.example'],
    ['istry.example', 'registry.example'],
    ['registry.example.org', 'registry.example'],
    ['registry.example:8443', 'registry.example'],
    ['registry.example:443', 'registry.example:8443'],
    ['10.0.0.7', '110.0.0.7'],
    ['fd00::7', '[fd00::8]'],
    ['.', 'registry.example'],
    ['<local>', 'registry.example'],
  ])('is used if NO_PROXY=%s does not cover it: %s', (noProxy, host) =>
    expect(proxyOf(`https://${host}`, noProxy)).toBe('secure-proxy.example'),
  );
});

describe('a call through a proxy with a password', () => {
  const sandbox = sandboxForTests();
  const { nss } = findOrThrow(people, ({ credit }) => credit !== null);
  const account = accountId(SANDBOX_TOKEN);
  const mode = { sandbox: false, usesServerToken: false, permissions: null };
  const caller = { bearer: SANDBOX_TOKEN, account, tenant: account, ...mode };
  const scope = { caller, request: {}, signal: new AbortController().signal, prices: ownPrices };
  let service: TamperingProxy;
  let proxy: ConnectProxy;
  let reports: CallReport[];
  let clients: { close(): Promise<void> }[];

  beforeEach(async () => {
    [reports, clients] = [[], []];
    sandbox.clearCalls();
    service = await startProxy(sandbox.url);
    proxy = await startConnectProxy({ 'registry.example:80': service.url });
  });
  afterEach(async () => {
    await Promise.all([proxy.close(), service.close()]);
    await Promise.all(clients.map((client) => client.close()));
  });

  const through = (url: string, exceptions: readonly string[] = []): Proxies => ({
    https: null,
    http: new URL(url),
    exceptions,
  });
  const ask = async (proxies: Proxies, url = 'http://registry.example', timeoutMs = 10_000) => {
    const now = () => new Date();
    const onCall = (report: CallReport): void => void reports.push(report);
    const client = new RegistryClient({ url, timeoutMs, concurrency: 4, proxies, paths: {}, now, onCall });
    clients.push(client);
    const { outcome, problems, evidence } = await client.fetch(findCredit, { nss }, scope);
    return { outcome, codes: problems.map(({ code }) => code), billing: evidence.billing };
  };
  const free = { outcome: 'UNAVAILABLE', codes: ['REGISTRY_UNREACHABLE'], billing: 'NOT_CHARGED' };

  it('reaches the service, and the proxy sees the name of the service and nothing of the call', async () => {
    expect(await ask(through(proxy.url))).toEqual({ outcome: 'FOUND', codes: [], billing: 'CHARGED' });
    const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    expect(proxy.log).toEqual([{ line: 'CONNECT registry.example:80 HTTP/1.1', authorization, status: 200 }]);
    expect(service.requests).toHaveLength(1);
    expect(service.requests[0]?.headers).toMatchObject({ host: 'registry.example' });
    expect(service.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
    expect(sandbox.calls.map(({ units }) => units)).toEqual([1]);
  });

  it.each<[string, (proxy: ConnectProxy) => string, number]>([
    ['a wrong password', ({ host }) => `http://user:wrong@${host}`, 407],
    ['no password', ({ host }) => `http://user@${host}`, 407],
    ['no user', ({ host }) => `http://${host}`, 407],
  ])('is free with %s, and no log has the password', async (_, urlOf, status) => {
    expect(await ask(through(urlOf(proxy)))).toEqual(free);
    expect(new Set(proxy.log.map((seen) => seen.status))).toEqual(new Set([status]));
    expect(reports).toMatchObject([{ detail: `the proxy ${proxy.host} answered ${status} to CONNECT` }]);
    expect(JSON.stringify(reports)).not.toContain('wrong');
    expect([sandbox.calls, service.requests]).toEqual([[], []]);
  });

  const paid = '{"success":true,"status":200,"data":[{"numero_credito":"1"}]}';
  it.each([
    ['502', '502 Bad Gateway\r\ncontent-length: 0\r\n\r\n', /answered 502 to CONNECT$/],
    ['503 with a page', '503 Busy\r\ncontent-type: text/html\r\n\r\n<html>Busy</html>', /answered 503 to CONNECT$/],
    ['403 with JSON of the service', `403 No\r\ncontent-length: ${paid.length}\r\n\r\n${paid}`, /answered 403 to/],
    ['a redirect to a page', '302 Found\r\nlocation: http://login.example\r\n\r\n', /answered 302 to CONNECT$/],
    ['no HTTP', '\r\nSSH-2.0-proxy\r\n\r\n', /opened no tunnel \(\w+\)$/],
  ])('is free if the proxy answers %s', async (_, response, detail) => {
    proxy.answer(response);
    expect(await ask(through(proxy.url))).toEqual(free);
    expect(reports).toMatchObject([{ result: 'failed', status: null, detail: expect.stringMatching(detail) }]);
    expect([sandbox.calls, service.requests]).toEqual([[], []]);
  });

  it('is free if the proxy cannot be reached', async () => {
    await proxy.close();
    expect(await ask(through(proxy.url))).toEqual(free);
    expect(reports).toMatchObject([{ detail: `the proxy ${proxy.host} opened no tunnel (ECONNREFUSED)` }]);
  });

  it('is free if the proxy never answers, and ends by the deadline', async () => {
    proxy.answer('');
    expect(await ask(through(proxy.url), 'http://registry.example', 300)).toEqual({
      ...free,
      codes: ['REGISTRY_TIMEOUT'],
    });
    expect([sandbox.calls, service.requests]).toEqual([[], []]);
  });

  it('may be charged if the tunnel breaks after the request was written, and is not retried', async () => {
    service.tamper(() => {
      proxy.cut();
      return (response) => void response.destroy();
    });
    expect(await ask(through(proxy.url))).toMatchObject({ outcome: 'UNAVAILABLE', billing: 'UNKNOWN' });
    expect([sandbox.calls.length, service.requests.length, proxy.log.length]).toEqual([1, 1, 1]);
  });

  it('is direct if NO_PROXY covers the service, and if the service is on this machine', async () => {
    const direct = await ask(through(proxy.url, ['registry.example']));
    expect(direct).toMatchObject({ codes: ['REGISTRY_UNREACHABLE'] });
    expect(reports[0]?.detail).toMatch(/^E/);
    expect(await ask(through('http://proxy.invalid:1'), service.url)).toMatchObject({ outcome: 'FOUND' });
    expect(proxy.log).toEqual([]);
    expect(sandbox.calls).toHaveLength(1);
  });

  it('uses a tunnel for several calls', async () => {
    const options = { timeoutMs: 10_000, concurrency: 1, paths: {}, now: () => new Date() };
    const client = new RegistryClient({ ...options, url: 'http://registry.example', proxies: through(proxy.url) });
    clients.push(client);
    for (let time = 0; time < 10; time += 1) await client.fetch(findCredit, { nss }, scope);
    expect(sandbox.calls).toHaveLength(10);
    expect(proxy.log.length).toBeLessThanOrEqual(3);
  });

  it('does not loosen the rules of signed links', async () => {
    const options = { origins: ['http://registry.example'], timeoutMs: 5_000, maxBytes: 1_000, concurrency: 1 };
    const links = new SignedLinkClient({ ...options, proxies: through(proxy.url) });
    clients.push(links);
    const { read } = links.reader(scope);
    for (const link of ['http://169.254.169.254/latest', 'http://internal.example/x', `${service.url}/x`])
      expect(await read(link)).toMatchObject({ problem: { code: 'LINK_NOT_ALLOWED' } });
    expect([proxy.log, service.requests]).toEqual([[], []]);
    service.standIn(() => ({ status: 200, bytes: Buffer.from('%PDF-1.7 x %%EOF') }));
    expect(await read('http://registry.example/file?signature=1')).toEqual({ bytes: Buffer.from('%PDF-1.7 x %%EOF') });
    proxy.cut();
    proxy.answer('407 No\r\ncontent-length: 16\r\n\r\n%PDF-1.7 x %%EOF');
    expect(await read('http://registry.example/file?signature=1')).toMatchObject({
      problem: { code: 'LINK_UNREACHABLE' },
    });
    expect(service.requests.map(({ path }) => path)).toEqual(['/file']);
  });
});
