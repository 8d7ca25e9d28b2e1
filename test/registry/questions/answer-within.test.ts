import { setTimeout as sleep } from 'node:timers/promises';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { holdResponses } from '../../support/proxies/held-responses';
import { askPriced } from '../../support/requests/money';

const { nss, curp } = findOrThrow(
  people,
  ({ credit, licences, alive }) => Boolean(credit) && licences.length > 0 && alive,
);
const query = `query Profile($nss: NSS, $curp: CURP) {
  slow: person(nss: $nss) { credit { outcome problems { code retryable retryAfter } evidence { billing servedFrom units } } }
  fast: person(curp: $curp) { identity { outcome evidence { servedFrom } } }
}`;
const profile = { query, variables: { nss, curp } };
const soon = { 'x-answer-within': '300ms' };

const stillRunning = { code: 'STILL_RUNNING', retryable: true, retryAfter: 1 };
const paid = { billing: 'CHARGED', servedFrom: 'LIVE', units: 1 };
const replayed = { billing: 'NOT_CHARGED', servedFrom: 'REPLAY', units: 0 };

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
    expect(units?.calls.map(({ path, outcome }) => [path.join('.'), outcome])).toEqual([
      ['fast.identity', 'FOUND'],
      ['slow.credit', 'UNAVAILABLE'],
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

  it('reports the problem also for fields that need an identifier of the answer', async () => {
    await start();
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const licences = `query Licences($nss: NSS) { person(nss: $nss) { licences { outcome problems { code retryable } } } }`;
    const request = { query: licences, variables: { nss } };
    const early = await askPriced(padron, request, soon);
    expect(early.data.person.licences).toEqual({
      outcome: 'NOT_RUN',
      problems: [{ code: 'STILL_RUNNING', retryable: true }],
    });
    held.release();
    const { data } = await askPriced(padron, request);
    expect(data.person.licences.outcome).toBe('FOUND');
    expect(padron.calls().filter((endpoint) => endpoint.endsWith('buscar-credito'))).toHaveLength(1);
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

  it('says when it is worth asking again, by the time that recent calls took', async () => {
    await start();
    const slow = holdResponses(padron.proxy, 'buscar-credito');
    const first = askPriced(padron, { query, variables: { nss: people[0]?.nss, curp } });
    await sleep(2_500);
    slow.release();
    await first;
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const { data } = await askPriced(padron, profile, soon);
    expect(data.slow.credit.problems).toEqual([{ ...stillRunning, retryAfter: 3 }]);
    held.release();
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

  it('is refused by a server that keeps no answers', async () => {
    await start({ REPLAY_SECONDS: '0' });
    const { status, errors } = await askPriced(padron, profile, soon);
    expect([status, errors?.[0].message]).toEqual([400, expect.stringContaining('needs REPLAY_SECONDS')]);
    expect(padron.calls()).toEqual([]);
  });
});

describe('a call that continues after the response', () => {
  it('takes the budget of its request', async () => {
    await start();
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const operation = { 'x-operation-id': 'one', 'x-max-units': '2' };
    await askPriced(padron, profile, { ...soon, ...operation });
    held.release();
    const secondPerson = people.find((person) => person.nss !== nss && Boolean(person.credit));
    const { errors } = await askPriced(padron, { query, variables: { nss: secondPerson?.nss, curp } }, operation);
    expect(errors?.[0].extensions.code).toBe('UNIT_BUDGET_EXCEEDED');
    expect(padron.spent()).toBe(2);
  });

  it('counts as a running request until it has ended', async () => {
    await start({ LIMIT_REQUESTS: '1' });
    const held = holdResponses(padron.proxy, 'buscar-credito');
    await askPriced(padron, profile, soon);
    const refused = await padron.ask('{ __typename }');
    expect([refused.status, refused.errors?.[0].extensions.code]).toEqual([503, 'OVERLOADED']);
    held.release();
    await untilAccepted();
  });

  it('delivers its failure once to the next request, which makes no other call', async () => {
    await start({ LIMIT_REQUESTS: '1' });
    const held = holdResponses(padron.proxy, 'buscar-credito', { status: 503, json: {} });
    await askPriced(padron, profile, soon);
    held.release();
    await untilAccepted();
    const credits = () => padron.proxy.requests.filter(({ path }) => path.includes('buscar-credito')).length;
    const { data, units } = await askPriced(padron, profile);
    expect(data.slow.credit).toMatchObject({
      outcome: 'UNAVAILABLE',
      problems: [{ code: 'REGISTRY_ERROR' }],
      evidence: { billing: 'NOT_CHARGED', servedFrom: 'REPLAY' },
    });
    expect([units?.spent, units?.uncertain, credits()]).toEqual([0, 0, 1]);
    await askPriced(padron, profile);
    expect(credits()).toBe(2);
  });

  it('may fail without harm, also by a token that the service refuses', async () => {
    await start({ LIMIT_REQUESTS: '1' });
    const held = holdResponses(padron.proxy, 'buscar-credito', { status: 401, json: { success: false } });
    const { data } = await askPriced(padron, profile, soon);
    expect(data.slow.credit.problems).toEqual([stillRunning]);
    held.release();
    await untilAccepted();
  });
});

/** Resolves when padron accepts requests again. */
async function untilAccepted(): Promise<void> {
  for (let attempt = 1; (await padron.ask('{ __typename }')).status !== 200; attempt += 1) {
    if (attempt > 500) throw new Error('The call that continues has not ended.');
    await sleep(10);
  }
}
