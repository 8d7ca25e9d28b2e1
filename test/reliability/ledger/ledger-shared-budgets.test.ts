import { setTimeout as sleep } from 'node:timers/promises';
import { people } from '../../../src/extensions/sandbox/data/people';
import { DATA_KEY, insertBudget } from '../../support/padrons/budgets';
import { preparePadron } from '../../support/padrons/ledger';
import { type GraphqlAnswer, post, type RunningPadron } from '../../support/padrons/padron';
import { startProcess } from '../../support/processes/process';
import { sandboxForEachTest } from '../../support/sandbox/sandbox-for-tests';
import { engineRig } from '../../support/stores/engines';

const query = 'query Budget($nss: NSS!) { person(nss: $nss) { credit { outcome problems { code } } } }';
const everybody = people.map(({ nss }) => nss);
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
});
