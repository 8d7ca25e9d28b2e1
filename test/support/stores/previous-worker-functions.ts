import { batchMigrations } from '../../../src/batch/sql/migrations';
import { ledgerMigrations } from '../../../src/ledger/sql/migrations';
import { openStore, type StoreSettings } from '../../../src/store/open-store';
import type { Store } from '../../../src/store/store';

/** The functions of workers in the version before they were renamed. */
const previousFunctions = [
  `CREATE OR REPLACE FUNCTION batch_drop(p_batch text, p_worker text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_state text;
  v_price integer;
  v_canceled integer;
BEGIN
  SELECT state INTO v_state FROM batch WHERE id = p_batch FOR UPDATE;
  WITH lost AS (
    UPDATE batch_question SET state = 'UNKNOWN'
    WHERE batch = p_batch AND worker = p_worker AND state = 'ASKED' RETURNING price
  ) SELECT coalesce(sum(price), 0) INTO v_price FROM lost;
  WITH dropped AS (
    UPDATE batch_row SET worker = NULL, due = NULL, state = CASE WHEN v_state = 'CANCELED' THEN 'CANCELED' ELSE 'WAITING' END
    WHERE batch = p_batch AND worker = p_worker AND state = 'RUNNING' RETURNING state
  ) SELECT count(*) FILTER (WHERE state = 'CANCELED') INTO v_canceled FROM dropped;
  UPDATE batch SET reserved = reserved - v_price, uncertain = uncertain + v_price, canceled = canceled + v_canceled
  WHERE id = p_batch AND (v_price <> 0 OR v_canceled <> 0);
  PERFORM batch_end(p_batch);
END $$`,
  `CREATE OR REPLACE FUNCTION batch_bury(p_worker text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_batch text;
BEGIN
  FOR v_batch IN
    SELECT batch FROM batch_question WHERE worker = p_worker AND state = 'ASKED'
    UNION SELECT batch FROM batch_row WHERE worker = p_worker AND state = 'RUNNING' LOOP
    PERFORM batch_drop(v_batch, p_worker);
  END LOOP;
  UPDATE batch SET state = 'PAUSED', reason = 'TOKEN_NEEDED' WHERE state = 'RUNNING' AND token_holder = p_worker;
  UPDATE batch SET pricer = NULL WHERE pricer = p_worker AND state = 'PRICING';
  DELETE FROM batch_worker WHERE id = p_worker;
END $$`,
  `CREATE OR REPLACE FUNCTION batch_tick(p_worker text, p_bury_after double precision) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_worker text;
BEGIN
  INSERT INTO batch_worker (id, seen_at) VALUES (p_worker, now())
  ON CONFLICT (id) DO UPDATE SET seen_at = now();
  IF p_bury_after IS NULL THEN RETURN; END IF;
  FOR v_worker IN SELECT id FROM batch_worker
    WHERE id <> p_worker AND seen_at < now() - p_bury_after * interval '1 millisecond' FOR UPDATE SKIP LOCKED LOOP
    PERFORM batch_bury(v_worker);
  END LOOP;
END $$`,
] as const;

const migrationName = 'batch-7-workers';

const renamedFunctions = [
  'batch_heartbeat(text, double precision)',
  'batch_expire_worker(text)',
  'batch_release_rows(text, text)',
] as const;

/** Opens a store that has, for batches, the functions of the version before the functions of workers were renamed. */
export async function openPreviousStore(settings: StoreSettings): Promise<Store> {
  const renaming = batchMigrations.findIndex(({ name }) => name === migrationName);
  const store = await openStore(settings, [...ledgerMigrations, ...batchMigrations.slice(0, renaming)]);
  for (const sql of previousFunctions) await store.query(sql);
  return store;
}

/** Reverts a store of this version to the version before the functions of workers were renamed. */
export async function revertWorkerFunctions(settings: StoreSettings): Promise<void> {
  const store = await openStore(settings, [...ledgerMigrations, ...batchMigrations]);
  for (const sql of previousFunctions) await store.query(sql);
  for (const name of renamedFunctions) await store.query(`DROP FUNCTION ${name}`);
  await store.query('DELETE FROM padron_migrations WHERE name = $1', [migrationName]);
  await store.close();
}
