import { setTimeout as sleep } from 'node:timers/promises';
import { OTHER_TOKEN, SANDBOX_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { bearer, type Claims, JWT_SECRET } from '../../../support/keys/identity-provider';
import type { RunningPadron } from '../../../support/padrons/padron';
import { type ProxiedPadron, runPadronBehindProxy } from '../../../support/padrons/padron-behind-proxy';
import {
  answeredLive,
  answeredShared,
  askCredit,
  isAwaited,
  startSharingPadrons,
} from '../../../support/padrons/sharing-padrons';
import { waitUntil } from '../../../support/proxies/deferred';
import { holdResponses, waitForDisconnect } from '../../../support/proxies/held-responses';
import { indebted } from '../../../support/requests/credit-request';
import { askPriced } from '../../../support/requests/money';
import { startForTests } from '../../../support/start-for-tests';
import { type EngineRig, engineRig, engines } from '../../../support/stores/engines';

type Home = 'memory' | 'folder' | 'PostgreSQL';

const stores = engines.map((engine): Home => (engine === 'embedded' ? 'folder' : 'PostgreSQL'));

/** Two askers of one account: one process, or two processes over one PostgreSQL. */
interface Askers {
  readonly first: ProxiedPadron;
  readonly second: RunningPadron;
  /** Resolves when one asker waits for the call of the other. */
  waiting(): Promise<void>;
}

const replay = { REPLAY_SECONDS: '60' };

async function startAskers(home: Home, rig: EngineRig, settings: Readonly<Record<string, string>>): Promise<Askers> {
  if (home === 'PostgreSQL') {
    const padrons = await startSharingPadrons(rig, settings);
    rig.atEnd(() => padrons.stop());
    return { ...padrons, waiting: () => waitUntil(() => isAwaited(padrons)) };
  }
  const store = home === 'memory' ? {} : (await rig.settings()).environment;
  const padron = await runPadronBehindProxy({ ...store, ...settings });
  rig.atEnd(() => padron.stop());
  return { first: padron, second: padron, waiting: () => sleep(200) };
}

/** Starts the askers for the tests of a `describe`. */
function askersForTests(home: Home, settings: Readonly<Record<string, string>> = {}): Askers {
  const rig = engineRig(home === 'PostgreSQL' ? 'postgres' : 'embedded');
  const askers = startForTests(
    () => startAskers(home, rig, { ...replay, ...settings }),
    () => undefined,
  );
  beforeEach(() => askers.first.proxy.reset());
  return askers;
}

const credits = (persons: readonly string[]) => ({
  query: `{ ${persons.map((nss, index) => `p${index}: person(nss: "${nss}") { credit { outcome } }`).join(' ')} }`,
});

/** One contract for calls, in each place where their process keeps them. */
describe.each<Home>(['memory', ...stores])('calls that are kept in %s', (home) => {
  const askers = askersForTests(home);
  const unasked = indebted.values();
  const nextPerson = (): string => unasked.next().value ?? '';
  const calls = (): number => askers.first.proxy.requests.length;

  /** Both ask the same question at the same moment. The service answers, or fails. */
  async function askBoth(nss: string, response?: Parameters<typeof holdResponses>[2], headers = {}) {
    const held = holdResponses(askers.first.proxy, '', response);
    const payer = askCredit(askers.first, nss, headers);
    await held.arrived(1);
    const waiter = askCredit(askers.second, nss, headers);
    await askers.waiting();
    held.release();
    return Promise.all([payer, waiter]);
  }

  it('are made once when the same question is asked twice at the same moment', async () => {
    expect(await askBoth(nextPerson())).toEqual([answeredLive, answeredShared]);
    expect(calls()).toBe(1);
  });

  it('are made once within the window of the answer, which serves a budget of nothing', async () => {
    const nss = nextPerson();
    expect(await askCredit(askers.first, nss)).toEqual(answeredLive);
    const nothing = { 'x-max-units': '0' };
    // The answer reaches the store a moment after its caller.
    await waitUntil(async () => (await askCredit(askers.second, nss, nothing)).outcome === 'FOUND');
    expect(await askCredit(askers.second, nss, nothing)).toEqual(answeredShared);
    expect(calls()).toBe(1);
  });

  it('give a failure to those who wait, and to no later asker', async () => {
    const nss = nextPerson();
    const failure = { outcome: 'UNAVAILABLE', problems: ['REGISTRY_ERROR'], spent: 0 };
    expect(await askBoth(nss, { status: 503, json: {} })).toMatchObject([
      { ...failure, servedFrom: 'LIVE' },
      { ...failure, servedFrom: 'REPLAY' },
    ]);
    expect(calls()).toBe(1);
    askers.first.proxy.reset();
    expect(await askCredit(askers.second, nss)).toEqual(answeredLive);
  });

  it('share nothing with another account or with the sandbox mode, which is free and keeps no answers', async () => {
    const nss = nextPerson();
    await askCredit(askers.first, nss);
    const [other, sandbox] = [{ authorization: `Bearer ${OTHER_TOKEN}` }, { 'x-sandbox': 'true' }];
    expect(await askCredit(askers.second, nss, other)).toEqual(answeredLive);
    for (const asker of [askers.first, askers.second])
      expect(await askCredit(asker, nss, sandbox)).toMatchObject({ outcome: 'FOUND', servedFrom: 'SANDBOX', spent: 0 });
    expect(calls()).toBe(4);
  });

  it('keep the answer of a client that has left', async () => {
    const nss = nextPerson();
    const held = holdResponses(askers.first.proxy);
    const client = new AbortController();
    const payer = askCredit(askers.first, nss, {}, client.signal).catch(() => null);
    await held.arrived(1);
    client.abort();
    await payer;
    await waitForDisconnect(askers.first.url);
    held.release();
    expect(await askCredit(askers.second, nss)).toEqual(answeredShared);
    expect(calls()).toBe(1);
  });

  it('spend one budget when a router splits an operation', async () => {
    const headers = { 'x-operation-id': 'split', 'x-max-units': '2' };
    const parts = [askers.first, askers.second, askers.first].map((padron) =>
      askPriced(padron, credits([nextPerson(), nextPerson()]), headers),
    );
    await Promise.all(parts);
    expect(calls()).toBe(2);
    const late = await askCredit(askers.second, nextPerson(), headers);
    expect(late).toMatchObject({ problems: ['UNIT_BUDGET_EXCEEDED'], spent: 0 });
    expect(calls()).toBe(2);
  });

  it('give the units of a free failure back to the budget of their operation', async () => {
    const headers = { 'x-operation-id': 'failing', 'x-max-units': '1' };
    askers.first.proxy.standIn(() => ({ status: 400, json: { message: 'x' } }));
    expect(await askCredit(askers.first, nextPerson(), headers)).toMatchObject({ spent: 0, uncertain: 0 });
    askers.first.proxy.reset();
    await waitUntil(async () => (await askCredit(askers.second, nextPerson(), headers)).spent === 1);
    expect(calls()).toBe(1);
  });

  it('leave the answers of an early response to its caller for a minute, a failure too', async () => {
    const nss = nextPerson();
    const early = { 'x-answer-within': '1s', 'x-client-name': 'kiosk' };
    const held = holdResponses(askers.first.proxy, '', { status: 503, json: {} });
    expect(await askCredit(askers.first, nss, early)).toMatchObject({ problems: ['STILL_RUNNING'], uncertain: 1 });
    held.release();
    const failed = { outcome: 'UNAVAILABLE', problems: ['REGISTRY_ERROR'], servedFrom: 'REPLAY', uncertain: 0 };
    await waitUntil(async () => (await askCredit(askers.first, nss, early)).problems[0] === 'REGISTRY_ERROR');
    await sleep(300);
    expect(await askCredit(askers.second, nss, { 'x-client-name': 'kiosk' })).toMatchObject(failed);
    expect(calls()).toBe(1);
    askers.first.proxy.reset();
    expect(await askCredit(askers.second, nss, { 'x-client-name': 'another' })).toEqual(answeredLive);
  });

  it('leave an answer about somebody else to the caller of an early response', async () => {
    const [nss, stranger] = [nextPerson(), nextPerson()];
    askers.first.proxy.tamper(async ({ json }) => {
      await sleep(1_500);
      return { json: JSON.parse(JSON.stringify(json).replaceAll(nss, stranger)) };
    });
    const kiosk = { 'x-client-name': 'kiosk' };
    await askCredit(askers.first, nss, { ...kiosk, 'x-answer-within': '1s' });
    await waitUntil(async () => (await askCredit(askers.first, nss, kiosk)).problems[0] === 'ANSWER_MISMATCH');
    await sleep(300);
    const mismatch = { problems: ['ANSWER_MISMATCH'], servedFrom: 'REPLAY', spent: 0, uncertain: 0 };
    expect(await askCredit(askers.second, nss, kiosk)).toMatchObject(mismatch);
    expect(calls()).toBe(1);
  });
});

describe.each(stores)('a call that a budget refuses, kept in %s', (home) => {
  const askers = askersForTests(home, { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET });
  const askAs = (padron: RunningPadron, claims: Claims, query: string) => askPriced(padron, { query }, bearer(claims));

  it('is listed in the units of its operation, and the others are made', async () => {
    const finance = { client_id: 'finance', scope: 'padron_budgets' };
    const set = 'mutation { setRegistryBudget(input: { client: "hr", period: DAY, units: 2 }) { id } }';
    expect((await askAs(askers.second, finance, set)).errors).toBeUndefined();
    const caller = { client_id: 'hr', scope: 'use_buscar_credito' };
    await askAs(askers.first, caller, credits(indebted.slice(0, 1)).query);
    const budgets = async () => (await askAs(askers.second, finance, '{ registryBudgets { spentUnits } }')).data;
    await waitUntil(async () => (await budgets()).registryBudgets[0].spentUnits === 1);
    const { units } = await askAs(askers.second, caller, credits(indebted.slice(1, 4)).query);
    const unsent = { outcome: 'NOT_RUN', servedFrom: 'NOT_SENT', units: 0, uncertain: 0 };
    const refused = units?.calls.filter(({ servedFrom }) => servedFrom !== 'LIVE');
    expect(refused).toEqual([expect.objectContaining(unsent), expect.objectContaining(unsent)]);
    expect(units).toMatchObject({ spent: 1, uncertain: 0 });
    expect(askers.first.proxy.requests).toHaveLength(2);
  });
});
