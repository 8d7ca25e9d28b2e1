import { setTimeout as sleep } from 'node:timers/promises';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { preparePadron } from '../../support/padrons/ledger';
import { post } from '../../support/padrons/padron';
import { startProcess } from '../../support/processes/process';
import { sandboxForEachTest } from '../../support/sandbox/sandbox-for-tests';
import { engineRig, engines } from '../../support/stores/engines';

const query = `query Load($nss: NSS!) { person(nss: $nss) { credit { outcome } housingAccount { outcome } } }`;
const concurrency = 16;

describe.each(engines)('consecutive processes with a ledger on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const service = sandboxForEachTest();

  /** Ends a process under load with a signal, and then another one with SIGTERM. Returns the sums of the ledger. */
  async function endUnderLoad(signal: NodeJS.Signals) {
    const prepared = await preparePadron(rig);
    for (const each of [signal, 'SIGTERM'] as const) {
      const settings = { PORT: '0', REGISTRY_URL: service.url, REPLAY_SECONDS: '0', LOG_LEVEL: 'warn' };
      const padron = startProcess({ ...prepared.environment, ...settings });
      const url = await padron.address();
      let answered = 0;
      let isOver = false;
      const clients = Array.from({ length: concurrency }, async (_, client) => {
        for (let turn = client; !isOver; turn += concurrency) {
          const variables = { nss: people[turn % people.length]?.nss };
          if ((await post(url, { query, variables }).catch(() => null))?.status === 200) answered += 1;
        }
      });
      // The first calls of a process open its store. The kill must interrupt later calls.
      while (answered < concurrency) await sleep(20);
      await sleep(Math.random() * 500);
      padron.child.kill(each);
      await padron.ended();
      isOver = true;
      await Promise.all(clients);
    }
    const sql = `SELECT sum(units) AS spent, count(*) FILTER (WHERE served_from = 'LIVE') AS entries,
      coalesce(sum(price) FILTER (WHERE billing = 'UNKNOWN'), 0) AS uncertain FROM ledger_entries`;
    const [sums] = await prepared.read((store) =>
      store.query<{ spent: number; entries: number; uncertain: number }>(sql),
    );
    return sums ?? { spent: 0, entries: 0, uncertain: 0 };
  }

  it('that are killed under load record every call', async () => {
    const { spent, entries, uncertain } = await endUnderLoad('SIGKILL');
    const charged = service.spent(SANDBOX_TOKEN);
    expect(entries).toBeGreaterThanOrEqual(service.calls.length);
    expect(spent).toBeLessThanOrEqual(charged);
    expect(spent + uncertain).toBeGreaterThanOrEqual(charged);
  });

  it('that are stopped under load record exactly the units of the service', async () => {
    const sums = await endUnderLoad('SIGTERM');
    expect(sums).toEqual({ spent: service.spent(SANDBOX_TOKEN), entries: service.calls.length, uncertain: 0 });
  });
});
