import type { Store } from '../../store/store';
import { Conditions, firstId } from '../reading/conditions';
import type { AuditDetails, AuditFilter, AuditOutcome, AuditRecord } from './audit-record';

/** A record with the name of its account. */
export interface AuditRow extends AuditRecord {
  readonly account: string;
}

export async function insertRecord(store: Store, row: AuditRow): Promise<void> {
  const { id, at, account, client, scope, requestId, action, outcome, details } = row;
  await store.query(
    `INSERT INTO ledger_audit (id, at, account, client, scope, request_id, action, outcome, details)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb)`,
    [id, at, account, client, scope, requestId, action, outcome, JSON.stringify(details)],
  );
}

/** Adds the result of an action to its record. A result, once written, never changes. */
export async function finishRecord(
  store: Store,
  account: string,
  id: string,
  outcome: AuditOutcome,
  details: AuditDetails,
): Promise<void> {
  await store.query(
    `UPDATE ledger_audit SET outcome = $3, details = details || $4::jsonb
     WHERE account = $1 AND id = $2 AND outcome = 'UNFINISHED'`,
    [account, id, outcome, JSON.stringify(details)],
  );
}

/** Returns records of an account, newest first. `after` is the ID of the last record of the previous page. */
export function readRecords(
  store: Store,
  accounts: readonly string[],
  filter: AuditFilter,
  limit: number,
  after: string | null,
): Promise<readonly AuditRecord[]> {
  const conditions = new Conditions();
  conditions.add(`account = ANY(${conditions.parameter(accounts)})`);
  addFilter(conditions, filter);
  if (after !== null) conditions.add(`id < ${conditions.parameter(after)}`);
  return store.query<AuditRecord>(
    `SELECT id, at, client, scope, request_id AS "requestId", action, outcome, details FROM ledger_audit
     WHERE ${conditions.sql} ORDER BY id DESC LIMIT ${limit}`,
    conditions.parameters,
  );
}

function addFilter(conditions: Conditions, { from, to, action, client, batch, id }: AuditFilter): void {
  // An ID begins with the time of its record, so an interval is a range of IDs.
  if (from !== null) conditions.add(`id >= ${conditions.parameter(firstId(from))}`);
  if (to !== null) conditions.add(`id < ${conditions.parameter(firstId(to))}`);
  if (action !== null) conditions.add(`action = ${conditions.parameter(action)}`);
  if (client !== null) conditions.add(`client = ${conditions.parameter(client)}`);
  if (batch !== null) conditions.add(`details ->> 'batch' = ${conditions.parameter(batch)}`);
  if (id !== null) conditions.add(`id = ${conditions.parameter(id)}`);
}
