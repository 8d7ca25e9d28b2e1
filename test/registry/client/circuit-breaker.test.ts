import { setTimeout as sleep } from 'node:timers/promises';
import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { employers } from '../../../src/extensions/sandbox/data/employers';
import { people } from '../../../src/extensions/sandbox/data/people';
import { startSandbox } from '../../../src/extensions/sandbox/service';
import { findCredit } from '../../../src/graph/domains/housing/endpoints';
import { accountId } from '../../../src/registry/caller';
import { RegistryClient, type RequestScope } from '../../../src/registry/client/client';
import { findOrThrow } from '../../support/find-or-throw';
import type { GraphqlAnswer } from '../../support/padrons/padron';
import { proxiedPadronForEachTest } from '../../support/padrons/padron-for-tests';
import { startProxy, type Tamper } from '../../support/proxies/tampering-proxy';
import { scrapeMetrics } from '../../support/requests/scrape-metrics';
import { card } from '../../support/sandbox/cards';

describe('the circuit breaker', () => {
  const { nss, licences } = findOrThrow(people, ({ credit, licences: own }) => !!credit && own.length > 0);
  const query = `{ person(nss: "${nss}") { credit { outcome evidence { servedFrom billing } problems { code retryable retryAfter } } } }`;
  const broken: Tamper = () => ({ status: 500 });

  describe('a registry that keeps failing', () => {
    const padron = proxiedPadronForEachTest();

    async function askTimes(times: number, headers: Readonly<Record<string, string>> = {}): Promise<GraphqlAnswer> {
      let answer = await padron.ask(query, {}, headers);
      for (let time = 1; time < times; time += 1) answer = await padron.ask(query, {}, headers);
      return answer;
    }

    it('is not called after ten failures in a row, while other registries are', async () => {
      padron.proxy.tamper(broken);
      expect((await askTimes(10)).data.person.credit.outcome).toBe('UNAVAILABLE');
      expect(padron.proxy.requests).toHaveLength(10);
      padron.proxy.tamper(null);
      expect((await askTimes(2)).data.person.credit).toEqual({
        outcome: 'NOT_RUN',
        evidence: { servedFrom: 'NOT_SENT', billing: 'NOT_CHARGED' },
        problems: [{ code: 'REGISTRY_PAUSED', retryable: true, retryAfter: 10 }],
      });
      expect(padron.proxy.requests).toHaveLength(10);
      const { data } = await padron.ask(`{ professionalLicence(number: "${licences[0]?.number}") { outcome } }`);
      expect(data.professionalLicence.outcome).toBe('FOUND');
    });

    it.each([404, 400, 403, 429])('counts from zero after a %i, because the registry answered', async (status) => {
      padron.proxy.tamper(broken);
      await askTimes(9);
      padron.proxy.tamper(({ json }) => ({ status, json: { ...(json as object), success: false, status, data: [] } }));
      await askTimes(1);
      padron.proxy.tamper(broken);
      await askTimes(9);
      padron.proxy.tamper(null);
      expect((await askTimes(1)).data.person.credit.outcome).toBe('FOUND');
    });

    it('does not affect sandbox mode, and sandbox mode does not affect it', async () => {
      padron.proxy.tamper(({ headers }, request) => ({ ...headers, status: request.headers['x-sandbox'] ? 500 : 200 }));
      const sandbox = { 'x-sandbox': 'true' };
      expect((await askTimes(11, sandbox)).data.person.credit.outcome).toBe('NOT_RUN');
      expect((await askTimes(1)).data.person.credit.outcome).toBe('FOUND');
    });
  });

  describe('the pause of a registry', () => {
    const caller = {
      bearer: SANDBOX_TOKEN,
      account: accountId(SANDBOX_TOKEN),
      sandbox: false,
      usesServerToken: false,
    };
    const scope = { caller, request: {}, signal: new AbortController().signal } as unknown as RequestScope;

    it('encodes no request, so that no unsent body contains the key and the password', async () => {
      const client = new RegistryClient({
        url: 'http://127.0.0.1:1',
        timeoutMs: 10_000,
        concurrency: 8,
        paths: {},
        now: () => new Date(),
      });
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
        expect(await ask()).toEqual(['REGISTRY_PAUSED']);
        expect(written).toBe(10);
        expect(client.state()).toEqual({ running: 0, waiting: 0, paused: [{ registry: 'housing', accounts: null }] });
      } finally {
        await client.close();
      }
    });

    it('ends, and the registry is called again', async () => {
      const sandbox = await startSandbox();
      const proxy = await startProxy(sandbox.url);
      const client = new RegistryClient({
        url: proxy.url,
        timeoutMs: 10_000,
        concurrency: 8,
        paths: {},
        resetTimeoutMs: 100,
        now: () => new Date(),
      });
      const ask = async () => (await client.fetch(findCredit, { nss }, scope)).outcome;
      try {
        proxy.tamper(broken);
        for (let time = 0; time < 10; time += 1) expect(await ask()).toBe('UNAVAILABLE');
        await sleep(150);
        // One call tries it, fails, and the next pause begins.
        expect(await ask()).toBe('UNAVAILABLE');
        proxy.tamper(null);
        await sleep(150);
        expect(await ask()).toBe('FOUND');
        expect(await ask()).toBe('FOUND');
        expect(proxy.requests).toHaveLength(13);
      } finally {
        await client.close();
        await proxy.close();
        await sandbox.close();
      }
    });
  });
});

describe('failures of an account', () => {
  const { nss } = findOrThrow(people, ({ credit }) => !!credit);
  const { registration } = findOrThrow(employers, () => true);
  const problems = 'outcome problems { code message retryable retryAfter }';
  const credit = `{ person(nss: "${nss}") { answer: credit { ${problems} } } }`;
  const subjectOf = (value: string) =>
    `{ employer(registration: "${value}") { answer: obligatedSubject { ${problems} } } }`;

  describe('the failures of one account', () => {
    const padron = proxiedPadronForEachTest({ REGISTRY_TIMEOUT_MS: '2000' });

    async function ask(query: string, token: string, times = 1) {
      const answers = [];
      for (let time = 0; time < times; time += 1) {
        const { data } = await padron.ask(query, {}, { authorization: `Bearer ${token}` });
        answers.push((data.person ?? data.employer).answer);
      }
      return answers.at(-1);
    }

    it.each(['IMSS_TRANSPORT_ERROR', 'IMSS_UPSTREAM_ERROR', 'IMSS_HTTP_ERROR', 'IMSS_FILETYPE_ERROR'] as const)(
      'with the portal (%s) pause only that account, and report for how long',
      async (code) => {
        const failing = subjectOf(card(code, 'registration'));
        expect((await ask(failing, SANDBOX_TOKEN, 10)).problems).toMatchObject([{ code }]);
        expect(padron.proxy.requests).toHaveLength(10);
        expect(await ask(subjectOf(registration), SANDBOX_TOKEN)).toEqual({
          outcome: 'NOT_RUN',
          problems: [
            {
              code: 'REGISTRY_PAUSED',
              message: expect.stringContaining('for this account'),
              retryable: true,
              retryAfter: expect.any(Number),
            },
          ],
        });
        expect(padron.proxy.requests).toHaveLength(10);
        expect((await ask(subjectOf(registration), OTHER_TOKEN)).outcome).toBe('FOUND');
        expect(padron.proxy.requests).toHaveLength(11);
        const { of } = await scrapeMetrics(padron);
        expect(of('padron_registry_paused', { registry: 'socialSecurity', scope: 'account' })).toBe(1);
        expect(of('padron_registry_paused', { scope: 'all' })).toBe(0);
        expect(of('padron_registry_problems_total', { code: 'REGISTRY_PAUSED' })).toBe(1);
      },
    );

    it.each(['IMSS_SESSION_REQUIRED', 'IMSS_SESSION_EXPIRED'] as const)(
      'because of a missing session (%s) keep reporting what to do',
      async (code) => {
        const failing = subjectOf(card(code, 'registration'));
        expect((await ask(failing, SANDBOX_TOKEN, 12)).problems).toMatchObject([{ code, retryable: false }]);
        expect((await ask(subjectOf(registration), SANDBOX_TOKEN)).outcome).toBe('FOUND');
      },
    );

    it.each<[string, Tamper]>([
      ['that break the service (500)', () => ({ status: 500 })],
      ['that break a worker behind its gateway (502)', () => ({ status: 502, bytes: Buffer.from('<html>') })],
      ['that break the connection', () => (response) => response.destroy()],
    ])('%s pause no other account until another account has them too', async (_, broken) => {
      const ofToken = (token: string): Tamper => {
        return (answer, request) =>
          request.headers.authorization === `Bearer ${token}` ? broken(answer, request) : null;
      };
      padron.proxy.tamper(ofToken(SANDBOX_TOKEN));
      expect((await ask(credit, SANDBOX_TOKEN, 11)).problems).toMatchObject([{ code: 'REGISTRY_PAUSED' }]);
      expect((await ask(credit, OTHER_TOKEN, 3)).outcome).toBe('FOUND');
      expect(padron.proxy.requests).toHaveLength(13);
      padron.proxy.tamper(broken);
      expect((await ask(credit, OTHER_TOKEN, 10)).outcome).toBe('UNAVAILABLE');
      expect((await ask(credit, OTHER_TOKEN)).problems).toMatchObject([{ code: 'REGISTRY_PAUSED' }]);
      expect(padron.proxy.requests).toHaveLength(23);
    });

    it('of two accounts in a row pause the registry for all accounts', async () => {
      padron.proxy.tamper(() => ({ status: 503 }));
      await ask(credit, SANDBOX_TOKEN, 10);
      expect((await ask(credit, OTHER_TOKEN)).outcome).toBe('UNAVAILABLE');
      padron.proxy.tamper(null);
      expect((await ask(credit, OTHER_TOKEN)).problems).toEqual([
        { code: 'REGISTRY_PAUSED', message: expect.not.stringContaining('account'), retryable: true, retryAfter: 10 },
      ]);
      expect(padron.proxy.requests).toHaveLength(11);
      const { of } = await scrapeMetrics(padron);
      expect(of('padron_registry_paused', { registry: 'housing', scope: 'all' })).toBe(1);
    });

    it('to reach the service pause it for all accounts: they do not depend on the account', async () => {
      await padron.proxy.close();
      expect((await ask(credit, SANDBOX_TOKEN, 10)).problems).toMatchObject([{ code: 'REGISTRY_UNREACHABLE' }]);
      expect((await ask(credit, OTHER_TOKEN)).problems).toMatchObject([{ code: 'REGISTRY_PAUSED' }]);
    });
  });
});
