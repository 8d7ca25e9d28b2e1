import { setTimeout as sleep } from 'node:timers/promises';
import { people } from '../../../src/extensions/sandbox/data/people';
import { secondsUntilRetry } from '../../../src/money/calls/response-deadline';
import { times } from '../../../src/times';
import { askAs, jwtMode } from '../../graph/money/audit/read-trail';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { holdResponses } from '../../support/proxies/held-responses';
import { askPriced } from '../../support/requests/money';
import { curp, nss, profile, query } from '../../support/requests/slow-profile';

const soon = { 'x-answer-within': '1500ms' };

const stillRunning = { code: 'STILL_RUNNING', retryable: true, retryAfter: 1 };
const paid = { billing: 'CHARGED', servedFrom: 'LIVE', units: 1 };
const replayed = { billing: 'NOT_CHARGED', servedFrom: 'REPLAY', units: 0 };

const creditOf = `query Credit($nss: NSS) { person(nss: $nss) {
  credit { outcome problems { code retryable retryAfter } evidence { billing servedFrom units } } } }`;
const otherPeople = people.filter((person) => person.nss !== nss && Boolean(person.credit));

let padron: ProxiedPadron;
const start = async (environment: Readonly<Record<string, string>> = {}): Promise<void> => {
  padron = await runPadronBehindProxy({ REPLAY_SECONDS: '60', ...environment });
};
afterEach(() => padron.stop());

describe('a request that is answered before a registry has', () => {
  it('has what has arrived, and counts the price of the rest as uncertain', async () => {
    await start();
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const { data, units } = await askPriced(padron, profile, { 'x-answer-within': '2s' });
    expect(data.slow.credit).toEqual({
      outcome: 'UNAVAILABLE',
      problems: [stillRunning],
      evidence: { billing: 'UNKNOWN', servedFrom: 'LIVE', units: 0 },
    });
    expect(data.fast.identity).toEqual({ outcome: 'FOUND', evidence: { servedFrom: 'LIVE' } });
    expect(units).toMatchObject({ spent: 1, uncertain: 1, saved: 0 });
    expect(units?.calls).toMatchObject([
      { path: ['fast', 'identity'], outcome: 'FOUND', units: 1, uncertain: 0 },
      { path: ['slow', 'credit'], outcome: 'UNAVAILABLE', units: 0, uncertain: 1 },
    ]);
    held.release();
  });

  it('leaves the call running, and the same operation finds its answer for no units', async () => {
    await start();
    const held = holdResponses(padron.proxy, 'buscar-credito');
    await askPriced(padron, profile, soon);
    const during = await askPriced(padron, profile, soon);
    expect(during.data.slow.credit).toMatchObject({ problems: [stillRunning], evidence: { servedFrom: 'NOT_SENT' } });
    expect(during.units).toMatchObject({ spent: 0, uncertain: 0, saved: 0 });

    held.release();
    const { data, units } = await askPriced(padron, profile);
    expect(data.slow.credit).toEqual({ outcome: 'FOUND', problems: [], evidence: replayed });
    expect(units).toMatchObject({ spent: 0, uncertain: 0, saved: 0, settled: { spent: 1, uncertain: 1 } });
    expect([padron.calls().length, padron.spent()]).toEqual([2, 2]);
  });

  it('gets everything that arrives in time', async () => {
    await start();
    const { data, units } = await askPriced(padron, profile, { 'x-answer-within': '30s' });
    expect(data.slow.credit).toEqual({ outcome: 'FOUND', problems: [], evidence: paid });
    expect(units).toMatchObject({ spent: 2, uncertain: 0 });
  });

  it('gets an answer from memory even if its time is over', async () => {
    await start();
    await askPriced(padron, profile);
    const { data } = await askPriced(padron, profile, { 'x-answer-within': '0ms' });
    expect(data.slow.credit).toMatchObject({ outcome: 'FOUND', evidence: replayed });
  });

  it('reports nothing uncertain in the sandbox mode of the service', async () => {
    await start();
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const { data, units } = await askPriced(padron, profile, { ...soon, 'x-sandbox': 'true' });
    expect(data.slow.credit.evidence).toEqual({ billing: 'NOT_CHARGED', servedFrom: 'SANDBOX', units: 0 });
    expect(units).toMatchObject({ spent: 0, uncertain: 0 });
    held.release();
  });

  it('says when it is worth asking again, by the time since the call began and the time that recent calls took', async () => {
    await start();
    await answerSlowly(6_000);
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const first = await askPriced(padron, profile, soon);
    const { retryAfter } = first.data.slow.credit.problems[0];
    expect(retryAfter).toBeGreaterThanOrEqual(2);
    await sleep(1_500);
    const second = await askPriced(padron, profile, soon);
    expect(second.data.slow.credit.problems[0].retryAfter).toBeLessThan(retryAfter);
    held.release();
  });

  it('says after each second that it is worth asking again if no recent call took as long', async () => {
    await start();
    const held = holdResponses(padron.proxy, 'buscar-credito');
    await askPriced(padron, profile, soon);
    await sleep(1_500);
    expect((await askPriced(padron, profile, soon)).data.slow.credit.problems).toEqual([stillRunning]);
    held.release();
  });

  it('makes no call for a question that has not been sent by then, and reports no price for it', async () => {
    await start({ REGISTRY_CONCURRENCY: '1' });
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const first = askPriced(padron, profile, { 'x-answer-within': '20s' });
    await held.arrived(1);
    const [second, third] = otherPeople;
    const credit = { query: creditOf, variables: { nss: second?.nss } };
    const { data, units } = await askPriced(padron, credit, soon);
    expect(data.person.credit).toEqual({
      outcome: 'NOT_RUN',
      problems: [stillRunning],
      evidence: { billing: 'NOT_CHARGED', servedFrom: 'NOT_SENT', units: 0 },
    });
    expect(units).toMatchObject({ spent: 0, uncertain: 0, saved: 0 });
    // A request that waits for the same question without a deadline asks it itself.
    const shared = { query: creditOf, variables: { nss: third?.nss } };
    const [early, patient] = [askPriced(padron, shared, soon), askPriced(padron, shared)];
    expect((await early).data.person.credit.outcome).toBe('NOT_RUN');
    held.release();
    expect((await patient).units).toMatchObject({ spent: 1, uncertain: 0 });
    await first;
    expect(padron.calls()).toHaveLength(3);
    expect((await askPriced(padron, credit)).data.person.credit.outcome).toBe('FOUND');
    expect([padron.calls().length, padron.spent()]).toEqual([1, 4]);
  });
});

describe('the time of a response', () => {
  it('has a default in the settings, which a request can change', async () => {
    await start({ ANSWER_WITHIN: '300ms' });
    const held = holdResponses(padron.proxy, 'buscar-credito');
    expect((await askPriced(padron, profile)).data.slow.credit.problems).toEqual([stillRunning]);
    const patient = askPriced(padron, profile, { 'x-answer-within': '20s' });
    await sleep(600);
    held.release();
    expect((await patient).data.slow.credit.outcome).toBe('FOUND');
  });
});

/** Lets padron see a call that takes this time. */
async function answerSlowly(ms: number): Promise<void> {
  const slow = holdResponses(padron.proxy, 'buscar-credito');
  const answer = askPriced(padron, { query, variables: { nss: people[0]?.nss, curp } });
  await sleep(ms);
  slow.release();
  await answer;
}

const sent = (ending: string): number => padron.proxy.requests.filter(({ path }) => path.endsWith(ending)).length;

describe('the minute after an early response', () => {
  it('returns all answers to the same operation free of charge, even if the server replays no answers', async () => {
    await start({ REPLAY_SECONDS: '0' });
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const first = await askPriced(padron, profile, soon);
    expect(first.units).toMatchObject({ spent: 1, uncertain: 1 });
    const during = await askPriced(padron, profile, { ...soon, 'x-max-units': '0' });
    expect(during.data.slow.credit.problems).toMatchObject([{ code: 'STILL_RUNNING' }]);
    held.release();
    for (let round = 0; round < 3; round += 1) {
      const { data, units } = await askPriced(padron, profile, { 'x-max-units': '0' });
      expect(data.slow.credit).toEqual({ outcome: 'FOUND', problems: [], evidence: replayed });
      expect(data.fast.identity).toEqual({ outcome: 'FOUND', evidence: { servedFrom: 'REPLAY' } });
      expect(units).toMatchObject({ spent: 0, uncertain: 0 });
    }
    expect([padron.calls().length, padron.spent()]).toEqual([2, 2]);
  });

  it('tells the people of JWTs that name no client apart', async () => {
    await start({ ...jwtMode, REPLAY_SECONDS: '0' });
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const askFor = (sub: string, headers = {}): ReturnType<typeof askAs> =>
      askAs(padron, { sub, scope: 'use_buscar_credito use_consultar_curp' }, profile.query, profile.variables, headers);
    await askFor(nss, soon);
    held.release();
    const creditOf = async (sub: string) => (await askFor(sub)).data.slow.credit.evidence.servedFrom;
    expect([await creditOf(nss), await creditOf(`${nss}1`), sent('buscar-credito')]).toEqual(['REPLAY', 'LIVE', 2]);
  });

  it('returns the answer that another caller has got after the failure', async () => {
    await start({ REPLAY_SECONDS: '60' });
    const held = holdResponses(padron.proxy, 'buscar-credito', { status: 503, json: {} });
    const payroll = { 'x-client-name': 'payroll' };
    await askPriced(padron, profile, { ...soon, ...payroll });
    held.release();
    await askPriced(padron, profile, payroll);
    padron.proxy.tamper(async () => null);
    await askPriced(padron, profile, { 'x-client-name': 'kiosk' });
    const { data, units } = await askPriced(padron, profile, payroll);
    expect([data.slow.credit.outcome, units?.spent, sent('buscar-credito')]).toEqual(['FOUND', 0, 2]);
  });

  it('says that a failure that may have been charged is asked again after the minute', async () => {
    await start({ REPLAY_SECONDS: '0' });
    const held = holdResponses(padron.proxy, 'buscar-credito', { status: 503, json: {} });
    await askPriced(padron, profile, soon);
    held.release();
    const { data } = await askPriced(padron, profile);
    expect(data.slow.credit.problems[0].retryAfter).toBeGreaterThan(30);
    expect(data.slow.credit.problems[0].retryAfter).toBeLessThanOrEqual(60);
  });

  it('asks again after a while for a failure that was free', async () => {
    await start({ REPLAY_SECONDS: '0' });
    const held = holdResponses(padron.proxy, 'buscar-credito', { status: 410, json: { success: false, message: 'x' } });
    await askPriced(padron, profile, soon);
    held.release();
    expect((await askPriced(padron, profile)).data.slow.credit.problems).toMatchObject([{ code: 'REGISTRY_DECLINED' }]);
    expect(sent('buscar-credito')).toBe(1);
    padron.proxy.tamper(async () => null);
    await sleep(times.freeFailure);
    const again = await askPriced(padron, profile);
    expect([again.data.slow.credit.outcome, again.units?.spent, sent('buscar-credito')]).toEqual(['FOUND', 1, 2]);
    expect(sent('valida-curp')).toBe(1);
  });
});

describe('the seconds after which it is worth asking again', () => {
  it.each([
    ['the rest of a usual call', 40_000, 22_000, 18],
    ['not more than the rest, because the next request waits for the answer', 4_000, 800, 3],
    ['at least one', 5_000, 4_990, 1],
    ['one, if the call takes longer than usual', 5_000, 8_000, 1],
    ['one, if none was made before, however long this one takes', null, 2_500, 1],
    ['so few that the answers are still kept', 400_000, 2_000, 59],
  ])('are %s', (_, recentMs, elapsedMs, seconds) => {
    expect(secondsUntilRetry(recentMs, elapsedMs)).toBe(seconds);
  });
});
