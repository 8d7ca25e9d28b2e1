import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { OTHER_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { saveBudget } from '../../../src/money/ledger/budgets/stored-budgets';
import { openStore } from '../../../src/store/open-store';
import { accountNames } from '../../support/padrons/budgets';
import { post } from '../../support/padrons/padron';
import { answeredLive, answeredShared, askCredit, sharingRig } from '../../support/padrons/sharing-padrons';
import { waitUntil } from '../../support/proxies/deferred';
import { holdResponses } from '../../support/proxies/held-responses';
import { askPriced } from '../../support/requests/money';
import { scrapeMetrics, waitForMetric } from '../../support/requests/scrape-metrics';
import { ownServerRig } from '../../support/stores/engines';
import type { PostgresCluster } from '../../support/stores/postgres';
import { storeMigrations } from '../../support/stores/store-migrations';

const outageMs = 3_000;
const query =
  'query Away($nss: NSS!) { person(nss: $nss) { credit { outcome problems { code retryable retryAfter } evidence { billing } } } }';
const unavailable = {
  outcome: 'NOT_RUN',
  problems: [{ code: 'LEDGER_UNAVAILABLE', retryable: true, retryAfter: expect.any(Number) }],
  evidence: { billing: 'NOT_CHARGED' },
};

type Change = (cluster: PostgresCluster) => Promise<void> | void;
const outages: readonly (readonly [what: string, begin: Change, end: Change])[] = [
  ['restarts', (cluster) => cluster.stop(), (cluster) => cluster.start()],
  ['crashes', (cluster) => cluster.kill(), (cluster) => cluster.start()],
  ['is frozen', (cluster) => cluster.freeze(), (cluster) => cluster.thaw()],
  ['is read-only', (cluster) => cluster.setReadOnly(true), (cluster) => cluster.setReadOnly(false)],
];

describe('processes whose PostgreSQL is unavailable for a while', () => {
  const own = ownServerRig();
  const rig = sharingRig({}, own);

  /** Expects the ledger to have every call of a test, and no call without an end. */
  const expectLedger = async (before: number): Promise<void> => {
    const { query: read, calls } = rig.padrons;
    const closed = `SELECT count(*)::integer AS entries, sum(units)::integer AS units FROM ledger_entries WHERE outcome <> 'OPEN' AND units > 0`;
    const isWhole = async (): Promise<boolean> =>
      Number((await read<{ units: number }>(closed))[0]?.units) === before + calls();
    await waitUntil(isWhole);
    expect(await read(`SELECT FROM ledger_entries WHERE outcome = 'OPEN'`)).toEqual([]);
  };
  const ledgerUnits = async (): Promise<number> =>
    (
      await rig.padrons.query<{ units: number }>('SELECT coalesce(sum(units), 0)::integer AS units FROM ledger_entries')
    )[0]?.units ?? 0;

  it.each(outages)(
    'make callers wait while it %s, send nothing meanwhile, and then pay once',
    async (_what, begin, end) => {
      const { first, second, proxy, calls } = rig.padrons;
      const [known, running, early, ...questions] = Array.from({ length: 9 }, rig.nextPerson) as [
        string,
        string,
        string,
      ];
      expect(await askCredit(first, known)).toEqual(answeredLive);
      await waitForMetric(first, 'padron_ledger_entries_waiting', 0);
      const before = (await ledgerUnits()) - 1;
      const held = holdResponses(proxy);
      const sent = askCredit(first, running);
      await held.arrived(1);

      await begin(own.cluster);
      let isOver = false;
      const ended = sleep(outageMs).then(() => {
        isOver = true;
        return end(own.cluster);
      });
      const asked = questions.flatMap((nss) => [askCredit(first, nss), askCredit(second, nss)]);
      const soon = await askCredit(second, early, { 'x-answer-within': '1s' });
      const replayed = await askCredit(first, known);
      held.release();
      const answered = await sent;
      const meanwhile = { isOver, calls: calls() };
      await ended;
      const answers = await Promise.all(asked);

      expect({ meanwhile, soon, replayed, answered }).toEqual({
        meanwhile: { isOver: false, calls: 2 },
        soon: { ...soon, problems: ['STILL_RUNNING'], spent: 0 },
        replayed: answeredShared,
        answered: answeredLive,
      });
      expect(answers.filter(({ outcome, uncertain }) => outcome !== 'FOUND' || uncertain > 0)).toEqual([]);
      expect(answers.reduce((sum, { spent }) => sum + spent, 0)).toBe(questions.length);
      expect((await askCredit(first, early)).outcome).toBe('FOUND');
      expect(calls()).toBe(questions.length + 3);
      await expectLedger(before);
    },
    60_000,
  );

  it('refuse calls, free, if it is unavailable for longer than a call waits for its turn, and report it', async () => {
    const impatient = await rig.padrons.add({ REGISTRY_TIMEOUT_MS: '2000' });
    const [known, nss] = [rig.nextPerson(), rig.nextPerson()];
    expect(await askCredit(impatient, known)).toEqual(answeredLive);
    await waitForMetric(impatient, 'padron_ledger_entries_waiting', 0);
    await own.cluster.kill();
    const starting = await rig.padrons.add({ REGISTRY_TIMEOUT_MS: '2000' });
    const readiness = (await fetch(new URL('/health/ready', starting.url))).status;
    const refusals = [];
    for (const padron of [impatient, starting]) {
      const { data, units } = await askPriced(padron, { query, variables: { nss } });
      const away = (await scrapeMetrics(padron)).of('padron_ledger_store_away');
      const { errors } = await post(padron.url, { query: '{ registrySpend { units } }' });
      refusals.push([data?.person.credit, units?.spent, units?.uncertain, away, errors?.[0].extensions.code]);
    }
    const replayed = await askCredit(impatient, known);
    await own.cluster.start();
    const refused = [unavailable, 0, 0, 1, 'LEDGER_UNAVAILABLE'];
    expect([refusals, readiness, replayed]).toEqual([[refused, refused], 503, answeredShared]);
    expect(rig.padrons.calls()).toBe(1);
    for (const padron of [impatient, starting]) {
      await waitForMetric(padron, 'padron_ledger_store_away', 0);
      await waitUntil(async () => (await fetch(new URL('/health/ready', padron.url))).ok);
    }
    expect(await askCredit(starting, nss)).toEqual(answeredLive);
    for (const padron of [impatient, starting]) await padron.stop();
  });

  it('answer calls of an account with a limit while rows of another account are locked', async () => {
    const { first, second, proxy, settings } = rig.padrons;
    const otherAccount = { authorization: `Bearer ${OTHER_TOKEN}` };
    const url = settings().DATABASE_URL ?? '';
    const store = await openStore({ kind: 'postgres', url }, storeMigrations);
    const terms = { id: null, client: null, tag: null, period: 'DAY', units: 100, alertsAt: [] } as const;
    await saveBudget(store, accountNames(proxy.url, OTHER_TOKEN), terms);
    await store.close();
    const held = holdResponses(proxy);
    const locked = Array.from({ length: 4 }, () => askCredit(first, rig.nextPerson()));
    await held.arrived(4);
    const [account] = accountNames(proxy.url);
    const stranger = new Client({ connectionString: url });
    await stranger.connect();
    try {
      await stranger.query('BEGIN');
      await stranger.query('SELECT ledger_lock(ARRAY[$1])', [account]);
      for (const table of ['ledger_entries', 'ledger_spend'])
        await stranger.query(`SELECT FROM ${table} WHERE account = $1 FOR UPDATE`, [account]);
      await stranger.query('SELECT FROM calls FOR UPDATE');
      held.release();
      locked.push(...Array.from({ length: 4 }, () => askCredit(second, rig.nextPerson())));
      const answers = [];
      for (let call = 0; call < 8; call += 1) {
        answers.push(askCredit(call % 2 === 0 ? first : second, rig.nextPerson(), otherAccount));
        await sleep(500);
      }
      expect((await Promise.all(answers)).filter(({ outcome }) => outcome !== 'FOUND')).toEqual([]);
      await stranger.query('ROLLBACK');
      expect((await Promise.all(locked)).filter(({ outcome }) => outcome !== 'FOUND')).toEqual([]);
    } finally {
      await stranger.end();
    }
  });
});
