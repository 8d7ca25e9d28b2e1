import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { employers } from '../../../src/sandbox/data/employers';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { proxiedPadronForEachTest } from '../../support/padrons/padron-for-tests';
import type { Tamper } from '../../support/proxies/tampering-proxy';
import { scrapeMetrics } from '../../support/requests/scrape-metrics';
import { card } from '../../support/sandbox/cards';

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
