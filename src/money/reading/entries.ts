import type { Billing, Outcome, ServedFrom } from '../../registry/answer/answer';
import type { SubjectKind } from '../../registry/endpoint/endpoint';
import type { Store } from '../../store/store';
import {
  addFilter,
  type Conditions,
  hasHash,
  isVisibleLink,
  problemOf,
  savedUnits,
  uncertainUnits,
  withinView,
} from './conditions';
import type { LedgerEntry, LedgerFilter, LedgerView, Settlement } from './ledger-api';

export interface SubjectLink {
  readonly kind: SubjectKind;
  readonly hashes: readonly string[];
}

export interface Selection {
  readonly view: LedgerView;
  readonly filter: LedgerFilter | null;
  readonly links: readonly SubjectLink[] | null;
}

export interface EntrySource {
  readonly store: Store;
  readonly openReference: (entry: string, keyVersion: string, sealed: Buffer) => string | null;
}

/** Returns entries, newest first. `after` is the ID of the last entry of the previous page. */
export async function readEntries(
  source: EntrySource,
  selection: Selection,
  limit: number,
  after: string | null,
): Promise<readonly LedgerEntry[]> {
  const isByFilter = selection.links === null && (selection.filter?.reference ?? null) === null;
  const conditions = isByFilter ? conditionsOf(selection, 'a.name') : conditionsOf(selection);
  if (after !== null) conditions.add(`e.id < ${conditions.parameter(after)}`);
  const newest = `WHERE ${conditions.sql} ORDER BY e.id DESC LIMIT ${limit}`;
  // Reads each name of the account separately, in the order of the index. A query for all names at once would sort all entries.
  const rows = isByFilter
    ? `unnest($1::text[]) AS a(name) CROSS JOIN LATERAL (SELECT * FROM ledger_entries e ${newest}) e ORDER BY e.id DESC LIMIT ${limit}`
    : `ledger_entries e ${newest}`;
  return queryEntries(source, rows, conditions, selection.view, selection.filter?.reference ?? null);
}

export async function countEntries(store: Store, selection: Selection, max: number): Promise<number> {
  const conditions = conditionsOf(selection);
  const [row] = await store.read<{ readonly count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM ledger_entries e WHERE ${conditions.sql} LIMIT ${max + 1}) s`,
    conditions.parameters,
  );
  return row?.count ?? 0;
}

export async function findEntries(
  source: EntrySource,
  view: LedgerView,
  ids: readonly string[],
): Promise<readonly LedgerEntry[]> {
  const conditions = withinView(view);
  conditions.add(`e.id = ANY(${conditions.parameter(ids.filter(isPlainId))})`);
  return queryEntries(source, `ledger_entries e WHERE ${conditions.sql}`, conditions, view);
}

/** Whether a text can be the ID of an entry. Other texts may contain NUL, which PostgreSQL rejects. */
export const isPlainId = (id: string): boolean => /^[0-9A-Z]{1,64}$/.test(id);

function conditionsOf({ view, filter, links }: Selection, account?: string): Conditions {
  const conditions = withinView(view, account);
  if (filter !== null) addFilter(conditions, filter, view);
  if (links !== null)
    conditions.add(`e.id IN (SELECT s.entry_id FROM ledger_subjects s WHERE ${linkedTo(conditions, links)})`);
  return conditions;
}

function linkedTo(conditions: Conditions, links: readonly SubjectLink[]): string {
  return `(${links.map(({ kind, hashes }) => hasHash(conditions, kind, hashes)).join(' OR ')})`;
}

interface EntryRow {
  readonly id: string;
  readonly at: number;
  readonly client: string | null;
  readonly tag: string | null;
  readonly purpose: string | null;
  readonly references: readonly (readonly [keyVersion: string, sealed: string])[] | null;
  readonly operation: string | null;
  readonly request_id: string | null;
  readonly batch_id: string | null;
  readonly endpoint: string;
  readonly outcome: Outcome | 'OPEN';
  readonly problem: string | null;
  readonly status: number | null;
  readonly checked_at: number | null;
  readonly units: number;
  readonly billing: Billing;
  readonly served_from: ServedFrom;
  readonly validation_code: string | null;
  readonly saved: number;
  readonly uncertain: number;
  readonly settled_billing: Settlement['billing'] | null;
  readonly settled_units: number | null;
  readonly settled_at: number | null;
  readonly settled_note: string | null;
}

const milliseconds = (column: string): string => `round(extract(epoch FROM ${column}) * 1000)::int8`;

const columns = `e.id, ${milliseconds('e.at')} AS at, e.client, e.tag, e.purpose, e.operation, e.request_id, e.batch_id, e.endpoint, e.outcome,
  e.status, ${milliseconds('e.checked_at')} AS checked_at, e.units, e.billing, e.served_from, e.validation_code,
  ${savedUnits} AS saved, ${uncertainUnits} AS uncertain, e.settled_billing, e.settled_units,
  ${milliseconds('e.settled_at')} AS settled_at, e.settled_note`;

/** Maximum references of an entry to show. Thousands of rows of a batch may share an answer. All of them find it. */
const maxReferences = 20;

const referencesOf = (
  isVisible: string,
): string => `(SELECT json_agg(json_build_array(s.key_version, encode(s.sealed, 'hex'))) FROM (
  SELECT s.* FROM ledger_subjects s WHERE s.entry_id = e.id AND s.sealed IS NOT NULL AND ${isVisible}
  ORDER BY s.account NULLS FIRST, s.hash LIMIT ${maxReferences}) s)`;

/**
 * Reads entries. `rows` is what follows FROM, with the alias `e`. The store returns them as one JSON text, because that is
 * many times faster than thousands of separate values.
 */
async function queryEntries(
  { store, openReference }: EntrySource,
  rows: string,
  conditions: Conditions,
  view: LedgerView,
  reference: readonly string[] | null = null,
): Promise<readonly LedgerEntry[]> {
  const references = referencesOf(isVisibleLink(conditions, view.client));
  const problem = problemOf(conditions, view, reference);
  const [row] = await store.read<{ readonly entries: string }>(
    `SELECT coalesce(json_agg(r), '[]')::text AS entries FROM (SELECT ${columns}, ${problem} AS problem, ${references} AS "references" FROM ${rows}) r`,
    conditions.parameters,
  );
  return (JSON.parse(row?.entries ?? '[]') as readonly EntryRow[]).map((entry) => toEntry(entry, openReference));
}

function toEntry(row: EntryRow, openReference: EntrySource['openReference']): LedgerEntry {
  // A request or a row can have several links under its reference.
  const references = (row.references ?? []).flatMap(
    ([keyVersion, sealed]) => openReference(row.id, keyVersion, Buffer.from(sealed, 'hex')) ?? [],
  );
  return {
    id: row.id,
    at: new Date(row.at),
    client: row.client,
    tag: row.tag,
    purpose: row.purpose,
    references: [...new Set(references)],
    operation: row.operation,
    requestId: row.request_id,
    batch: row.batch_id,
    // A call that is still running, or was running when its process ended, has no answer.
    outcome: row.outcome === 'OPEN' ? 'UNAVAILABLE' : row.outcome,
    problem: row.problem,
    evidence: {
      validationCode: row.validation_code,
      endpoint: row.endpoint,
      status: row.status,
      message: null,
      checkedAt: row.checked_at === null ? null : new Date(row.checked_at),
      servedFrom: row.served_from,
      units: row.units,
      billing: row.billing,
      ledgerId: row.id,
    },
    units: row.settled_units ?? row.units,
    uncertainUnits: row.uncertain,
    savedUnits: row.saved,
    settlement: toSettlement(row),
  };
}

function toSettlement({ settled_billing, settled_units, settled_at, settled_note }: EntryRow): Settlement | null {
  if (settled_billing === null || settled_at === null) return null;
  return { billing: settled_billing, units: settled_units ?? 0, at: new Date(settled_at), note: settled_note };
}
