import { StatementError, type Store, StoreUnavailableError } from '../../store/store';
import type { EntryBatch } from '../entry-batch';
import { toCopyRows } from './copy-rows';

/** What is there already stays as it is: it may have been settled, or its subjects erased. */
const insert = `
  WITH incoming AS (
    SELECT * FROM json_to_recordset($1::json) AS entry(
      id text, at int8, account text, client text, tag text, operation text, request text, batch text, endpoint text,
      price int4, subjects json, outcome text, status int4, problem text, units int4, billing text, served text,
      code text, checked int8)
  ), stored AS (
    INSERT INTO ledger_entries (id, at, account, process, client, tag, operation, request_id, batch_id, endpoint, outcome,
      status, problem, units, price, billing, served_from, validation_code, checked_at)
    SELECT id, to_timestamp(at / 1000.0), account, $2::text, client, tag, operation, request, batch, endpoint, outcome,
      status, problem, units, price, billing, served, code, to_timestamp(checked / 1000.0)
    FROM incoming
    ON CONFLICT (account, id) DO NOTHING
    RETURNING id
  )
  INSERT INTO ledger_subjects (hash, entry_id, kind, key_version)
  SELECT decode(subject->>1, 'hex'), id, subject->>0, subject->>2
  FROM stored JOIN incoming USING (id), json_array_elements(subjects) AS subject
  ON CONFLICT DO NOTHING`;

/**
 * Puts entries into the store that are new to it, as nearly all are. Where one of them is not, or is refused, each has its
 * statement's care.
 */
export async function addEntries(store: Store, batch: EntryBatch, processName: string): Promise<number> {
  try {
    // As bytes: a string of its length would be no short-lived one to V8.
    if (store.copy === null) await store.query(insert, [batch.json(), processName]);
    else await store.copy(toCopyRows(batch.json().toString(), processName));
    return 0;
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error;
    // What cannot be copied, since it is there, a statement takes; what a statement refused it would refuse again.
    const insertRest = store.copy === null ? insertHalves : insertEntries;
    return insertRest(store, batch.texts(), processName);
  }
}

/**
 * Puts entries into the store, given as JSON. Sent again they change nothing. Gives how many the store does not take at all: one
 * of them must not hold up the others for ever.
 */
export async function insertEntries(store: Store, texts: readonly string[], processName: string): Promise<number> {
  if (texts.length === 0) return 0;
  try {
    await store.query(insert, [`[${texts.join(',')}]`, processName]);
    return 0;
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    return insertHalves(store, texts, processName);
  }
}

/** Of entries that are refused together: down to the one that is refused by itself. */
async function insertHalves(store: Store, texts: readonly string[], processName: string): Promise<number> {
  if (texts.length === 1) return 1;
  const middle = Math.ceil(texts.length / 2);
  const lost = await insertEntries(store, texts.slice(0, middle), processName);
  return lost + (await insertEntries(store, texts.slice(middle), processName));
}
