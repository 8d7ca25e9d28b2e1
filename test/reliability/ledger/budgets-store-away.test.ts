import { people } from '../../../src/sandbox/data/people';
import { DATA_KEY, insertBudget } from '../../support/padrons/budgets';
import { preparePadron } from '../../support/padrons/ledger';
import { post, type RunningPadron } from '../../support/padrons/padron';
import { startProcess } from '../../support/processes/process';
import { waitUntil } from '../../support/proxies/deferred';
import { scrapeMetrics, waitForMetric } from '../../support/requests/scrape-metrics';
import { card } from '../../support/sandbox/cards';
import { sandboxForEachTest } from '../../support/sandbox/sandbox-for-tests';
import { engineRig } from '../../support/stores/engines';

const query = 'query Budget($nss: NSS!) { person(nss: $nss) { credit { outcome problems { code } } } }';
const indebted = people.filter(({ credit }) => credit !== null && credit !== '').map(({ nss }) => nss);

const codeOf = async (padron: RunningPadron, index: number, client = 'anybody'): Promise<string> => {
  const { credit } = (await padron.ask(query, { nss: indebted[index] }, { 'x-client-name': client })).data.person;
  return credit.problems[0]?.code ?? credit.outcome;
};

describe('a budget while its store is unavailable', () => {
  const rig = engineRig('postgres');
  const service = sandboxForEachTest();

  it('prevents every paid call of a process that has not reached its store since its start, and is not ready', async () => {
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY });
    await insertBudget(prepared, service.url, { units: 1, client: 'payroll' });
    await rig.cluster.kill();
    const padron = await prepared.start({ registryUrl: () => service.url });
    const readiness = async () => {
      const response = await fetch(new URL('/health/ready', padron.url));
      return [response.status, await response.json()];
    };
    expect(await readiness()).toEqual([
      503,
      { status: 'starting', service: 'remote', ledgerStore: 'unavailable', paidCalls: 'stopped' },
    ]);
    expect([await codeOf(padron, 0, 'payroll'), await codeOf(padron, 0, 'sales')]).toEqual([
      'LEDGER_UNAVAILABLE',
      'LEDGER_UNAVAILABLE',
    ]);
    expect(service.calls).toEqual([]);
    await rig.cluster.start();
    await waitForMetric(padron, 'padron_ledger_store_away', 0, 20);
    expect(await readiness()).toEqual([200, { status: 'ok', service: 'remote', ledgerStore: 'available' }]);
    const codes = [];
    for (const client of ['payroll', 'payroll', 'sales']) codes.push(await codeOf(padron, codes.length, client));
    expect(codes).toEqual(['FOUND', 'BUDGET_EXHAUSTED', 'FOUND']);
    await padron.stop();
  }, 60_000);

  it.each(['kill', 'freeze'] as const)(
    'rejects its calls within three seconds and reports the outage, while other calls continue: %s',
    async (failure) => {
      const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY });
      await insertBudget(prepared, service.url, { units: 3, client: 'payroll' });
      const padron = await prepared.start({ registryUrl: () => service.url });
      expect(await codeOf(padron, 0, 'payroll')).toBe('FOUND');
      if (failure === 'kill') await rig.cluster.kill();
      else rig.cluster.freeze();
      const started = performance.now();
      expect(await codeOf(padron, 1, 'payroll')).toBe('LEDGER_UNAVAILABLE');
      expect(performance.now() - started).toBeLessThan(4_000);
      expect((await scrapeMetrics(padron)).of('padron_ledger_store_away')).toBe(1);
      expect(await codeOf(padron, 1, 'sales')).toBe('FOUND');
      expect(service.calls).toHaveLength(2);
      if (failure === 'kill') await rig.cluster.start();
      else rig.cluster.thaw();
      await waitForMetric(padron, 'padron_ledger_store_away', 0, 20);
      for (const text of ['the store of the ledger is unavailable', 'the store of the ledger is available again'])
        expect(padron.log.filter((line) => line.includes(text))).toHaveLength(1);
      await waitForMetric(padron, 'padron_ledger_entries_waiting', 0, 20);
      const codes = [];
      for (const index of [2, 3, 4]) codes.push(await codeOf(padron, index, 'payroll'));
      // The call that was not sent reserves no units.
      expect(codes).toEqual(['FOUND', 'FOUND', 'BUDGET_EXHAUSTED']);
      await padron.stop();
      // The call that was not sent may have an entry, which has no units.
      const rows = await prepared.rows();
      expect(rows.filter(({ units }) => units > 0)).toHaveLength(4);
      expect(rows.length).toBeLessThanOrEqual(5);
    },
    60_000,
  );

  it('is reported after a failed read, also without calls', async () => {
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY });
    const padron = await prepared.start({ registryUrl: () => service.url });
    await rig.cluster.kill();
    const { errors } = await padron.ask('{ registrySpend { units } }');
    expect(errors?.[0].extensions.code).toBe('LEDGER_UNAVAILABLE');
    expect((await scrapeMetrics(padron)).of('padron_ledger_store_away')).toBe(1);
    await rig.cluster.start();
    await waitForMetric(padron, 'padron_ledger_store_away', 0, 20);
    await padron.stop();
  }, 60_000);

  it('prevents every call from the start with LEDGER=required', async () => {
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY, LEDGER: 'required' });
    await insertBudget(prepared, service.url, { units: 0 });
    await rig.cluster.kill();
    const padron = await prepared.start({ registryUrl: () => service.url });
    expect(await codeOf(padron, 0)).toBe('LEDGER_UNAVAILABLE');
    await rig.cluster.start();
    await waitForMetric(padron, 'padron_ledger_store_away', 0, 20);
    expect(await codeOf(padron, 0)).toBe('BUDGET_EXHAUSTED');
    expect(service.calls).toEqual([]);
    await padron.stop();
  }, 60_000);

  it('reserves the price of a call whose process was killed', async () => {
    const prepared = await preparePadron(rig, { DATA_KEYS: DATA_KEY });
    await insertBudget(prepared, service.url, { units: 2 });
    const killed = startProcess({ ...prepared.environment, PORT: '0', REGISTRY_URL: service.url });
    const url = await killed.address();
    post(url, { query, variables: { nss: card('slow', 'nss') } }).catch(() => undefined);
    await waitUntil(() => service.calls.length === 1);
    killed.child.kill('SIGKILL');
    await killed.ended();
    const padron = await prepared.start({ registryUrl: () => service.url, environment: { DATA_DIR: rig.folder() } });
    expect([await codeOf(padron, 0), await codeOf(padron, 1)]).toEqual(['FOUND', 'BUDGET_EXHAUSTED']);
    await padron.stop();
    expect((await prepared.rows()).map(({ outcome, billing }) => [outcome, billing]).sort()).toEqual([
      ['FOUND', 'CHARGED'],
      ['OPEN', 'UNKNOWN'],
    ]);
  }, 60_000);
});
