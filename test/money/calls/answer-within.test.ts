import { setTimeout as sleep } from 'node:timers/promises';
import { people } from '../../../src/extensions/sandbox/data/people';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { holdResponses } from '../../support/proxies/held-responses';
import { askPriced } from '../../support/requests/money';
import { curp, nss, profile, query } from '../../support/requests/slow-profile';

const soon = { 'x-answer-within': '300ms' };

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
    const { data, units } = await askPriced(padron, profile, soon);
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
    expect(during.units).toMatchObject({ spent: 0, uncertain: 0, saved: 1 });

    held.release();
    const { data, units } = await askPriced(padron, profile);
    expect(data.slow.credit).toEqual({ outcome: 'FOUND', problems: [], evidence: replayed });
    expect(units).toMatchObject({ spent: 0, uncertain: 0, saved: 2 });
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
    await answerSlowly(2_700);
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const first = await askPriced(padron, profile, soon);
    expect(first.data.slow.credit.problems[0].retryAfter).toBeGreaterThanOrEqual(2);
    await sleep(1_500);
    const second = await askPriced(padron, profile, soon);
    expect(second.data.slow.credit.problems[0].retryAfter).toBe(1);
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

  it.each(['', '2', '2 minutes', '-1s', '1e3ms', '2s, 3s', '61s'])(
    'is refused if it is "%s", and nothing is asked',
    async (time) => {
      await start();
      const { status, errors } = await askPriced(padron, profile, { 'x-answer-within': time });
      expect([status, errors?.[0].message]).toEqual([
        400,
        'The header `x-answer-within` must be a time of up to 60s such as `2s` or `800ms`.',
      ]);
      expect(padron.calls()).toEqual([]);
    },
  );
});

/** Lets padron see a call that takes this time. */
async function answerSlowly(ms: number): Promise<void> {
  const slow = holdResponses(padron.proxy, 'buscar-credito');
  const answer = askPriced(padron, { query, variables: { nss: people[0]?.nss, curp } });
  await sleep(ms);
  slow.release();
  await answer;
}
