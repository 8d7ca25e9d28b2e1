import { people } from '../../src/sandbox/data/people';
import { type Sandbox, startSandbox } from '../../src/sandbox/service';
import { DATA_KEY, giveBudget } from '../support/budgets';
import { card } from '../support/cards';
import { waitUntil } from '../support/deferred';
import { engineRig } from '../support/engines';
import { type KeptPadron, keptPadron } from '../support/ledger';
import type { RunningPadron } from '../support/padron';
import { waitForMetric } from '../support/scrape-metrics';

const query = 'query Budget($nss: NSS!) { person(nss: $nss) { credit { outcome problems { code } } } }';
const indebted = people.filter(({ credit }) => credit !== null && credit !== '').map(({ nss }) => nss);

const codeOf = async (padron: RunningPadron, index: number, client = 'anybody'): Promise<string> => {
  const { credit } = (await padron.ask(query, { nss: indebted[index] }, { 'x-client-name': client })).data.person;
  return credit.problems[0]?.code ?? credit.outcome;
};

const granted = (kept: KeptPadron): Promise<number | undefined> =>
  kept.read(async (store) => {
    const [row] = await store.query<{ granted: number }>('SELECT granted FROM ledger_budget_periods');
    return row?.granted;
  });

describe('a budget whose store is away', () => {
  const rig = engineRig('postgres');
  let service: Sandbox;
  beforeEach(async () => {
    service = await startSandbox();
  });
  afterEach(() => service.close());

  it('bounds nothing where a process starts meanwhile that knows of none, until it is back, which is shown; then it holds, and its first day counts from the start', async () => {
    const kept = await keptPadron(rig, { DATA_KEYS: DATA_KEY });
    await giveBudget(kept, service.url, { units: 3 });
    await rig.cluster.kill();
    const padron = await kept.start({ registryUrl: () => service.url });
    await waitForMetric(padron, 'padron_ledger_store_away', 1, 20);
    expect(padron.log.filter((line) => line.includes('the store of the ledger cannot be reached'))).toHaveLength(1);
    const codes = [];
    for (let index = 0; index < 4; index += 1) codes.push(await codeOf(padron, index));
    expect(codes).toEqual(['FOUND', 'FOUND', 'FOUND', 'FOUND']);
    await rig.cluster.start();
    await waitForMetric(padron, 'padron_ledger_store_away', 0, 20);
    await waitForMetric(padron, 'padron_ledger_entries_waiting', 0, 20);
    expect(await codeOf(padron, 4)).toBe('BUDGET_EXHAUSTED');
    expect(service.calls).toHaveLength(4);
    await padron.stop();
  }, 60_000);

  it('bounds a process that starts meanwhile and knew of it when it ended, and nobody else', async () => {
    const kept = await keptPadron(rig, { DATA_KEYS: DATA_KEY });
    await giveBudget(kept, service.url, { units: 3, client: 'payroll' });
    const before = await kept.start({ registryUrl: () => service.url });
    expect(await codeOf(before, 0, 'payroll')).toBe('FOUND');
    await before.stop();
    await rig.cluster.kill();
    const padron = await kept.start({ registryUrl: () => service.url });
    expect(await codeOf(padron, 1, 'payroll')).toBe('LEDGER_UNAVAILABLE');
    expect(await codeOf(padron, 1, 'sales')).toBe('FOUND');
    expect(service.calls).toHaveLength(2);
    await rig.cluster.start();
    await waitForMetric(padron, 'padron_ledger_store_away', 0, 20);
    const codes = [];
    for (const index of [1, 2, 3]) codes.push(await codeOf(padron, index, 'payroll'));
    expect(codes).toEqual(['FOUND', 'FOUND', 'BUDGET_EXHAUSTED']);
    await padron.stop();
  }, 60_000);

  it('counts what left unbounded when it is back, also where others had spent of it before', async () => {
    const kept = await keptPadron(rig, { DATA_KEYS: DATA_KEY });
    await giveBudget(kept, service.url, { units: 6 });
    const neighbour = await kept.start({ registryUrl: () => service.url });
    expect(await codeOf(neighbour, 0)).toBe('FOUND');
    await rig.cluster.kill();
    const padron = await kept.start({ registryUrl: () => service.url, environment: { DATA_DIR: rig.folder() } });
    for (const index of [1, 2]) expect(await codeOf(padron, index)).toBe('FOUND');
    const slow = padron.ask(query, { nss: card('slow', 'nss') });
    await rig.cluster.start();
    await waitForMetric(padron, 'padron_ledger_entries_waiting', 0, 20);
    await waitUntil(async () => (await granted(kept)) === 4);
    expect((await slow).data.person.credit.problems).toEqual([]);
    expect(await granted(kept)).toBe(4);
    const codes = [];
    for (const index of [4, 5, 6]) codes.push(await codeOf(index === 5 ? neighbour : padron, index));
    expect(codes).toEqual(['FOUND', 'FOUND', 'BUDGET_EXHAUSTED']);
    expect(service.calls).toHaveLength(6);
    await Promise.all([padron.stop(), neighbour.stop()]);
  }, 60_000);

  it('bounds as it was set last, where it was moved while the process was down', async () => {
    const kept = await keptPadron(rig, { DATA_KEYS: DATA_KEY });
    await giveBudget(kept, service.url, { units: 3, client: 'payroll' });
    await (await kept.start({ registryUrl: () => service.url })).stop();
    await kept.read((store) => store.query(`UPDATE ledger_budgets SET client = 'sales', units = 1`));
    await rig.cluster.kill();
    const padron = await kept.start({ registryUrl: () => service.url });
    expect(await codeOf(padron, 0, 'payroll')).toBe('LEDGER_UNAVAILABLE');
    await rig.cluster.start();
    // Nothing has been brought in yet: this call is the first that comes to the store.
    const codes = [];
    for (const client of ['payroll', 'sales', 'sales']) codes.push(await codeOf(padron, 1, client));
    expect(codes).toEqual(['FOUND', 'FOUND', 'BUDGET_EXHAUSTED']);
    await padron.stop();
  }, 60_000);

  it('is not passed by where the store comes back and refuses the process', async () => {
    const kept = await keptPadron(rig, { DATA_KEYS: DATA_KEY });
    await giveBudget(kept, service.url, { units: 3, client: 'payroll' });
    await (await kept.start({ registryUrl: () => service.url })).stop();
    const name = new URL(kept.environment.DATABASE_URL ?? '').pathname.slice(1);
    await rig.cluster.run(`ALTER DATABASE ${name} RENAME TO ${name}_away`);
    await rig.cluster.kill();
    const padron = await kept.start({ registryUrl: () => service.url });
    await rig.cluster.start();
    const codes = [await codeOf(padron, 0, 'payroll'), await codeOf(padron, 0, 'sales')];
    expect(codes).toEqual(['LEDGER_UNAVAILABLE', 'FOUND']);
    await rig.cluster.run(`ALTER DATABASE ${name}_away RENAME TO ${name}`);
    await waitForMetric(padron, 'padron_ledger_store_away', 0, 20);
    expect(await codeOf(padron, 0, 'payroll')).toBe('FOUND');
    await padron.stop();
  }, 60_000);

  it('is spent as far as the process had set it aside, where the store went away later', async () => {
    const kept = await keptPadron(rig, { DATA_KEYS: DATA_KEY });
    // A fiftieth is set aside at once.
    await giveBudget(kept, service.url, { units: 100 });
    const padron = await kept.start({ registryUrl: () => service.url });
    const codes = [await codeOf(padron, 0)];
    await rig.cluster.kill();
    for (const index of [1, 2]) codes.push(await codeOf(padron, index));
    expect(codes).toEqual(['FOUND', 'FOUND', 'LEDGER_UNAVAILABLE']);
    expect(service.calls).toHaveLength(2);
    await rig.cluster.start();
    await waitForMetric(padron, 'padron_ledger_store_away', 0, 20);
    expect(await codeOf(padron, 3)).toBe('FOUND');
    await padron.stop();
  }, 60_000);

  it('lets no call leave where each must be entered, from the first moment', async () => {
    const kept = await keptPadron(rig, { DATA_KEYS: DATA_KEY, LEDGER: 'required' });
    await giveBudget(kept, service.url, { units: 0 });
    await rig.cluster.kill();
    const padron = await kept.start({ registryUrl: () => service.url });
    expect(await codeOf(padron, 0)).toBe('LEDGER_UNAVAILABLE');
    await rig.cluster.start();
    await waitForMetric(padron, 'padron_ledger_store_away', 0, 20);
    expect(await codeOf(padron, 0)).toBe('BUDGET_EXHAUSTED');
    expect(service.calls).toEqual([]);
    await padron.stop();
  }, 60_000);
});
