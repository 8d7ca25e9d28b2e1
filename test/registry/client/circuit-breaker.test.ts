import { setTimeout as sleep } from 'node:timers/promises';
import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { employers } from '../../../src/extensions/sandbox/data/employers';
import { people } from '../../../src/extensions/sandbox/data/people';
import { startSandbox } from '../../../src/extensions/sandbox/service';
import { findCredit } from '../../../src/graph/domains/housing/endpoints';
import { accountId } from '../../../src/registry/caller';
import { RegistryClient, type RequestScope } from '../../../src/registry/client/client';
import { type Permit, RegistryCircuit } from '../../../src/registry/client/registry-circuit';
import { ownPrices } from '../../../src/registry/endpoint/price-list';
import type { HttpResult } from '../../../src/registry/transport/transport';
import { findOrThrow } from '../../support/find-or-throw';
import { proxiedPadronForEachTest } from '../../support/padrons/padron-for-tests';
import { noProxies } from '../../support/proxies/no-proxies';
import { startProxy, type Tamper } from '../../support/proxies/tampering-proxy';
import { scrapeMetrics } from '../../support/requests/scrape-metrics';
import { card } from '../../support/sandbox/cards';

const { nss, licences } = findOrThrow(people, ({ credit, licences: own }) => !!credit && own.length > 0);
const { registration } = findOrThrow(employers, () => true);
const lookup = 'outcome evidence { servedFrom billing } problems { code message retryable retryAfter }';
const credit = `{ person(nss: "${nss}") { answer: credit { ${lookup} } } }`;
const subjectOf = (value: string) =>
  `{ employer(registration: "${value}") { answer: obligatedSubject { ${lookup} } } }`;
const broken: Tamper = () => ({ status: 500 });
const paused = { code: 'REGISTRY_PAUSED', retryable: true };

describe('a registry that keeps failing', () => {
  const padron = proxiedPadronForEachTest({ REGISTRY_TIMEOUT_MS: '2000' });

  /** Returns the last of some equal answers. */
  async function ask(times: number, query = credit, token = SANDBOX_TOKEN, headers = {}) {
    const answers = [];
    for (let time = 0; time < times; time += 1) {
      const { data } = await padron.ask(query, {}, { authorization: `Bearer ${token}`, ...headers });
      answers.push((data.person ?? data.employer).answer);
    }
    return answers.at(-1);
  }

  it('is not called after ten failures in a row, while other registries are', async () => {
    padron.proxy.tamper(broken);
    expect((await ask(10)).outcome).toBe('UNAVAILABLE');
    expect(padron.proxy.requests).toHaveLength(10);
    padron.proxy.tamper(null);
    const refusal = await ask(2);
    expect(refusal).toMatchObject({
      outcome: 'NOT_RUN',
      evidence: { servedFrom: 'NOT_SENT', billing: 'NOT_CHARGED' },
      problems: [paused],
    });
    expect(refusal.problems[0].retryAfter).toBeGreaterThan(1);
    expect(refusal.problems[0].retryAfter).toBeLessThanOrEqual(10);
    expect(padron.proxy.requests).toHaveLength(10);
    const { data } = await padron.ask(`{ professionalLicence(number: "${licences[0]?.number}") { outcome } }`);
    expect(data.professionalLicence.outcome).toBe('FOUND');
  });

  it.each([404, 400, 403, 429])('counts from zero after a %i, because the registry answered', async (status) => {
    padron.proxy.tamper(broken);
    await ask(9);
    padron.proxy.tamper(({ json }) => ({ status, json: { ...(json as object), success: false, status, data: [] } }));
    await ask(1);
    padron.proxy.tamper(broken);
    await ask(9);
    padron.proxy.tamper(null);
    expect((await ask(1)).outcome).toBe('FOUND');
  });

  it.each<[string, Tamper]>([
    ['a page of HTML with 200', () => ({ bytes: Buffer.from('<html>Mantenimiento</html>') })],
    ['a page of HTML with 403', () => ({ status: 403, bytes: Buffer.from('<html>Forbidden</html>') })],
    ['a 404 without the documented body', () => ({ status: 404, json: [] })],
    ['a redirect', () => ({ status: 301, headers: { location: '/x' } })],
    ['an empty 204', () => ({ status: 204, bytes: Buffer.alloc(0) })],
    ['JSON that is cut in the middle', ({ bytes }) => ({ bytes: bytes.subarray(0, bytes.length / 2) })],
    ['a record without a documented column', () => ({ json: { success: true, status: 200, data: { aviso: 1 } } })],
    ['a coding that was not asked for', () => ({ headers: { 'content-encoding': 'br' } })],
    ['headers above the limit', () => ({ headers: { 'x-trace': 'x'.repeat(90_000) } })],
  ])('is not called after ten unusable answers: %s', async (_name, tamper) => {
    padron.proxy.tamper(tamper);
    expect((await ask(10)).problems).toMatchObject([{ code: 'UNUSABLE_ANSWER' }]);
    expect((await ask(5)).problems).toMatchObject([paused]);
    expect(padron.proxy.requests).toHaveLength(10);
    expect((await ask(1, credit, OTHER_TOKEN)).problems).toMatchObject([{ code: 'UNUSABLE_ANSWER' }]);
    expect((await ask(1, credit, OTHER_TOKEN)).problems).toMatchObject([paused]);
  });

  it('does not affect sandbox mode, and sandbox mode does not affect it', async () => {
    padron.proxy.tamper(({ headers }, request) => ({ ...headers, status: request.headers['x-sandbox'] ? 500 : 200 }));
    expect((await ask(11, credit, SANDBOX_TOKEN, { 'x-sandbox': 'true' })).outcome).toBe('NOT_RUN');
    expect((await ask(1)).outcome).toBe('FOUND');
  });

  it.each(['IMSS_TRANSPORT_ERROR', 'IMSS_UPSTREAM_ERROR', 'IMSS_HTTP_ERROR', 'IMSS_FILETYPE_ERROR'] as const)(
    'with the portal (%s) is paused for that account only, and reports for how long',
    async (code) => {
      expect((await ask(10, subjectOf(card(code, 'registration')))).problems).toMatchObject([{ code }]);
      const message = expect.stringContaining('for this account');
      expect(await ask(1, subjectOf(registration))).toMatchObject({
        outcome: 'NOT_RUN',
        problems: [{ ...paused, message, retryAfter: expect.any(Number) }],
      });
      expect(padron.proxy.requests).toHaveLength(10);
      expect((await ask(1, subjectOf(registration), OTHER_TOKEN)).outcome).toBe('FOUND');
      expect(padron.proxy.requests).toHaveLength(11);
      const { of } = await scrapeMetrics(padron);
      expect(of('padron_registry_paused', { registry: 'socialSecurity', scope: 'account' })).toBe(1);
      expect(of('padron_registry_paused', { scope: 'all' })).toBe(0);
      expect(of('padron_registry_problems_total', { code: 'REGISTRY_PAUSED' })).toBe(1);
    },
  );

  it.each(['IMSS_SESSION_REQUIRED', 'IMSS_SESSION_EXPIRED'] as const)(
    'because of a missing session (%s) keeps reporting what to do',
    async (code) => {
      const failing = subjectOf(card(code, 'registration'));
      expect((await ask(12, failing)).problems).toMatchObject([{ code, retryable: false }]);
      expect((await ask(1, subjectOf(registration))).outcome).toBe('FOUND');
    },
  );

  it.each<[string, Tamper]>([
    ['break the service (500)', broken],
    ['break a worker behind its gateway (502)', () => ({ status: 502, bytes: Buffer.from('<html>') })],
    ['break the connection', () => (response) => response.destroy()],
  ])('is not paused for other accounts by calls that %s, until another account has them too', async (_, fail) => {
    padron.proxy.tamper((answer, request) =>
      request.headers.authorization === `Bearer ${SANDBOX_TOKEN}` ? fail(answer, request) : null,
    );
    expect((await ask(11)).problems).toMatchObject([paused]);
    expect((await ask(3, credit, OTHER_TOKEN)).outcome).toBe('FOUND');
    expect(padron.proxy.requests).toHaveLength(13);
    padron.proxy.tamper(fail);
    expect((await ask(10, credit, OTHER_TOKEN)).outcome).toBe('UNAVAILABLE');
    expect((await ask(1, credit, OTHER_TOKEN)).problems).toMatchObject([paused]);
    expect(padron.proxy.requests).toHaveLength(23);
  });

  it('is paused for all accounts if it fails for two accounts in a row', async () => {
    padron.proxy.tamper(() => ({ status: 503 }));
    await ask(10);
    expect((await ask(1, credit, OTHER_TOKEN)).outcome).toBe('UNAVAILABLE');
    padron.proxy.tamper(null);
    const message = expect.not.stringContaining('account');
    expect((await ask(1, credit, OTHER_TOKEN)).problems).toEqual([
      { ...paused, message, retryAfter: expect.any(Number) },
    ]);
    expect(padron.proxy.requests).toHaveLength(11);
    const { of } = await scrapeMetrics(padron);
    expect(of('padron_registry_paused', { registry: 'housing', scope: 'all' })).toBe(1);
  });

  it('is paused for all accounts if the service is not reached, which does not depend on the account', async () => {
    await padron.proxy.close();
    expect((await ask(10)).problems).toMatchObject([{ code: 'REGISTRY_UNREACHABLE' }]);
    expect((await ask(1, credit, OTHER_TOKEN)).problems).toMatchObject([paused]);
  });
});

describe('the pause of a registry', () => {
  const account = accountId(SANDBOX_TOKEN);
  const caller = { bearer: SANDBOX_TOKEN, account, sandbox: false, usesServerToken: false };
  const scope = {
    caller,
    request: {},
    signal: new AbortController().signal,
    prices: ownPrices,
  } as unknown as RequestScope;
  const settings = { timeoutMs: 10_000, concurrency: 8, proxies: noProxies, paths: {}, now: () => new Date() };

  it('encodes no request, so that no unsent body contains the key and the password', async () => {
    const client = new RegistryClient({ ...settings, url: 'http://127.0.0.1:1' });
    let written = 0;
    const input = {
      get nss() {
        written += 1;
        return nss;
      },
    };
    const ask = async () => (await client.fetch(findCredit, { nss }, scope, input)).problems.map(({ code }) => code);
    try {
      await Promise.all(Array.from({ length: 10 }, ask));
      expect(written).toBe(10);
      expect([await ask(), written]).toEqual([['REGISTRY_PAUSED'], 10]);
      expect(client.state()).toEqual({ running: 0, waiting: 0, paused: [{ registry: 'housing', accounts: null }] });
    } finally {
      await client.close();
    }
  });

  it('ends, and the registry is called again', async () => {
    const sandbox = await startSandbox();
    const proxy = await startProxy(sandbox.url);
    const client = new RegistryClient({ ...settings, url: proxy.url, resetTimeoutMs: 100 });
    const ask = async () => (await client.fetch(findCredit, { nss }, scope)).outcome;
    try {
      proxy.tamper(broken);
      for (let time = 0; time < 10; time += 1) expect(await ask()).toBe('UNAVAILABLE');
      await sleep(150);
      // One call tries it, fails, and the next pause begins.
      expect(await ask()).toBe('UNAVAILABLE');
      proxy.tamper(null);
      await sleep(150);
      expect([await ask(), await ask()]).toEqual(['FOUND', 'FOUND']);
      expect(proxy.requests).toHaveLength(13);
    } finally {
      await client.close();
      await proxy.close();
      await sandbox.close();
    }
  });
});

const delivered = (status: number, body: unknown = {}): HttpResult => ({
  kind: 'delivered',
  status,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
});
const answered = delivered(200);
const brokenOff: HttpResult = { kind: 'failed', reason: 'UNREACHABLE', sent: true, detail: 'x' };
const refused: HttpResult = { ...brokenOff, sent: false };
const usual: Permit = { shared: 'call', account: 'call' };
const pauseMs = 20;

describe('a registry that may have recovered', () => {
  const lets = (circuit: RegistryCircuit, account: string) => !('scope' in circuit.tryAcquire(account));
  let now = 0;
  beforeEach(() => jest.spyOn(performance, 'now').mockImplementation(() => now));
  afterEach(() => jest.restoreAllMocks());

  /** Returns the permit of an account after the pause. */
  function acquireAfterPause(circuit: RegistryCircuit, account: string): Permit {
    now += pauseMs;
    const admission = circuit.tryAcquire(account);
    if ('scope' in admission) throw new Error('The registry is still paused.');
    return admission;
  }

  it('is tried with one call, while other calls immediately get that it is paused', () => {
    const circuit = new RegistryCircuit(pauseMs);
    for (let call = 0; call < 10; call += 1) circuit.record('a', usual, refused);
    expect([circuit.isOpen, lets(circuit, 'a'), lets(circuit, 'b')]).toEqual([true, false, false]);
    expect(circuit.pausedMs('b')).toBeGreaterThanOrEqual(0);
    // One that left before the pause.
    circuit.record('b', usual, answered);
    expect(circuit.isOpen).toBe(true);
    const back = () => {
      const permit = acquireAfterPause(circuit, 'b');
      expect(permit).toEqual({ shared: 'probe', account: expect.any(String) });
      expect([lets(circuit, 'b'), lets(circuit, 'c')]).toEqual([false, false]);
      expect(circuit.pausedMs('c')).toBeGreaterThanOrEqual(pauseMs);
      return permit;
    };
    circuit.record('b', back(), refused);
    expect([circuit.isOpen, lets(circuit, 'c')]).toEqual([true, false]);
    // A trial without an answer proves nothing, so the next call is a trial.
    circuit.record('b', back(), null);
    expect(circuit.isOpen).toBe(true);
    circuit.record('b', back(), { kind: 'failed', reason: 'TIMEOUT', sent: false, detail: 'x' });
    expect(circuit.isOpen).toBe(true);
    circuit.record('b', back(), answered);
    expect([circuit.isOpen, circuit.tryAcquire('b'), circuit.pausedMs('c')]).toEqual([false, usual, null]);
  });

  it('is reported when it is paused for all accounts, by each failed trial, and with each answer afterwards', () => {
    const reports: (string | null)[] = [];
    const circuit = new RegistryCircuit(pauseMs, (reason) => reports.push(reason));
    // One account may have caused its failures itself.
    for (let call = 0; call < 10; call += 1) circuit.record('a', usual, brokenOff);
    expect(reports).toEqual([]);
    for (let call = 0; call < 10; call += 1) circuit.record('b', usual, call < 9 ? refused : delivered(502));
    circuit.record('c', usual, answered);
    expect(reports).toEqual(['REGISTRY_UNREACHABLE']);
    const unsent: HttpResult = { kind: 'failed', reason: 'TIMEOUT', sent: false, detail: 'x' };
    for (const result of [unsent, delivered(502), answered]) {
      acquireAfterPause(circuit, 'c');
      circuit.record('c', { shared: 'probe', account: 'call' }, result);
    }
    expect(reports).toEqual(['REGISTRY_UNREACHABLE', 'REGISTRY_ERROR', null]);
  });

  it('is tried immediately by a second account if the first account may have caused the failed trial', () => {
    const circuit = new RegistryCircuit(pauseMs);
    for (let call = 0; call < 10; call += 1) circuit.record(call % 2 === 0 ? 'a' : 'b', usual, brokenOff);
    expect(circuit.isOpen).toBe(true);
    circuit.record('a', acquireAfterPause(circuit, 'a'), brokenOff);
    expect(lets(circuit, 'a')).toBe(false);
    const second = circuit.tryAcquire('c');
    expect(second).toEqual({ shared: 'probe', account: 'call' });
    circuit.record('c', second as Permit, answered);
    expect([circuit.isOpen, lets(circuit, 'd')]).toEqual([false, true]);
  });

  it('keeps at most a thousand accounts, and none whose calls succeed', () => {
    const circuit = new RegistryCircuit(1_000);
    const portal = delivered(502, { ok: false, error: { code: 'IMSS_HTTP_ERROR', message: 'x' } });
    for (let account = 0; account < 3_000; account += 1) circuit.record(`${account}`, usual, portal);
    expect(circuit.size).toBe(1_000);
    for (let account = 0; account < 3_000; account += 1) circuit.record(`${account}`, usual, answered);
    expect([circuit.size, circuit.pausedAccounts, circuit.isOpen]).toEqual([0, 0, false]);
  });
});
