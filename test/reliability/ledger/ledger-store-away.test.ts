import { people } from '../../../src/sandbox/data/people';
import { type LedgerRow, preparePadron } from '../../support/padrons/ledger';
import type { RunningPadron } from '../../support/padrons/padron';
import { scrapeMetrics, waitForMetric } from '../../support/requests/scrape-metrics';
import { engineRig } from '../../support/stores/engines';

const query =
  'query Away($nss: NSS!) { person(nss: $nss) { credit { outcome problems { code retryable retryAfter } evidence { billing } } } }';

const askFor = (padron: RunningPadron, from: number, count: number) =>
  Promise.all(people.slice(from, from + count).map(({ nss }) => padron.ask(query, { nss })));

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The condition was not met.');
}

const linesOf = (padron: RunningPadron, text: string): number =>
  padron.log.filter((line) => line.includes(text)).length;

describe('a ledger while PostgreSQL is unavailable', () => {
  const rig = engineRig('postgres');

  it.each(['kill', 'freeze'] as const)(
    'continues to answer and loses no entry: %s',
    async (failure) => {
      const prepared = await preparePadron(rig);
      const padron = await prepared.start();
      await askFor(padron, 0, 5);
      await waitForMetric(padron, 'padron_ledger_entries_waiting', 0, 20);
      if (failure === 'kill') await rig.cluster.kill();
      else rig.cluster.freeze();
      const answers = await askFor(padron, 5, 20);
      expect(answers.map(({ data }) => data.person.credit.outcome)).not.toContain('NOT_RUN');
      await waitForMetric(padron, 'padron_ledger_store_away', 1, 20);
      expect((await scrapeMetrics(padron)).of('padron_ledger_entries_waiting')).toBe(20);
      if (failure === 'kill') await rig.cluster.start();
      else rig.cluster.thaw();
      await waitForMetric(padron, 'padron_ledger_entries_waiting', 0, 20);
      expect(linesOf(padron, 'is unavailable: entries wait')).toBe(1);
      expect(linesOf(padron, 'is available again')).toBe(1);
      const calls = padron.calls().length;
      await padron.stop();
      expect(await prepared.rows()).toHaveLength(calls);
    },
    60_000,
  );

  it('writes entries that were waiting at the end after the next start', async () => {
    const prepared = await preparePadron(rig);
    const first = await prepared.start();
    await rig.cluster.kill();
    await askFor(first, 0, 10);
    const calls = first.calls().length;
    await first.stop();
    await rig.cluster.start();
    const second = await prepared.start();
    await until(async () => (await prepared.rows()).length === calls);
    await second.stop();
    expect((await prepared.rows()).filter(({ billing }: LedgerRow) => billing === 'UNKNOWN')).toEqual([]);
  }, 60_000);

  it('sends no calls with LEDGER=required, and continues afterwards', async () => {
    const prepared = await preparePadron(rig, { LEDGER: 'required' });
    await rig.cluster.kill();
    const padron = await prepared.start();
    await waitForMetric(padron, 'padron_ledger_store_away', 1, 20);
    const [answer] = await askFor(padron, 0, 1);
    expect(answer?.data.person.credit).toEqual({
      outcome: 'NOT_RUN',
      problems: [{ code: 'LEDGER_UNAVAILABLE', retryable: true, retryAfter: 5 }],
      evidence: { billing: 'NOT_CHARGED' },
    });
    expect(padron.calls()).toEqual([]);
    await rig.cluster.start();
    await waitForMetric(padron, 'padron_ledger_store_away', 0, 20);
    const [again] = await askFor(padron, 0, 1);
    expect(again?.data.person.credit.outcome).not.toBe('NOT_RUN');
    await padron.stop();
    expect(await prepared.rows()).toHaveLength(1);
  }, 60_000);
});
