import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { batchMigrations } from '../../batch/sql/migrations';
import { ledgerMigrations } from '../../ledger/sql/migrations';
import { readDataKeys } from '../../store/data-keys';
import type { Engine } from '../../store/engine';
import type { KeyRing } from '../../store/key-ring';
import { type AppliedMigrations, explainMismatch, listPending } from '../../store/migrate';
import type { StoreSettings } from '../../store/open-store';
import { type CheckResult, failed, ok } from './check-result';

/** Compares the tables with those of this version. */
export async function checkSchema(
  name: string,
  engine: Engine,
  place: string,
  applied: AppliedMigrations,
): Promise<CheckResult> {
  const migrations = [...ledgerMigrations, ...batchMigrations];
  const mismatch = explainMismatch(applied, migrations);
  if (mismatch !== null) return failed(name, `${place}: ${mismatch}`);
  const pending = listPending(applied, migrations);
  if (pending.length === 0) return ok(name, `${place} opens. Its tables are those of this version.`);
  const [row] = (await engine.query(
    `SELECT coalesce(has_schema_privilege(current_schema(), 'create'), false) AS allowed`,
    [],
  )) as readonly { readonly allowed: boolean }[];
  if (row?.allowed !== true)
    return failed(name, `${place}: the user may not create tables. Grant it CREATE on the schema.`);
  const changed = pending.some(({ kind }) => kind === 'tables') ? 'tables' : 'functions';
  return ok(name, `${place} opens. The next start of padron changes its ${changed}.`);
}

/** Returns the keys of the store. Returns null if there are none: padron then creates a key when it starts. */
export function readKeyRing(store: StoreSettings, secrets: readonly string[]): KeyRing | null {
  const hasKeys = secrets.length > 0 || (store.kind === 'folder' && existsSync(join(store.path, 'keys')));
  return hasKeys ? readDataKeys(store, secrets).ring : null;
}

/** Checks whether padron has all keys that the stored data was written with. */
export async function checkKeys(
  engine: Engine,
  applied: AppliedMigrations,
  ring: KeyRing | null,
): Promise<CheckResult> {
  const name = 'data keys';
  if (applied.size === 0) return ok(name, 'No data is stored yet.');
  // The stored key of a batch begins with the length and the ID of the key that encrypts it.
  const rows = (await engine.query(
    `SELECT id FROM ledger_keys UNION SELECT convert_from(substring(wrapped_key FROM 2 FOR get_byte(wrapped_key, 0)), 'UTF8')
    FROM batch WHERE wrapped_key IS NOT NULL AND length(wrapped_key) > 0`,
    [],
  )) as readonly { readonly id: string }[];
  const missing = rows.map(({ id }) => id).filter((id) => ring === null || ring.find(id) === null);
  if (missing.length === 0) return ok(name, 'padron has every key that the stored data was written with.');
  return failed(
    name,
    `Keys of stored data are missing (IDs ${missing.join(', ')}). Add the earlier secrets after the new one (DATA_KEYS=new,old), or restore the file \`keys\` in DATA_DIR.`,
  );
}
