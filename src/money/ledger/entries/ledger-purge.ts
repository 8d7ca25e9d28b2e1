import type { Store } from '../../../store/store';
import { firstIdOf, timeOf } from './entry-json';
import { chunkRows, type DeletedRows, deleteAt, deleteBelow } from './purge';

export interface Retention {
  readonly ledgerMonths: number;
  readonly subjectMonths: number;
  /** Day of the newest entry or link that a purge of the embedded store may delete, although none is left then. */
  readonly confirmedDay: string | null;
}

/** The longest time of all live processes counts, so that none deletes what another one keeps. The sums of days are only needed for a month. */
const boundsSql = `SELECT now() - make_interval(months => greatest($1, max((p.settings->>'LEDGER_MONTHS')::int))) AS ledger,
  now() - make_interval(months => greatest($2, max((p.settings->>'SUBJECT_MONTHS')::int))) AS subjects, now() - interval '2 months' AS sums,
  now() - interval '2 days' AS minutes FROM processes p`;

/** Finds the newest entry or link, if all of them would be deleted. */
const emptiedSql = `SELECT max(newest.id) AS id FROM (SELECT max(s.entry_id) AS id, $2 AS before FROM ledger_subjects s UNION ALL
  SELECT e.id, $1 FROM (SELECT max(last.id) AS id FROM ledger_accounts() AS a(account) CROSS JOIN LATERAL (
    SELECT e.id FROM ledger_entries e WHERE e.account = a.account ORDER BY e.id DESC LIMIT 1) last) e) newest WHERE newest.id < newest.before`;

/** Finds entries account by account, because the index orders them only within an account. */
const oldEntries = `SELECT old.ctid FROM ledger_accounts() AS a(account) CROSS JOIN LATERAL (
  SELECT e.ctid FROM ledger_entries e WHERE e.account = a.account AND e.id < $1 ORDER BY e.id LIMIT ${chunkRows}) old LIMIT ${chunkRows}`;

/**
 * Deletes expired entries, links, audit records and what belongs to them. The embedded store has no second clock that would show that its own is
 * wrong: if no entry or no link would be left, nothing is deleted until an operator has confirmed it, and `onHeld` gets the day to confirm.
 */
export async function purgeLedger(
  store: Store,
  signal: AbortSignal,
  { ledgerMonths, subjectMonths, confirmedDay }: Retention,
  onHeld: (newestDay: string) => void,
): Promise<DeletedRows> {
  const [bounds] = await store.query<Readonly<Record<'ledger' | 'subjects' | 'sums' | 'minutes', Date>>>(boundsSql, [
    ledgerMonths,
    subjectMonths,
  ]);
  if (bounds === undefined) return {};
  const { ledger, subjects, sums, minutes } = bounds;
  const [entriesBefore, linksBefore] = [firstIdOf(ledger), firstIdOf(subjects > ledger ? subjects : ledger)];
  if (store.engine === 'embedded') {
    const [emptied] = await store.query<{ readonly id: string | null }>(emptiedSql, [entriesBefore, linksBefore]);
    const day = emptied?.id ? timeOf(emptied.id).toISOString().slice(0, 10) : '';
    if (day > (confirmedDay ?? '')) {
      onHeld(day);
      return {};
    }
  }
  const below = (value: string | Date, table: string, column: string) =>
    deleteBelow(store, signal, value, table, column);
  return {
    // The links of an entry do not outlive it.
    ledger_subjects: await below(linksBefore, 'ledger_subjects', 'entry_id'),
    ledger_entries: await deleteAt(store, signal, 'ledger_entries', oldEntries, [entriesBefore]),
    ledger_audit: await below(entriesBefore, 'ledger_audit', 'id'),
    // The entries that were written with a key that was last used before have expired too.
    ledger_keys: await below(ledger, 'ledger_keys', 'used_at'),
    // An entry may be written late, but those from before that time lose their links anyway.
    ledger_erasures: await below(subjects, 'ledger_erasures', 'at'),
    ledger_labels: await below(ledger, 'ledger_labels', 'seen_at'),
    ledger_refusals: await below(ledger, 'ledger_refusals', 'at'),
    ledger_spend: await below(sums, 'ledger_spend', 'day'),
    ledger_minutes: await below(minutes, 'ledger_minutes', 'minute'),
    ledger_events: await deleteBelow(store, signal, ledger, 'ledger_events', 'at', `state <> 'PENDING'`),
  };
}
