import { randomBytes } from 'node:crypto';
import { OperationKey } from '../../../src/money/operations/lasting-operations';
import { SharedNames } from '../../../src/money/store/shared-names';
import { PostgresEngine } from '../../../src/store/postgres-engine';
import { sharingRig } from '../../support/padrons/sharing-padrons';
import { askPriced, priceOf } from '../../support/requests/money';
import { waitForMetric } from '../../support/requests/scrape-metrics';
import { engineRig } from '../../support/stores/engines';
import { newOperation } from './operation';

const answerBytes = 1_500_000;

const waysToKeep: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['an operation', newOperation().begin],
  ['requests with an age', { 'x-max-age': '1d' }],
];

describe('large answers', () => {
  const rig = sharingRig({ REPLAY_SECONDS: '0', REUSE_DAYS: '1' }, engineRig('postgres'));
  afterEach(() => jest.restoreAllMocks());

  it.each(waysToKeep)('that are kept by %s are read a few at a time, and a price reads none', async (_, headers) => {
    const { first, second, proxy, calls } = rig.padrons;
    const relleno = randomBytes(answerBytes / 2).toString('hex');
    proxy.tamper(({ json }) => ({ json: { ...(json as object), relleno } }));
    const fields = Array.from(
      { length: 12 },
      (_, index) => `p${index}: person(nss: "${rig.nextPerson()}") { housingAccount { outcome } }`,
    );
    const query = { query: `{ ${fields.join(' ')} }` };
    expect((await askPriced(first, query, headers)).units?.spent).toBe(fields.length);
    await waitForMetric(first, 'padron_ledger_entries_waiting', 0);

    /** Bytes of what is opened. A failed expectation would print them. */
    const opened: number[] = [];
    for (const prototype of [OperationKey.prototype, SharedNames.prototype]) {
      const open: (context: string, sealed: Buffer) => Buffer = prototype.open as never;
      jest.spyOn(prototype, 'open').mockImplementation(function (this: object, context: string, sealed: Buffer) {
        opened.push(sealed.length);
        return open.call(this, context, sealed);
      });
    }
    expect(await priceOf(second, query, headers)).toMatchObject({ estimatedUnits: 0, atMost: 0 });
    // The key of an operation is opened.
    expect(opened.filter((bytes) => bytes > 1_000)).toEqual([]);

    const read: number[] = [];
    const { query: run } = PostgresEngine.prototype;
    jest.spyOn(PostgresEngine.prototype, 'query').mockImplementation(async function (
      this: PostgresEngine,
      ...statement
    ) {
      const rows = await run.apply(this, statement);
      read.push(rows.reduce((sum, row) => sum + ((row as { readonly answer?: Buffer | null }).answer?.length ?? 0), 0));
      return rows;
    });
    const before = calls();
    const { data, units } = await askPriced(second, query, headers);
    expect([Object.values(data).length, units?.spent, calls()]).toEqual([fields.length, 0, before]);
    expect(opened.filter((bytes) => bytes > answerBytes)).toHaveLength(fields.length);
    expect(Math.max(...read)).toBeGreaterThan(answerBytes);
    expect(Math.max(...read)).toBeLessThanOrEqual(4_000_000);
  });
});
