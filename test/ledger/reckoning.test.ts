import { Calendar } from '../../src/ledger/budgets/period';
import { reckonPeriod } from '../../src/ledger/budgets/slice-rows';
import { people } from '../../src/sandbox/data/people';
import { type Sandbox, startSandbox } from '../../src/sandbox/service';
import type { Store } from '../../src/store/store';
import { DATA_KEY, giveBudget } from '../support/budgets';
import { type EngineRig, engineRig, engines } from '../support/engines';
import { type KeptPadron, keptPadron } from '../support/ledger';
import type { RunningPadron } from '../support/padron';

const calendar = new Calendar('America/Mexico_City');
const query = '{ person(nss: "NSS") { credit { outcome } } }';
const buy = async (padron: RunningPadron, count: number): Promise<void> => {
  for (const { nss } of people.slice(0, count)) await padron.ask(query.replace('NSS', nss));
};

/** What a day's budget counts as taken, as it stands and reckoned anew. */
async function grantedBeforeAndAfter(store: Store): Promise<readonly number[]> {
  const granted = async (): Promise<number> => {
    const [row] = await store.query<{ granted: number }>('SELECT granted FROM ledger_budget_periods');
    return row?.granted ?? Number.NaN;
  };
  const before = await granted();
  const [budget] = await store.query<{ id: string }>('SELECT id FROM ledger_budgets');
  await reckonPeriod(store, budget?.id ?? '', calendar.periodOf('DAY', new Date()));
  return [before, await granted()];
}

/** A call of a process that knew of no budget, entered after others had spent of it. */
const enterUnbounded = (store: Store, billing: string): Promise<unknown> =>
  store.query(
    `INSERT INTO ledger_entries (id, at, account, process, endpoint, outcome, units, price, billing, served_from)
     SELECT max(id) || 'X', now(), min(account), 'STRANGER', min(endpoint), 'FOUND', CASE $1 WHEN 'CHARGED' THEN 1 ELSE 0 END, 1, $1, 'LIVE'
     FROM ledger_entries`,
    [billing],
  );

let service: Sandbox;
beforeEach(async () => {
  service = await startSandbox();
});
afterEach(() => service.close());

async function setUp(rig: EngineRig): Promise<{ readonly kept: KeptPadron; readonly padron: RunningPadron }> {
  const kept = await keptPadron(rig, { DATA_KEYS: DATA_KEY });
  await giveBudget(kept, service.url, { units: 100 });
  return { kept, padron: await kept.start({ registryUrl: () => service.url }) };
}

describe.each(engines)('a budget that is reckoned anew on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('stays as it is where all was bounded by it', async () => {
    const { kept, padron } = await setUp(rig);
    await buy(padron, 3);
    await padron.stop();
    expect(await kept.read(grantedBeforeAndAfter)).toEqual([3, 3]);
  });

  it('takes in once what was not, with the price of what may have been charged', async () => {
    const { kept, padron } = await setUp(rig);
    await buy(padron, 2);
    await padron.stop();
    await kept.read(async (store) => {
      await enterUnbounded(store, 'CHARGED');
      await enterUnbounded(store, 'UNKNOWN');
      await enterUnbounded(store, 'NOT_CHARGED');
      expect(await grantedBeforeAndAfter(store)).toEqual([2, 4]);
      expect(await grantedBeforeAndAfter(store)).toEqual([4, 4]);
    });
  });
});

describe('a budget that is reckoned anew while a process spends of it', () => {
  const rig = engineRig('postgres');

  it('keeps what that one holds and has not spent', async () => {
    const { kept, padron } = await setUp(rig);
    await buy(padron, 1);
    // A fiftieth is set aside at once.
    expect(await kept.read(grantedBeforeAndAfter)).toEqual([2, 2]);
    await buy(padron, 2);
    await padron.stop();
    expect(await kept.read(grantedBeforeAndAfter)).toEqual([3, 3]);
  });
});
