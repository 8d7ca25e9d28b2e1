import { batchMigrations } from '../../../src/batch/sql/migrations';
import { ledgerMigrations } from '../../../src/ledger/sql/migrations';
import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { openStore } from '../../../src/store/open-store';
import { withPadron } from '../../support/padrons/with-padron';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { sandboxForEachTest } from '../../support/sandbox/sandbox-for-tests';
import { engineRig, engines } from '../../support/stores/engines';
import { openPreviousStore, revertWorkerFunctions } from '../../support/stores/previous-worker-functions';

const rows = NSS.slice(0, 200).map((nss) => ({ nss }));

describe.each(engines)(
  'a store of the version before the functions of workers were renamed, on the %s engine',
  (engine) => {
    const rig = engineRig(engine);
    const sandbox = sandboxForEachTest();

    it('opens, and a batch that was running then runs to its end without paying twice', async () => {
      const { store: settings, environment } = await rig.settings();
      const setup = {
        environment: { ...environment, BATCH_TOKENS: 'sealed', BATCH_CONCURRENCY: '1' },
        registryUrl: () => sandbox.url,
      };
      const id = await withPadron(setup, async (padron) => {
        const client = new BatchClient(padron);
        const ready = await client.ready(CREDIT, rows);
        await client.change(`startRegistryBatch(id: "${ready.id}", maxUnits: 500)`);
        return ready.id;
      });
      expect(sandbox.spent(SANDBOX_TOKEN)).toBeLessThan(rows.length);
      await revertWorkerFunctions(settings);
      await withPadron(setup, async (padron) => {
        const done = await new BatchClient(padron).until(id, 'DONE', 'PAUSED');
        expect(done).toMatchObject({ state: 'DONE', progress: { done: 200, spentUnits: 200, uncertainUnits: 0 } });
      });
      expect(sandbox.spent(SANDBOX_TOKEN)).toBe(rows.length);
    }, 180_000);
  },
);

describe('a process of the version before the functions of workers were renamed', () => {
  const rig = engineRig('postgres');

  it('continues to work after a process of this version has migrated the store', async () => {
    const { store: settings } = await rig.settings();
    const previous = await openPreviousStore(settings);
    await previous.query(
      `INSERT INTO batch (id, account, fingerprint, state, sandbox, uses_server_token, language, retention_days, runs, max_units, total, reserved, expires_at)
      VALUES ('batch', 'account', '', 'RUNNING', false, false, 'en', 1, 1, 9, 2, 1, now())`,
    );
    await previous.query(
      `INSERT INTO batch_row (batch, number, state, worker, input) VALUES ('batch', 1, 'RUNNING', 'dead', 'row'), ('batch', 2, 'RUNNING', 'old', 'row')`,
    );
    await previous.query(
      `INSERT INTO batch_question (batch, name, state, worker, claim, row_number, price) VALUES ('batch', 'question', 'ASKED', 'dead', 'claim', 1, 1)`,
    );
    await previous.query(`INSERT INTO batch_worker (id, seen_at) VALUES ('dead', now() - interval '1 minute')`);
    const workers = () => previous.query('SELECT id FROM batch_worker ORDER BY id');
    const waiting = () =>
      previous.query(`SELECT number FROM batch_row WHERE state = 'WAITING' AND worker IS NULL ORDER BY number`);
    await previous.query('SELECT batch_tick($1, $2)', ['old', null]);
    expect(await workers()).toEqual([{ id: 'dead' }, { id: 'old' }]);

    const current = await openStore(settings, [...ledgerMigrations, ...batchMigrations]);
    await current.query('SELECT batch_heartbeat($1, $2)', ['new', null]);
    await previous.query('SELECT batch_tick($1, $2)', ['old', 10_000]);
    expect(await workers()).toEqual([{ id: 'new' }, { id: 'old' }]);
    expect(await waiting()).toEqual([{ number: 1 }]);
    expect(await previous.query('SELECT state, reserved, uncertain FROM batch')).toEqual([
      { state: 'RUNNING', reserved: 0, uncertain: 1 },
    ]);
    await previous.query('SELECT batch_drop($1, $2)', ['batch', 'old']);
    expect(await waiting()).toEqual([{ number: 1 }, { number: 2 }]);
    await previous.query('SELECT batch_bury($1)', ['old']);
    expect(await workers()).toEqual([{ id: 'new' }]);
    await previous.close();
    await current.close();
  });
});
