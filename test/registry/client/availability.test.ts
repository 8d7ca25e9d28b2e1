import { readFileSync } from 'node:fs';
import { OTHER_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { employers } from '../../../src/extensions/sandbox/data/employers';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findCredit, findHousingAccount } from '../../../src/graph/domains/housing/endpoints';
import type { Answer } from '../../../src/registry/answer/answer';
import { unsentAnswer } from '../../../src/registry/answer/answer';
import { problem } from '../../../src/registry/answer/problem';
import type { Caller } from '../../../src/registry/caller';
import { RecentCalls, unknownAvailability } from '../../../src/registry/client/availability';
import { findOrThrow } from '../../support/find-or-throw';
import { proxiedPadronForEachTest } from '../../support/padrons/padron-for-tests';
import type { Tamper } from '../../support/proxies/tampering-proxy';
import { card } from '../../support/sandbox/cards';

const unknown = { state: 'UNKNOWN', since: null, lastAnswerAt: null, medianMs: null };

describe('the availability of an endpoint', () => {
  const padron = proxiedPadronForEachTest({ REGISTRY_TIMEOUT_MS: '2000' });
  const { nss } = findOrThrow(people, ({ credit }) => !!credit);
  const { registration } = findOrThrow(employers, () => true);
  const credit = `{ person(nss: "${nss}") { answer: credit { outcome } } }`;
  const subjectOf = (value: string) =>
    `{ employer(registration: "${value}") { answer: obligatedSubject { outcome } } }`;

  async function ask(query: string, times: number, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    for (let time = 0; time < times; time += 1) await padron.ask(query, {}, headers);
  }

  /** Reads the availability of the endpoint that a field calls, and checks that this calls nothing. */
  async function read(field: string, headers: Readonly<Record<string, string>> = {}) {
    const before = padron.proxy.requests.length;
    const query = '{ registryEndpoints { fields availability { state since lastAnswerAt medianMs } } }';
    const { data } = await padron.ask(query, {}, headers);
    expect(padron.proxy.requests).toHaveLength(before);
    const endpoints: { fields: string[]; availability: Record<string, unknown> }[] = data.registryEndpoints;
    return findOrThrow(endpoints, ({ fields }) => fields.includes(field)).availability;
  }

  it('is unknown, with nulls, until five calls have ended', async () => {
    await ask(credit, 4);
    expect(await read('Person.credit')).toEqual(unknown);
    const before = Date.now();
    await ask(credit, 1);
    const { state, since, lastAnswerAt, medianMs } = await read('Person.credit');
    expect(state).toBe('OPERATIONAL');
    expect(Date.parse(String(since))).toBeLessThanOrEqual(before);
    expect(Date.parse(String(lastAnswerAt))).toBeGreaterThanOrEqual(before);
    expect(medianMs).toBeGreaterThanOrEqual(0);
    expect(await read('Person.housingAccount')).toEqual(unknown);
    expect(padron.proxy.requests).toHaveLength(5);
  });

  it('is the same for every account, and separate in sandbox mode', async () => {
    await ask(credit, 5);
    expect(await read('Person.credit', { authorization: `Bearer ${OTHER_TOKEN}` })).toMatchObject({
      state: 'OPERATIONAL',
    });
    expect(await read('Person.credit', { 'x-sandbox': 'true' })).toEqual(unknown);
  });

  it.each<[string, Tamper]>([
    ['errors of the service', () => ({ status: 503 })],
    ['broken connections', () => (response) => response.destroy()],
    ['unusable answers', () => ({ json: { success: 'perhaps' } })],
  ])('is degraded by %s, and says when the last answer arrived', async (_, broken) => {
    await ask(credit, 3);
    const before = new Date().toISOString();
    padron.proxy.tamper(broken);
    await ask(credit, 2);
    const { state, lastAnswerAt } = await read('Person.credit');
    expect([state, String(lastAnswerAt) <= before]).toEqual(['DEGRADED', true]);
  });

  it.each([403, 429, 402])('does not change with a %i, which is about the account', async (status) => {
    padron.proxy.tamper(() => ({ status, json: { success: false, status, message: 'x', data: [] } }));
    await ask(credit, 5);
    expect(await read('Person.credit')).toEqual(unknown);
  });

  it('is paused for the account whose calls are refused, and not for others', async () => {
    const failing = subjectOf(card('IMSS_HTTP_ERROR', 'registration'));
    await ask(failing, 10);
    expect(await read('Employer.obligatedSubject')).toMatchObject({
      state: 'PAUSED',
      lastAnswerAt: null,
      medianMs: null,
    });
    const seenByOthers = await read('Employer.obligatedSubject', { authorization: `Bearer ${OTHER_TOKEN}` });
    expect(seenByOthers.state).toBe('DEGRADED');
    // The breaker is that of the registry, also for its endpoints that were not called.
    expect(await read('Employer.snapshots')).toMatchObject({ state: 'PAUSED' });
    expect(await read('Employer.snapshots', { authorization: `Bearer ${OTHER_TOKEN}` })).toEqual(unknown);
  });

  it('disables the button of the documented page while calls are refused', async () => {
    const page = readFileSync('docs/clients.md', 'utf8');
    const [query = '', code = ''] = [
      /```graphql\n(query RegistryStatus[^`]*)/,
      /```ts\n([^`]*button\.disabled[^`]*)/,
    ].map((pattern) => pattern.exec(page)?.[1]);
    const button = { disabled: false };
    const show = async () => new Function('data', 'button', code)((await padron.ask(query)).data, button);
    await show();
    expect(button.disabled).toBe(false);
    padron.proxy.tamper(() => ({ status: 500 }));
    await ask(credit, 10);
    await show();
    expect(button.disabled).toBe(true);
  });

  it('shows a missing session to its account only, until the next answer', async () => {
    await ask(subjectOf(card('IMSS_SESSION_REQUIRED', 'registration')), 2);
    const first = await read('Employer.snapshots');
    expect(first).toMatchObject({ state: 'SESSION_NEEDED', lastAnswerAt: null, medianMs: null });
    await ask(subjectOf(card('IMSS_SESSION_EXPIRED', 'registration')), 6);
    expect(await read('Employer.obligatedSubject')).toEqual(first);
    expect(await read('Employer.obligatedSubject', { authorization: `Bearer ${OTHER_TOKEN}` })).toEqual(unknown);
    await ask(subjectOf(registration), 1);
    expect(await read('Employer.obligatedSubject')).toEqual(unknown);
  });
});

describe('the recent calls', () => {
  const start = Date.UTC(2026, 10, 24, 12);
  let minutes = 0;
  const minute = (count: number) => new Date(start + count * 60_000);
  const caller: Caller = {
    bearer: 'x',
    account: 'a',
    tenant: 'a',
    sandbox: false,
    usesServerToken: false,
    permissions: null,
  };
  const answered: Answer<unknown> = { ...unsentAnswer('FOUND', 'x', []), payload: {} };
  const failed = unsentAnswer('UNAVAILABLE', 'x', [problem('REGISTRY_TIMEOUT')]);
  const sessionless = unsentAnswer('UNAVAILABLE', 'x', [problem('IMSS_SESSION_EXPIRED')]);
  const callsOf = (...answers: readonly (readonly [time: number, answer: Answer<unknown>, ms?: number])[]) => {
    const calls = new RecentCalls(() => minute(minutes));
    for (const [time, answer, ms = 100] of answers) {
      minutes = time;
      calls.record(findCredit, caller, answer, ms);
    }
    return calls;
  };
  const stateAt = (calls: RecentCalls, time: number) => {
    minutes = time;
    return calls.availability(findCredit, caller, null);
  };

  it('count for 15 minutes', () => {
    const calls = callsOf([0, answered], [1, answered], [1, answered], [1, answered], [2, answered, 900]);
    const operational = { state: 'OPERATIONAL', since: minute(0), lastAnswerAt: minute(2), medianMs: 100 };
    expect(stateAt(calls, 14)).toEqual(operational);
    expect(stateAt(calls, 15)).toEqual(unknownAvailability);
    calls.record(findCredit, caller, answered, 100);
    expect(stateAt(calls, 15)).toMatchObject({ state: 'OPERATIONAL', since: minute(1), lastAnswerAt: minute(15) });
  });

  it('say since when a quarter of them fails, and when that ended', () => {
    const calls = callsOf(...[0, 1, 2, 3].map((time) => [time, answered] as const), [4, failed]);
    expect(stateAt(calls, 4)).toMatchObject({ state: 'OPERATIONAL', since: minute(0) });
    minutes = 5;
    calls.record(findCredit, caller, failed, 2_000);
    expect(stateAt(calls, 6)).toEqual({ state: 'DEGRADED', since: minute(5), lastAnswerAt: minute(3), medianMs: 100 });
    for (const time of [7, 8, 9]) {
      minutes = time;
      calls.record(findCredit, caller, answered, 100);
    }
    expect(stateAt(calls, 10)).toMatchObject({ state: 'OPERATIONAL', since: minute(9) });
  });

  it('are the last twenty of each endpoint', () => {
    const many = Array.from({ length: 10_000 }, () => [0, failed] as const);
    const calls = callsOf(...many, ...Array.from({ length: 20 }, () => [1, answered, 7] as const));
    expect(stateAt(calls, 1)).toEqual({ state: 'OPERATIONAL', since: minute(1), lastAnswerAt: minute(1), medianMs: 7 });
    expect(calls.availability(findHousingAccount, caller, null)).toEqual(unknownAvailability);
  });

  it('forget a missing session after 15 minutes without a call', () => {
    const calls = callsOf([0, sessionless], [10, sessionless]);
    expect(stateAt(calls, 24)).toMatchObject({ state: 'SESSION_NEEDED', since: minute(0) });
    expect(stateAt(calls, 25)).toEqual(unknownAvailability);
  });
});
