import { type DocumentNode, parse } from 'graphql';
import type { RetryOptions, RetryResult } from '../../../schema/client/follow-up';
import { employers } from '../../../src/extensions/sandbox/data/employers';
import { findOrThrow } from '../../support/find-or-throw';
import { debtor } from '../../support/operations/person-components';
import { proxiedPadronForEachTest } from '../../support/padrons/padron-for-tests';
import { type WatchedNetwork, watchNetwork } from '../clients';
import { type LookupsPage, pageClients } from '../lookups-page';

const { nss } = debtor;
const proof = 'outcome evidence { checkedAt } problems { code retryable retryAfter }';
const profile = parse(`query Profile($nss: NSS!, $match: NameMatch!) {
  person(nss: $nss) {
    nss
    credit { ...Proof record { hasCredit } }
    ...Account
    licences(match: $match) { ...Proof }
  }
}
fragment Account on Person { housingAccount { ...Proof record { totalBalance } } }
fragment Proof on RegistryLookup { ${proof} }`);
const variables = { nss, match: 'EXACT' };

const employerYear = parse(`query Year($registration: EmployerRegistration!) {
  employer(registration: $registration) {
    registration
    receiptsBetween(from: "2025-02", to: "2025-04") { ${proof} period }
  }
}`);

// Each test has its own answers.
const padron = proxiedPadronForEachTest({ REPLAY_SECONDS: '30' });

/** The service fails on one path. */
function fail(path: string, status = 503, headers: Readonly<Record<string, string>> = {}): void {
  padron.proxy.standIn((request) =>
    request.path.includes(path) ? { status, headers, json: {}, bytes: Buffer.from('{"message":"Error"}') } : null,
  );
}

/** Runs a function with a clock that is ahead. */
async function later<Result>(seconds: number, run: () => Promise<Result>): Promise<Result> {
  const now = Date.now.bind(Date);
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 1_000 * seconds);
  try {
    return await run();
  } finally {
    clock.mockRestore();
  }
}

describe.each(pageClients)('the retry of failed lookups on the next mount, with %s', (_name, openPage) => {
  let network: WatchedNetwork;
  let page: LookupsPage;
  const open = (query: DocumentNode, values: Readonly<Record<string, string>>): LookupsPage =>
    openPage(padron.url, network, query, values);
  const retry = (options?: RetryOptions): Promise<RetryResult> => page.retry(options);
  beforeEach(() => {
    network = watchNetwork();
    page = open(profile, variables);
  });

  it('sends the same operation again, pays for nothing that was found, and shows it', async () => {
    fail('obtener-cuenta');
    await page.ask();
    expect(page.shown()).toMatchObject({
      person: { credit: { outcome: 'FOUND' }, housingAccount: { outcome: 'UNAVAILABLE' } },
    });
    padron.proxy.reset();
    padron.calls();
    expect(await retry()).toBe('complete');
    expect(padron.calls()).toEqual(['POST /api/infonavit/grupo/obtener-cuenta']);
    expect(page.shown()).toMatchObject({
      person: { credit: { outcome: 'FOUND' }, housingAccount: { outcome: 'FOUND', problems: [] } },
    });
    expect(await retry()).toBe('complete');
    expect(network.bodies).toEqual([network.bodies[0], network.bodies[0]]);
  });

  it('retries once, also if the lookup fails again', async () => {
    fail('obtener-cuenta');
    await page.ask();
    expect(await retry()).toBe('complete');
    expect(network.sent).toEqual(['Profile', 'Profile']);
  });

  it('retries what was not run because the lookup failed that would have found its identifier', async () => {
    fail('buscar-credito');
    await page.ask();
    expect(page.shown()).toMatchObject({
      person: { credit: { outcome: 'UNAVAILABLE' }, licences: { outcome: 'NOT_RUN' } },
    });
    padron.proxy.reset();
    padron.calls();
    expect(await retry()).toBe('complete');
    expect(padron.calls()).toEqual(['POST /api/infonavit/grupo/buscar-credito', 'POST /api/sep/grupo/obtener-cedula']);
    expect(page.shown()).toMatchObject({ person: { credit: { outcome: 'FOUND' }, licences: { problems: [] } } });
  });

  it('leaves a failure of the first response to the next mount', async () => {
    fail('obtener-cuenta');
    const retried = retry();
    await page.ask();
    expect(await retried).toBe('complete');
    expect(network.sent).toEqual(['Profile']);
  });

  it('sends nothing if nothing was asked yet, and ends with its signal', async () => {
    const mounted = new AbortController();
    const retried = retry(mounted);
    mounted.abort();
    expect(await retried).toBe('aborted');
    expect(await retry(mounted)).toBe('aborted');
    expect([network.sent, padron.calls()]).toEqual([[], []]);
  });

  it('sends nothing if the failure will not change', async () => {
    fail('obtener-cuenta', 400);
    await page.ask();
    expect(page.shown()).toMatchObject({ person: { housingAccount: { outcome: 'INVALID_INPUT' } } });
    expect(await retry()).toBe('complete');
    expect(network.sent.length).toBe(1);
  });

  it('sends nothing until a wait that the service named is over', async () => {
    fail('obtener-cuenta', 429, { 'retry-after': '3600' });
    await page.ask();
    expect(page.shown()).toMatchObject({
      person: { housingAccount: { problems: [{ code: 'RATE_LIMITED', retryAfter: 3600 }] } },
    });
    padron.proxy.reset();
    expect(await later(3_000, () => retry())).toBe('complete');
    expect(network.sent.length).toBe(1);
    expect(await later(7_300, () => retry({ payAgain: true }))).toBe('complete');
    expect(network.sent.length).toBe(2);
  });

  it('sends nothing if the other answers would be paid again, unless the page allows it', async () => {
    fail('obtener-cuenta');
    await page.ask();
    padron.proxy.reset();
    padron.calls();
    expect(await later(60, () => retry())).toBe('expired');
    // A clock that is behind shows nothing about the age either.
    expect(await later(-60, () => retry())).toBe('expired');
    expect(padron.calls()).toEqual([]);
    expect(await later(60, () => retry({ replaySeconds: 90 }))).toBe('complete');
    expect(page.shown()).toMatchObject({ person: { housingAccount: { outcome: 'FOUND' } } });
  });

  it('retries a month of a list for which the others are replayed', async () => {
    const { registration } = findOrThrow(employers, ({ owes }) => !owes);
    let months = 0;
    padron.proxy.standIn(({ path }) => {
      if (!path.includes('comprobantes-fiscales')) return null;
      months += 1;
      return months === 1 ? { status: 503, json: {}, bytes: Buffer.from('{"message":"Error"}') } : null;
    });
    page = open(employerYear, { registration });
    await page.ask();
    expect(JSON.stringify(page.shown())).toMatch(/UNAVAILABLE.*FOUND|FOUND.*UNAVAILABLE/);
    padron.calls();
    expect(await retry()).toBe('complete');
    expect(JSON.stringify(page.shown())).not.toContain('UNAVAILABLE');
    expect(padron.calls()).toHaveLength(1);
  });
});
