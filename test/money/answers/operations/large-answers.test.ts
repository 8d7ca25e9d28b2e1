import { randomBytes } from 'node:crypto';
import { PostgresEngine } from '../../../../src/store/postgres-engine';
import { sharingRig } from '../../../support/padrons/sharing-padrons';
import { askPriced, priceOf } from '../../../support/requests/money';
import { waitForMetric } from '../../../support/requests/scrape-metrics';
import { engineRig } from '../../../support/stores/engines';
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

    /** Bytes of the answers that each statement reads. */
    const read: (readonly number[])[] = [];
    for (const method of ['query', 'read'] as const) {
      const run = PostgresEngine.prototype[method];
      jest.spyOn(PostgresEngine.prototype, method).mockImplementation(async function (
        this: PostgresEngine,
        ...statement
      ) {
        const rows = (await run.apply(this, statement)) as readonly {
          readonly [column in 'answer' | 'sealed']?: Buffer | null;
        }[];
        read.push(rows.flatMap(({ answer, sealed }) => (answer ?? sealed)?.length ?? []));
        return rows;
      });
    }
    expect(await priceOf(second, query, headers)).toMatchObject({ estimatedUnits: 0, atMost: 0 });
    expect([read.length > 0, read.flat()]).toEqual([true, []]);

    const before = calls();
    const { data, units } = await askPriced(second, query, headers);
    expect([Object.values(data).length, units?.spent, calls()]).toEqual([fields.length, 0, before]);
    expect(read.flat().filter((bytes) => bytes > answerBytes)).toHaveLength(fields.length);
    const sums = read.map((each) => each.reduce((sum, bytes) => sum + bytes, 0));
    expect(Math.max(...sums)).toBeGreaterThan(answerBytes);
    expect(Math.max(...sums)).toBeLessThanOrEqual(4_000_000);
  });
});
