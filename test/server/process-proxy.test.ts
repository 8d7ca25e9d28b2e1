import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../support/find-or-throw';
import { type IdentityProvider, rsaKey, signedByKey, startIdentityProvider } from '../support/keys/identity-provider';
import { mintTlsAuthority } from '../support/keys/tls-authority';
import { payer, receiptsIn } from '../support/operations/employer-graph';
import { post } from '../support/padrons/padron';
import { type EventReceiver, startEventReceiver } from '../support/padrons/webhooks';
import { builtCommand } from '../support/processes/padron-command';
import { type PadronProcess, startProcess } from '../support/processes/process';
import { type ConnectProxy, PROXY_PASSWORD, startConnectProxy } from '../support/proxies/connect-proxy';
import { startProxy, type Tamper, type TamperingProxy } from '../support/proxies/tampering-proxy';
import { startTlsFront } from '../support/proxies/tls-front';
import { sandboxForTests } from '../support/sandbox/sandbox-for-tests';

const { nss } = findOrThrow(people, ({ credit }) => credit !== null);
const lookup = 'outcome problems { code } evidence { billing servedFrom }';
const credit = `{ person(nss: "${nss}") { credit { ${lookup} } } }`;
const file = `{ employer(registration: "${payer.registration}") {
  receiptFiles(period: "2025-02", folio: "${receiptsIn(payer, '2025-02')[0]?.folio}") { outcome pdf { content contentProblem { code } } } } }`;
/** The service behind its load balancer writes its links with https. */
const secureLinks: Tamper = ({ bytes }) => ({
  bytes: Buffer.from(
    bytes.toString('latin1').replaceAll('http://registry.example', 'https://registry.example'),
    'latin1',
  ),
});

describe('padron in a network that only a proxy leaves', () => {
  const sandbox = sandboxForTests();
  const key = rsaKey('first');
  const running: PadronProcess[] = [];
  const closers: (() => Promise<unknown>)[] = [];
  let folder: string;
  let service: TamperingProxy;
  let provider: IdentityProvider;
  let receiver: EventReceiver;
  let proxy: ConnectProxy;
  let secureProxyUrl: string;
  let trust: Readonly<Record<string, string>>;
  let settings: Readonly<Record<string, string>>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'padron-proxy-'));
    const authority = await mintTlsAuthority();
    const certificateFile = join(folder, 'authority.pem');
    writeFileSync(certificateFile, authority.pem);
    const certificate = await authority.issue('registry.example', 'id.example', 'events.example', 'localhost');
    service = await startProxy(sandbox.url);
    provider = await startIdentityProvider(key);
    receiver = await startEventReceiver();
    const fronts = await Promise.all([service, provider, receiver].map(({ url }) => startTlsFront(certificate, url)));
    const [registry = '', id = '', events = ''] = fronts.map(({ url }) => url);
    proxy = await startConnectProxy({
      'registry.example:443': registry,
      'id.example:443': id,
      'events.example:443': events,
    });
    const secureProxy = await startTlsFront(certificate, `http://${proxy.host}`);
    closers.push(...[...fronts, secureProxy, service, provider, receiver, proxy].map(({ close }) => close));
    secureProxyUrl = proxy.url.replace('http:', 'https:').replace(proxy.host, new URL(secureProxy.url).host);
    secureProxyUrl = secureProxyUrl.replace('127.0.0.1', 'localhost');
    trust = { NODE_EXTRA_CA_CERTS: certificateFile };
    settings = {
      PORT: '0',
      LOG_LEVEL: 'trace',
      REPLAY_SECONDS: '0',
      REGISTRY_URL: 'https://registry.example',
      HTTPS_PROXY: proxy.url,
    };
  });
  afterAll(async () => {
    await Promise.all(closers.map((close) => close()));
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    proxy.reset();
    service.reset();
    service.tamper(secureLinks);
    sandbox.clearCalls();
  });
  afterEach(() => {
    for (const { child } of running.splice(0)) child.kill('SIGKILL');
  });

  const start = (changes: Readonly<Record<string, string>> = {}): PadronProcess => {
    const padron = startProcess({ ...settings, ...trust, ...changes });
    running.push(padron);
    return padron;
  };
  const targets = () => [...new Set(proxy.log.map(({ line, status }) => `${line} ${status}`))].sort();
  const opened = (...names: readonly string[]) => names.map((name) => `CONNECT ${name}.example:443 HTTP/1.1 200`);
  const jwt = (): Readonly<Record<string, string>> => ({
    REGISTRY_TOKEN: SANDBOX_TOKEN,
    JWT_JWKS_URL: 'https://id.example/tenant/keys',
    JWT_ISSUER: 'https://id.example',
    JWT_AUDIENCE: 'padron',
  });
  const claims = { iss: 'https://id.example', aud: 'padron', scope: 'use_buscar_credito padron_download_receipt' };
  const authorization = { authorization: `Bearer ${signedByKey(key, claims)}` };
  const webhook = (data: string): Readonly<Record<string, string>> => ({
    ...receiver.environment,
    WEBHOOK_URL: 'https://events.example/hook',
    DATA_DIR: join(folder, data),
  });
  const hasSecret = (text: string): boolean =>
    [PROXY_PASSWORD, encodeURIComponent(PROXY_PASSWORD), Buffer.from(`user:${PROXY_PASSWORD}`).toString('base64')].some(
      (secret) => text.includes(secret),
    );
  const failTenTimes = async (url: string, headers = {}): Promise<void> => {
    for (let time = 0; time < 10; time += 1) await post(url, { query: credit }, headers);
  };

  it('reaches the service, signed links, keys of JWTs and the receiver of events through it', async () => {
    const padron = start({ ...jwt(), ...webhook('all') });
    const url = await padron.address();
    const { data } = await post(url, { query: credit }, authorization);
    expect(data.person.credit).toMatchObject({ outcome: 'FOUND', evidence: { billing: 'CHARGED' } });
    const files = await post(url, { query: file }, authorization);
    expect(files.data.employer.receiptFiles).toMatchObject({ outcome: 'FOUND', pdf: { contentProblem: null } });
    expect(Buffer.from(files.data.employer.receiptFiles.pdf.content, 'base64').subarray(0, 4).toString()).toBe('%PDF');
    expect(sandbox.calls.map(({ units }) => units).filter((units) => units > 0).length).toBe(2);
    expect(provider.fetches()).toBe(1);
    proxy.answer('503 Service Unavailable', 'registry.example:443');
    proxy.cut();
    await failTenTimes(url, authorization);
    const [event] = await receiver.untilEvents(1, 'registry.paused');
    expect(event?.type).toBe('registry.paused');
    const refused = 'CONNECT registry.example:443 HTTP/1.1 503';
    expect(targets()).toEqual([...opened('events', 'id', 'registry'), refused]);
    const notices = padron
      .standardOutput()
      .split('\n')
      .filter((line) => line.includes('Proxies by system'));
    expect(notices.map((line) => JSON.parse(line).msg)).toEqual([
      `Proxies by system: service and signed links: ${proxy.host}, JWT keys: ${proxy.host}, webhooks: ${proxy.host}.`,
    ]);
    expect(hasSecret(padron.output())).toBe(false);
    expect(await padron.stop()).toBe(0);
  });

  it('reaches the service through a proxy that is itself reached by TLS', async () => {
    const padron = start({ HTTPS_PROXY: secureProxyUrl });
    const { data } = await post(await padron.address(), { query: credit });
    expect(data.person.credit).toMatchObject({ outcome: 'FOUND', evidence: { billing: 'CHARGED' } });
    expect(targets()).toEqual(opened('registry'));
  });

  it('charges nothing with a wrong password, and no log has it', async () => {
    const padron = start({ ...webhook('wrong'), HTTPS_PROXY: `http://user:hush-hush@${proxy.host}` });
    const url = await padron.address();
    const { data } = await post(url, { query: credit });
    expect(data.person.credit).toMatchObject({
      outcome: 'UNAVAILABLE',
      problems: [{ code: 'REGISTRY_UNREACHABLE' }],
      evidence: { billing: 'NOT_CHARGED' },
    });
    await failTenTimes(url);
    const refusal = `the proxy ${proxy.host} answered 407 to CONNECT`;
    await padron.says(`"reason":"${refusal}"`);
    const lines = padron
      .standardOutput()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ msg }) => msg === 'registry call')[0]).toMatchObject({ result: 'failed', detail: refusal });
    expect(lines.filter(({ msg }) => msg.startsWith('WEBHOOK_URL did not'))[0]).toMatchObject({ reason: refusal });
    expect(new Set(proxy.log.map(({ status }) => status))).toEqual(new Set([407]));
    expect([sandbox.calls, service.requests]).toEqual([[], []]);
    expect(padron.output()).not.toMatch(/hush|dXNlcjpodXNo/);
  });

  it('logs that the proxy, not the identity provider, refuses the keys of JWTs', async () => {
    proxy.answer('502 Bad Gateway');
    const padron = start(jwt());
    const before = provider.fetches();
    const { errors } = await post(await padron.address(), { query: credit }, authorization);
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
    const reason = `the proxy ${proxy.host} answered 502 to CONNECT`;
    const said = await padron.says('JWT_JWKS_URL cannot be fetched');
    expect(said).toContain(`"reason":"${reason}"`);
    expect(provider.fetches()).toBe(before);
  });

  it('is free if the proxy answers the tunnel with a page instead of the service', async () => {
    proxy.answer('200 OK\r\ncontent-type: text/html\r\ncontent-length: 20\r\n\r\n<html>Log in</html>\n');
    const { data } = await post(await start().address(), { query: credit });
    expect(data.person.credit).toMatchObject({
      problems: [{ code: 'REGISTRY_UNREACHABLE' }],
      evidence: { billing: 'NOT_CHARGED' },
    });
    expect(service.requests).toEqual([]);
  });

  it('may be charged if the tunnel breaks after the request was written', async () => {
    service.tamper(() => {
      proxy.cut();
      return (response) => void response.destroy();
    });
    const { data } = await post(await start().address(), { query: credit });
    expect(data.person.credit).toMatchObject({ outcome: 'UNAVAILABLE', evidence: { billing: 'UNKNOWN' } });
    expect(sandbox.calls).toHaveLength(1);
  });

  it('trusts an own certificate authority by NODE_EXTRA_CA_CERTS, and without it calls nothing', async () => {
    const { data } = await post(await start({ NODE_EXTRA_CA_CERTS: '' }).address(), { query: credit });
    expect(data.person.credit).toMatchObject({
      problems: [{ code: 'REGISTRY_UNREACHABLE' }],
      evidence: { billing: 'NOT_CHARGED' },
    });
    expect(targets()).toEqual(opened('registry'));
    expect(service.requests).toEqual([]);
  });

  it('starts the embedded sandbox and uses it if every variable names a proxy that does not run', async () => {
    const dead = 'http://127.0.0.1:1';
    const padron = startProcess({
      PORT: '0',
      HTTP_PROXY: dead,
      HTTPS_PROXY: dead,
      http_proxy: dead,
      https_proxy: dead,
    });
    running.push(padron);
    const url = await padron.address();
    expect((await post(url, { query: credit })).data.person.credit.outcome).toBe('FOUND');
    const { data } = await post(url, { query: file });
    expect(data.employer.receiptFiles.pdf).toMatchObject({ content: expect.any(String), contentProblem: null });
    expect(padron.output()).toContain('Proxies by system: service and signed links: none.');
  });

  it('is checked by `padron check`, which names the proxy and says when it refuses', async () => {
    const environment = { ...settings, ...trust, ...jwt() };
    const checked = await builtCommand(['check', '--json'], environment);
    const { checks } = JSON.parse(checked.output);
    expect(checks[0].message).toBe(
      `The settings are valid. Proxies by system: service and signed links: ${proxy.host}, JWT keys: ${proxy.host}.`,
    );
    expect(checks.map(({ status }: { status: string }) => status)).not.toContain('failed');
    expect(targets()).toEqual(opened('id', 'registry'));
    proxy.answer('407 No');
    const refused = await builtCommand(['check', '--json'], environment);
    expect(refused.code).toBe(1);
    expect(refused.output).toContain(`(the proxy ${proxy.host} answered 407 to CONNECT)`);
    expect(hasSecret(checked.output + refused.output + refused.text)).toBe(false);
  });

  it('sends the event of `padron trigger` through it', async () => {
    const before = receiver.received.length;
    const environment = { ...settings, ...trust, ...webhook('trigger') };
    expect(await builtCommand(['trigger', 'batch.done'], environment)).toMatchObject({ code: 0 });
    expect([receiver.received.length - before, targets()]).toEqual([1, opened('events')]);
    proxy.answer('502 Bad Gateway');
    const refused = await builtCommand(['trigger', 'batch.done'], environment);
    expect(refused.text).toContain(`the proxy ${proxy.host} answered 502 to CONNECT`);
    expect(receiver.received.length - before).toBe(1);
  });
});
