import { ageOf, type Evidence, type Outcome } from '../../../registry/answer/answer';
import type { SubjectKind } from '../../../registry/endpoint/endpoint';
import type { Store } from '../../../store/store';
import {
  addFilter,
  type Conditions,
  hashSql,
  linksOf,
  problemOf,
  savedUnits,
  uncertainUnits,
  visibleLinkSql,
  withinView,
} from '../entries/conditions';
import type { Blocking, LedgerEntry, LedgerFilter, LedgerView, Settlement } from '../entries/ledger-api';
import type { SubjectIndex } from '../entries/subject-index';

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
  readonly subjects: Pick<SubjectIndex, 'openReference'>;
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

export function conditionsOf({ view, filter, links }: Selection, account?: string): Conditions {
  const conditions = withinView(view, account);
  if (filter !== null) addFilter(conditions, filter, view);
  if (links !== null)
    conditions.add(`e.id IN (SELECT s.entry_id FROM ${linksOf(view)} s WHERE ${linkedTo(conditions, links)})`);
  return conditions;
}

export function linkedTo(conditions: Conditions, links: readonly SubjectLink[]): string {
  return `(${links.map(({ kind, hashes }) => hashSql(conditions, kind, hashes)).join(' OR ')})`;
}

type EntryRow = Omit<LedgerEntry, 'at' | 'references' | 'outcome' | 'evidence' | 'settlement' | 'blocked'> &
  Omit<Evidence, 'message' | 'checkedAt' | 'ledgerId' | 'age'> & {
    readonly at: number;
    readonly references: readonly (readonly [keyVersion: string, sealed: string])[] | null;
    readonly outcome: Outcome | 'OPEN';
    readonly checkedAt: number | null;
    readonly settled: (Omit<Settlement, 'at'> & { readonly at: number }) | null;
    readonly blocked: (Omit<Blocking, 'until'> & { readonly until: number }) | null;
  };

const milliseconds = (column: string): string => `round(extract(epoch FROM ${column}) * 1000)::int8`;

const columns = `e.id, ${milliseconds('e.at')} AS at, e.client, e.tag, e.purpose, e.operation, e.request_id AS "requestId", e.batch_id AS batch,
  e.endpoint, e.outcome, e.status, ${milliseconds('e.checked_at')} AS "checkedAt", e.units, e.billing, e.served_from AS "servedFrom",
  e.validation_code AS "validationCode", ${savedUnits} AS "savedUnits", e.saving, ${uncertainUnits} AS "uncertainUnits",
  CASE WHEN e.settled_billing IS NOT NULL THEN json_build_object('billing', e.settled_billing, 'units', coalesce(e.settled_units, 0),
    'at', ${milliseconds('e.settled_at')}, 'note', e.settled_note) END AS settled`;

/**
 * Maximum number of references shown for an entry. Thousands of rows of a batch may share one answer. A search by any of their references
 * finds the entry.
 */
const maxReferences = 20;

const referencesOf = (
  links: string,
  visibleSql: string,
): string => `(SELECT json_agg(json_build_array(s.key_version, encode(s.sealed, 'hex'))) FROM (
  SELECT s.* FROM ${links} s WHERE s.entry_id = e.id AND s.kind = 'reference' AND s.sealed IS NOT NULL AND ${visibleSql}
  ORDER BY s.account NULLS FIRST, s.hash LIMIT ${maxReferences}) s)`;

const blockedSql = `(SELECT json_build_object('purpose', b.purpose, 'months', b.months, 'until', ${milliseconds('b.until')})
  FROM ledger_blocked b WHERE b.entry_id = e.id AND b.until > now() ORDER BY b.until DESC LIMIT 1)`;

/**
 * Reads entries. `rows` is what follows FROM, with the alias `e`. The store returns them as one JSON text, because that is
 * many times faster than thousands of separate values.
 */
async function queryEntries(
  { store, subjects }: EntrySource,
  rows: string,
  conditions: Conditions,
  view: LedgerView,
  reference: readonly string[] | null = null,
): Promise<readonly LedgerEntry[]> {
  const references = referencesOf(linksOf(view), visibleLinkSql(conditions, view.client));
  const problem = problemOf(conditions, view, reference);
  const blocked = view.seesBlocked === true ? blockedSql : 'NULL';
  const [row] = await store.read<{ readonly entries: string }>(
    `SELECT coalesce(json_agg(r), '[]')::text AS entries FROM (SELECT ${columns}, ${problem} AS problem, ${references} AS "references", ${blocked} AS blocked FROM ${rows}) r`,
    conditions.parameters,
  );
  return (JSON.parse(row?.entries ?? '[]') as readonly EntryRow[]).map((entry) => toEntry(entry, subjects));
}

function toEntry(row: EntryRow, subjects: EntrySource['subjects']): LedgerEntry {
  const { references, outcome, validationCode, endpoint, status, checkedAt, servedFrom, billing, ...rest } = row;
  const { settled, blocked, ...entry } = rest;
  const { id, units } = entry;
  // A request or a row can have several links under its reference.
  const opened = (references ?? []).flatMap(
    ([keyVersion, sealed]) => subjects.openReference(id, keyVersion, Buffer.from(sealed, 'hex')) ?? [],
  );
  const checked = checkedAt === null ? null : new Date(checkedAt);
  const evidence = { validationCode, endpoint, status, message: null, checkedAt: checked, servedFrom, units, billing };
  const age = servedFrom === 'REPLAY' || servedFrom === 'KEPT' ? ageOf(checked, new Date(entry.at)) : null;
  return {
    ...entry,
    at: new Date(entry.at),
    references: [...new Set(opened)],
    // A call that is still running, or was running when its process ended, has no answer.
    outcome: outcome === 'OPEN' ? 'UNAVAILABLE' : outcome,
    evidence: { ...evidence, ledgerId: id, age },
    units: settled?.units ?? units,
    settlement: settled && { ...settled, at: new Date(settled.at) },
    blocked: blocked && { ...blocked, until: new Date(blocked.until) },
  };
}
