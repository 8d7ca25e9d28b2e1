import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LiveDataSource } from '../../../src/money/calls/live-data-source';
import { ResponseDeadline } from '../../../src/money/calls/response-deadline';
import { UnitMeter } from '../../../src/money/calls/units/unit-meter';
import { RegistryClient } from '../../../src/registry/client/client';
import { ownPrices } from '../../../src/registry/endpoint/price-list';
import { search } from '../../registry/search-endpoint';
import { byBase64, credentialOf, TODAY, VERIFY } from '../../support/keys/signatures';
import { memoryCalls, noOrigin } from '../../support/memory-calls';
import { OPINION, ofEmployer, payer, SUBJECT } from '../../support/operations/employer-graph';
import { runPadron } from '../../support/padrons/padron';
import { withPadron } from '../../support/padrons/with-padron';
import { waitUntil } from '../../support/proxies/deferred';
import { noProxies } from '../../support/proxies/no-proxies';
import { askPriced } from '../../support/requests/money';
import { type RunningServer, startServer } from '../../support/start-server';

const caller = {
  bearer: 'token',
  account: 'account',
  tenant: 'account',
  sandbox: false,
  usesServerToken: false,
  permissions: null,
};

let client: RegistryClient;
let server: RunningServer;
/** Responses of the service, none of which is sent. */
let held: ServerResponse[];
let answerAtOnce = false;
const warnings: Error[] = [];
const warn = (warning: Error): void => void warnings.push(warning);
const nothing = '{"success":true,"status":200,"data":[]}';

beforeEach(async () => {
  held = [];
  warnings.length = 0;
  answerAtOnce = false;
  process.on('warning', warn);
  server = await startServer((_request, response) => {
    if (answerAtOnce) response.end(nothing);
    else held.push(response);
  });
  const options = { timeoutMs: 60_000, concurrency: 1, proxies: noProxies, paths: {}, now: () => new Date() };
  client = new RegistryClient({ url: server.url, ...options });
});
afterEach(async () => {
  process.off('warning', warn);
  await server.close();
  await client.close();
});

describe('a request with a thousand calls, all but one of which are queued', () => {
  it.each(['fetch', 'fetchUncached'] as const)(
    'sends none of the queued calls if its client disconnects: %s',
    async (way) => {
      const { signal, abort } = withAbort();
      const calls = memoryCalls(client);
      const units = new UnitMeter(null);
      const dataSource = new LiveDataSource(calls, { caller, request: {}, signal, prices: ownPrices }, units, noOrigin);
      const answers = Array.from({ length: 1_000 }, (_, number) => dataSource[way](search, { number }));
      await waitUntil(() => held.length === 1 && client.state().waiting === 999);

      abort();
      const outcomes = (await Promise.all(answers.slice(1))).flatMap(({ problems }) =>
        problems.map(({ code }) => code),
      );
      expect(outcomes).toEqual(Array.from({ length: 999 }, () => 'CALLER_GONE'));
      expect(client.state()).toMatchObject({ running: 1, waiting: 0 });

      // A call that was sent is still answered.
      held[0]?.end(JSON.stringify({ success: true, status: 200, data: [1] }));
      expect((await answers[0])?.outcome).toBe('FOUND');
      expect([held.length, units.spent, calls.inFlight.size]).toEqual([1, 1, 0]);
      await sleep(0);
      expect(warnings).toEqual([]);
    },
  );

  it('adds one listener for its client, and none for finished calls', async () => {
    const { signal } = withAbort();
    const calls = memoryCalls(client);
    const dataSource = new LiveDataSource(
      calls,
      { caller, request: {}, signal, prices: ownPrices },
      new UnitMeter(null),
      noOrigin,
    );
    const shared = Array.from({ length: 20 }, (_, number) => dataSource.fetch(search, { number }));
    await waitUntil(() => client.state().waiting === 19);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);

    const own = Array.from({ length: 20 }, (_, number) => dataSource.fetchUncached(search, { number }));
    await waitUntil(() => client.state().waiting === 39);
    answerAtOnce = true;
    held[0]?.end(nothing);
    await Promise.all([...shared, ...own]);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    expect(warnings).toEqual([]);
  });
});

describe('a call that requests share which are answered early', () => {
  it('holds none of them until it ends', async () => {
    const calls = memoryCalls(client);
    const sourceOf = (units: UnitMeter, deadline: ResponseDeadline | null): LiveDataSource =>
      new LiveDataSource(
        calls,
        { caller, request: {}, signal: withAbort().signal, prices: ownPrices },
        units,
        noOrigin,
        deadline,
      );
    const askEarly = async (): Promise<WeakRef<LiveDataSource>> => {
      const units = new UnitMeter(null);
      const deadline = new ResponseDeadline(1, units, client, calls.windowOf(caller, noOrigin));
      const source = sourceOf(units, deadline);
      expect((await source.fetch(search, { number: 1 })).outcome).toBe('UNAVAILABLE');
      expect(deadline.isLate).toBe(false);
      return new WeakRef(source);
    };
    const paid = sourceOf(new UnitMeter(null), null).fetch(search, { number: 1 });
    await waitUntil(() => held.length === 1);
    const sharing = await Promise.all(Array.from({ length: 20 }, askEarly));
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    await waitUntil(() => {
      collectGarbage();
      return sharing.every((source) => source.deref() === undefined);
    });
    setFlagsFromString('--no-expose-gc');
    held[0]?.end(JSON.stringify({ success: true, status: 200, data: [1] }));
    expect((await paid).outcome).toBe('FOUND');
    await calls.close();
  });
});

function withAbort() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

describe('the window of replays', () => {
  it('verifies a signature on each request', async () => {
    await withPadron({ environment: { REPLAY_SECONDS: '30' }, now: () => TODAY }, async (padron) => {
      for (let time = 0; time < 2; time += 1) {
        const { data } = await byBase64(padron, credentialOf('person'));
        expect(data.verifySignature).toMatchObject({ valid: true, evidence: { servedFrom: 'LIVE', units: 1 } });
      }
      expect(padron.calls()).toEqual([VERIFY, VERIFY]);
    });
  });

  it('does not reuse an opinion after its day has ended in Mexico City, even within the window', async () => {
    // The last minute of a day there, six hours behind UTC.
    const lastMinute = '2026-11-21T05:59:00.000Z';
    let now = new Date(lastMinute);
    const query = ofEmployer(
      `complianceOpinion(rfc: "${payer.rfc}") { outcome validUntil evidence { servedFrom units checkedAt } }`,
    );
    const padron = await runPadron({ environment: { REPLAY_SECONDS: '30' }, now: () => now });
    const ask = async () => {
      const { data } = await askPriced(padron, { query, variables: { registration: payer.registration } });
      return { ...data.employer.complianceOpinion, calls: padron.calls() };
    };
    const first = await ask();
    now = new Date('2026-11-21T05:59:59.999Z');
    const sameDay = await ask();
    now = new Date('2026-11-21T06:00:00.000Z');
    const nextDay = await ask();
    await padron.stop();
    expect(first).toEqual({
      outcome: 'FOUND',
      validUntil: '2026-11-21T05:59:59.000Z',
      evidence: { servedFrom: 'LIVE', units: 1, checkedAt: lastMinute },
      calls: [SUBJECT, OPINION],
    });
    expect(sameDay).toMatchObject({ evidence: { servedFrom: 'REPLAY', checkedAt: lastMinute }, calls: [] });
    // The obligated subject is valid for longer, so its answer is still reused.
    expect(nextDay).toMatchObject({
      validUntil: '2026-11-22T05:59:59.000Z',
      evidence: { servedFrom: 'LIVE', units: 1 },
      calls: [OPINION],
    });
  });
});
