import type { StoreParameter } from '../../../store/store';
import { firstIdOf } from './entry-json';
import { InvalidCursorError, type LedgerFilter, type LedgerView } from './ledger-api';

/** Returns the cursor of a page: the ID of its last entry, encoded so that clients do not rely on its content. */
export function toCursor(id: string): string {
  return Buffer.from(`after ${id}`).toString('base64url');
}

export function readCursor(cursor: string): string {
  const text = Buffer.from(cursor.slice(0, 200), 'base64url').toString();
  const [, id = ''] = /^after ([0-9A-Z]{1,64})$/.exec(text) ?? [];
  if (id === '' || toCursor(id) !== cursor) throw new InvalidCursorError();
  return id;
}

export class Conditions {
  readonly parameters: StoreParameter[] = [];
  private readonly clauses: string[] = [];

  parameter(value: StoreParameter): string {
    this.parameters.push(value);
    return `$${this.parameters.length}`;
  }

  add(clause: string): void {
    this.clauses.push(clause);
  }

  get sql(): string {
    return this.clauses.length === 0 ? 'true' : this.clauses.join(' AND ');
  }
}

/**
 * Returns the conditions that limit a statement to the entries of a view. Every statement that reads entries has them. `$1` contains the
 * account's names.
 */
export function withinView({ accounts, client }: LedgerView, account = 'ANY($1)'): Conditions {
  const conditions = new Conditions();
  conditions.parameter(accounts);
  conditions.add(`e.account = ${account}`);
  if (client !== null) conditions.add(`e.client = ${conditions.parameter(client)}`);
  return conditions;
}

/** Age from which an open call can be settled. No call takes that long, so no process will close it any more. */
export const abandonedAfterMs = 15 * 60_000;

const unsettled = "e.billing = 'UNKNOWN' AND e.settled_billing IS NULL";

/** Condition that an entry `e` is a shared answer, which is free because an earlier call paid for it. */
export const sharedAnswerSql = "e.served_from IN ('REPLAY', 'KEPT')";

export const savedUnits = 'CASE WHEN e.saving IS NOT NULL THEN e.price ELSE 0 END';

export const uncertainUnits = `CASE WHEN ${unsettled} THEN e.price ELSE 0 END`;

const linkColumns = 'hash, entry_id, kind, key_version, sealed, account, client, problem';
const allLinks = `(SELECT ${linkColumns} FROM ledger_subjects UNION ALL SELECT ${linkColumns} FROM ledger_blocked WHERE until > now())`;

/** Returns the table of the links that a view finds. */
export const linksOf = ({ seesBlocked }: Pick<LedgerView, 'seesBlocked'>): string =>
  seesBlocked === true ? allLinks : 'ledger_subjects';

export function hashSql(conditions: Conditions, kind: string, hashes: readonly string[]): string {
  const bytes = hashes.map((hash) => `decode(${conditions.parameter(hash)}, 'hex')`);
  return `(s.kind = ${conditions.parameter(kind)} AND s.hash IN (${bytes.join(', ')}))`;
}

/** Returns the condition of a link `s` that a caller may see: of its client's entry, and not of another client that got the same answer. */
export function visibleLinkSql(conditions: Conditions, client: string | null): string {
  return client === null ? 'true' : `(s.account IS NULL OR s.client = ${conditions.parameter(client)})`;
}

/**
 * Returns the problem that a caller sees: that of the visible links of an entry, or else its own. A problem under a reference alone was found by
 * another row, and only a search by that `reference` shows it.
 */
export function problemOf(conditions: Conditions, view: LedgerView, reference: readonly string[] | null): string {
  const searchedSql = reference === null ? `s.kind <> 'reference'` : hashSql(conditions, 'reference', reference);
  return `coalesce((SELECT s.problem FROM ${linksOf(view)} s WHERE s.entry_id = e.id AND s.problem IS NOT NULL
    AND ${searchedSql} AND ${visibleLinkSql(conditions, view.client)} LIMIT 1), e.problem)`;
}

export function addFilter(conditions: Conditions, filter: LedgerFilter, view: LedgerView): void {
  const { from, to, billing } = filter;
  // An ID begins with the time of its entry, so an interval is a range of IDs.
  if (from !== null) conditions.add(`e.id >= ${conditions.parameter(firstIdOf(from))}`);
  if (to !== null) conditions.add(`e.id < ${conditions.parameter(firstIdOf(to))}`);
  for (const name of ['client', 'tag', 'purpose', 'operation', 'endpoint'] as const) {
    const value = filter[name];
    if (value !== null) conditions.add(`e.${name} = ${conditions.parameter(value)}`);
  }
  if (filter.batch !== null) conditions.add(`e.batch_id = ${conditions.parameter(filter.batch)}`);
  if (filter.actor !== null) conditions.add(`e.actor = ANY(${conditions.parameter(filter.actor)})`);
  if (filter.reference !== null) {
    const link = `${hashSql(conditions, 'reference', filter.reference)} AND ${visibleLinkSql(conditions, view.client)}`;
    conditions.add(`e.id IN (SELECT s.entry_id FROM ${linksOf(view)} s WHERE ${link})`);
  }
  if (billing !== null) conditions.add(`e.billing = ${conditions.parameter(billing)}`);
  if (filter.unsettled !== null) conditions.add(`(${unsettled}) = ${filter.unsettled}`);
}
