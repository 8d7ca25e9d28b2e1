import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { people } from '../../../src/extensions/sandbox/data/people';
import { DATA_KEY, insertBudget } from '../../support/padrons/budgets';
import { preparePadron } from '../../support/padrons/ledger';
import { type GraphqlAnswer, post, type RunningPadron } from '../../support/padrons/padron';
import { startEventReceiver } from '../../support/padrons/webhooks';
import { startProcess } from '../../support/processes/process';
import { waitUntil } from '../../support/proxies/deferred';
import { card } from '../../support/sandbox/cards';
import { sandboxForEachTest } from '../../support/sandbox/sandbox-for-tests';
import { engineRig } from '../../support/stores/engines';

const query = 'query Budget($nss: NSS!) { person(nss: $nss) { credit { outcome problems { code } } } }';
const everybody = people.map(({ nss }) => nss);
const indebted = people.find(({ credit }) => credit !== null && credit !== '')?.nss;
const isRefused = (data: GraphqlAnswer['data']): boolean =>
  data?.person.credit.problems[0]?.code === 'BUDGET_EXHAUSTED';

describe('a budget that several processes share', () => {
  const rig = engineRig('postgres');
  const service = sandboxForEachTest();

  it('is spent to the last unit and never exceeded', async () => {
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY });
    await insertBudget(prepared, service.url, { units: 120 });
    const padrons = await Promise.all([1, 2, 3].map(() => prepared.start({ registryUrl: () => service.url })));
    const spend = async (padron: RunningPadron): Promise<void> => {
      // Asks until the budget is exhausted.
      for (let turn = 0; turn < 40; turn += 1) {
        const answers = await Promise.all(
          everybody
            .slice(0, 4)
            .map((nss) => padron.ask(query, { nss: everybody[(everybody.indexOf(nss) + turn) % everybody.length] })),
        );
        if (answers.every(({ data }) => isRefused(data))) return;
      }
    };
    await Promise.all(padrons.map(spend));
    expect(service.calls.length).toBeLessThanOrEqual(120);
    // Units that a process reserves and does not use become available again after a while.
    for (let second = 0; second < 30 && service.calls.length < 120; second += 1) {
      await sleep(1_000);
      await Promise.all(padrons.map(spend));
    }
    expect(service.calls).toHaveLength(120);
    await Promise.all(padrons.map((padron) => padron.stop()));
    expect((await prepared.rows()).reduce((sum, { units }) => sum + units, 0)).toBe(120);
  }, 90_000);

  it('loses no units if processes are killed: others spend what they reserved', async () => {
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY });
    await insertBudget(prepared, service.url, { units: 500 });
    const environment = { ...prepared.environment, PORT: '0', REGISTRY_URL: service.url, REPLAY_SECONDS: '0' };
    for (let kill = 0; kill < 2; kill += 1) {
      const padron = startProcess(environment);
      const url = await padron.address();
      await Promise.all(everybody.slice(0, 33).map((nss) => post(url, { query, variables: { nss } })));
      padron.child.kill('SIGKILL');
      await padron.ended();
    }
    const last = await prepared.start({ registryUrl: () => service.url });
    await sleep(1_000);
    for (let turn = 0; turn < 40; turn += 1) {
      const answers = await Promise.all(everybody.slice(0, 20).map((nss) => last.ask(query, { nss })));
      if (answers.some(({ data }) => isRefused(data))) break;
    }
    await last.stop();
    const rows = await prepared.rows();
    const uncertain = rows.filter(({ billing }) => billing === 'UNKNOWN').length;
    const spent = rows.reduce((sum, { units }) => sum + units, 0);
    expect(spent + uncertain).toBe(500);
    expect(service.calls.length).toBeLessThanOrEqual(500);
  }, 90_000);

  it('reserves the price of a call whose process was killed', async () => {
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY });
    await insertBudget(prepared, service.url, { units: 2 });
    const killed = startProcess({ ...prepared.environment, PORT: '0', REGISTRY_URL: service.url });
    const url = await killed.address();
    post(url, { query, variables: { nss: card('slow', 'nss') } }).catch(() => undefined);
    await waitUntil(() => service.calls.length === 1);
    killed.child.kill('SIGKILL');
    await killed.ended();
    const padron = await prepared.start({ registryUrl: () => service.url });
    const answers = [await padron.ask(query, { nss: indebted }), await padron.ask(query, { nss: everybody[0] })];
    expect(answers.map(({ data }) => isRefused(data))).toEqual([false, true]);
    await padron.stop();
    expect((await prepared.rows()).map(({ outcome, billing }) => [outcome, billing]).sort()).toEqual([
      ['FOUND', 'CHARGED'],
      ['OPEN', 'UNKNOWN'],
    ]);
  }, 60_000);

  it('reserves the price of a call of unknown billing until it is settled', async () => {
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY, REGISTRY_TIMEOUT_MS: '300' });
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await insertBudget(prepared, url, { units: 1 });
    const padron = await prepared.start({ registryUrl: () => url });
    const asked = async (): Promise<string> => {
      const { data } = await padron.ask(query, { nss: everybody[0] });
      return data.person.credit.problems[0].code;
    };
    expect([await asked(), await asked()]).toEqual(['REGISTRY_TIMEOUT', 'BUDGET_EXHAUSTED']);
    const settle = `UPDATE ledger_entries SET settled_billing = 'NOT_CHARGED', settled_units = 0, settled_at = now() RETURNING id`;
    // The entry is written after the call.
    while ((await prepared.read((store) => store.query(settle))).length === 0) await sleep(100);
    expect(await asked()).toBe('REGISTRY_TIMEOUT');
    await padron.stop();
    silent.closeAllConnections();
    silent.close();
  }, 30_000);

  it('causes one event for each percentage, which is sent until it is accepted', async () => {
    // The receiver rejects the first event, so it arrives twice. Percentages that are reached at once have one event: the highest.
    const receiver = await startEventReceiver((count) => (count === 1 ? 503 : 204));
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY, ...receiver.environment });
    const budget = await insertBudget(prepared, service.url, { units: 10, client: 'payroll' });
    const padrons = await Promise.all([1, 2].map(() => prepared.start({ registryUrl: () => service.url })));
    for (const [from, to, events] of [
      [0, 5, 2],
      [5, 12, 3],
    ] as const) {
      for (const [index, nss] of everybody.slice(from, to).entries())
        await padrons[index % 2]?.ask(query, { nss }, { 'x-client-name': 'payroll' });
      await receiver.untilEvents(events);
    }
    await Promise.all(padrons.map((padron) => padron.stop()));
    receiver.close();
    const events = receiver.events();
    expect(events.map(({ data }) => data)).toEqual(
      [
        [50, 5],
        [50, 5],
        [100, 10],
      ].map(([percent, spentUnits]) => ({ budget: budget?.id, percent, units: 10, spentUnits })),
    );
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
  }, 60_000);
});
