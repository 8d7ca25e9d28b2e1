import { batchMigrations } from '../../../src/batch/sql/migrations';
import { ledgerMigrations } from '../../../src/ledger/sql/migrations';
import { openStore } from '../../../src/store/open-store';
import { engineRig, engines } from '../../support/stores/engines';

const name = 'batch-9-retryable';
const insert = `INSERT INTO batch (id, account, fingerprint, state, wrapped_key, sandbox, uses_server_token, language, retention_days, runs, max_units,
  total, failed, done, expires_at) VALUES ($1, 'account', '', $2, '', false, true, 'en', 1, 1, 9, $3, $4, $5, now() + interval '1 day')`;

describe.each(engines)('a store of the version before failed rows were marked, on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('opens with all failed rows as retryable, and with an hour for batches that wait for their rows', async () => {
    const { store: settings } = await rig.settings();
    const before = batchMigrations.filter((migration) => migration.name !== name);
    const previous = await openStore(settings, [...ledgerMigrations, ...before]);
    await previous.query(insert, ['done', 'DONE', 3, 2, 1]);
    await previous.query(insert, ['waiting', 'WAITING_FOR_ROWS', 0, 0, 0]);
    await previous.query(
      `INSERT INTO batch_row (batch, number, state, input) VALUES ('done', 1, 'FAILED', 'x'), ('done', 2, 'FAILED', 'x'), ('done', 3, 'DONE', 'x')`,
    );
    await previous.close();

    const store = await openStore(settings, [...ledgerMigrations, ...batchMigrations]);
    expect(await store.query('SELECT id, retryable FROM batch ORDER BY id')).toEqual([
      { id: 'done', retryable: 2 },
      { id: 'waiting', retryable: 0 },
    ]);
    const [waiting] = await store.query(
      `SELECT waits_until > now() + interval '55 minutes' AND waits_until < now() + interval '65 minutes' AS "isHour" FROM batch WHERE id = 'waiting'`,
    );
    expect(waiting).toEqual({ isHour: true });
    await store.query(`SELECT batch_retry('done', 'FAILED', 9, NULL, NULL, NULL, NULL, NULL)`);
    expect(await store.query(`SELECT state, failed, retryable FROM batch WHERE id = 'done'`)).toEqual([
      { state: 'RUNNING', failed: 0, retryable: 0 },
    ]);

    // A worker of the previous version does not say whether the row may succeed.
    const finished = (row: object) => JSON.stringify([{ state: 'FAILED', tries: 0, units: 0, subjects: [], ...row }]);
    await store.query(`SELECT * FROM batch_lease('done', 'worker', 2, 9)`);
    await store.query(`SELECT batch_finish('done', 'worker', $1::json)`, [finished({ number: 1 })]);
    await store.query(`SELECT batch_finish('done', 'worker', $1::json)`, [finished({ number: 2, retryable: false })]);
    expect(await store.query(`SELECT state, failed, retryable FROM batch WHERE id = 'done'`)).toEqual([
      { state: 'DONE', failed: 2, retryable: 1 },
    ]);
    await store.query(`INSERT INTO batch_subject (hash, batch, number) VALUES ('\\xab', 'done', 1)`);
    await store.query(`SELECT batch_erase_subject('["account"]', '["ab"]')`);
    expect(await store.query(`SELECT failed, retryable FROM batch WHERE id = 'done'`)).toEqual([
      { failed: 2, retryable: 0 },
    ]);
    // Neither does a process of the previous version that creates a batch.
    await store.query(insert, ['new', 'WAITING_FOR_ROWS', 0, 0, 0]);
    expect(await store.query(`SELECT id FROM batch WHERE waits_until > now() AND id = 'new'`)).toEqual([{ id: 'new' }]);
    await store.close();
  });
});
