import type { Store } from '../../store/store';
import { firstIdOf } from '../entry-id';
import { inScope } from './budget-rows';
import type { Period } from './period';

/** A budget's period, and who takes of it. */
export interface SliceKey {
  readonly budgetId: string;
  readonly period: Period;
  readonly process: string;
  readonly accounts: readonly string[];
}

export interface Grant {
  readonly units: number;
  /** What all processes together have, this grant included. */
  readonly total: number;
}

/** What calls take of a budget. An unknown one holds its price; what a settlement frees is reckoned by itself. */
const held = `e.units + CASE WHEN e.billing = 'UNKNOWN' THEN e.price ELSE 0 END`;
/** What settlements have freed of it: derived each time, so that nobody has to tell twice, or can forget it. */
const freed = `(SELECT coalesce(sum(CASE WHEN e.billing = 'UNKNOWN' THEN e.price - coalesce(e.settled_units, 0) ELSE 0 END), 0)::int8
  FROM ledger_entries e, ledger_budgets b WHERE b.id = $1 AND e.account = ANY($3) AND e.settled_billing IS NOT NULL
    AND ${inScope} AND e.id >= $4 AND e.id < $5)`;

/** Makes a period's row, with what had been entered before its first slice. */
export async function openPeriod(store: Store, { budgetId, period, accounts }: SliceKey): Promise<void> {
  await store.query(
    `INSERT INTO ledger_budget_periods (budget_id, starts_at, granted)
     SELECT b.id, $2::timestamptz, (SELECT coalesce(sum(${held}), 0)::int8 FROM ledger_entries e
       WHERE e.account = ANY($3) AND ${inScope} AND e.id >= $4 AND e.id < $5)
     FROM ledger_budgets b WHERE b.id = $1
     ON CONFLICT (budget_id, starts_at) DO NOTHING`,
    [budgetId, period.startsAt, accounts, firstIdOf(period.startsAt), firstIdOf(period.endsAt)],
  );
}

/** Makes a process's row before it is given any: what is entered from `since` on counts in it. */
export async function openSlice(
  store: Store,
  { budgetId, period, process, accounts }: SliceKey,
  since: Date,
): Promise<void> {
  await store.query(
    `INSERT INTO ledger_budget_slices (budget_id, starts_at, process, account, first_id, granted)
     SELECT id, $2, $3, $4, $5, 0 FROM ledger_budgets WHERE id = $1 ON CONFLICT DO NOTHING`,
    [budgetId, period.startsAt, process, accounts[0] ?? '', firstIdOf(since)],
  );
}

/** Takes units for a process, as many as wanted and there are; null where there are fewer than it needs. One statement: exact. */
export async function grantUnits(
  store: Store,
  { budgetId, period, process, accounts }: SliceKey,
  needed: number,
  wanted: number,
  since: Date,
): Promise<Grant | null> {
  const left = `(b.units + ${freed} - p.granted)`;
  const [row] = await store.query<Grant>(
    `WITH taken AS (
       UPDATE ledger_budget_periods p
       SET last_grant = least($7::int8, ${left}), granted = p.granted + least($7::int8, ${left})
       FROM ledger_budgets b
       WHERE p.budget_id = $1 AND p.starts_at = $2 AND b.id = p.budget_id AND ${left} >= $6::int8
       RETURNING p.last_grant, p.granted
     ), kept AS (
       INSERT INTO ledger_budget_slices AS s (budget_id, starts_at, process, account, first_id, granted)
       SELECT $1::text, $2::timestamptz, $8::text, $9::text, $10::text, last_grant FROM taken
       ON CONFLICT (budget_id, starts_at, process) DO UPDATE SET granted = s.granted + excluded.granted, renewed_at = now())
     SELECT last_grant AS units, granted AS total FROM taken`,
    [
      budgetId,
      period.startsAt,
      accounts,
      firstIdOf(period.startsAt),
      firstIdOf(period.endsAt),
      needed,
      wanted,
      process,
      accounts[0] ?? '',
      firstIdOf(since),
    ],
  );
  return row ?? null;
}

/** What nobody holds of a period; null where there is no such budget any more. */
export async function leftOf(store: Store, { budgetId, period, accounts }: SliceKey): Promise<number | null> {
  const [row] = await store.query<{ readonly left: number }>(
    `SELECT b.units + ${freed} - coalesce(p.granted, 0) AS left FROM ledger_budgets b
     LEFT JOIN ledger_budget_periods p ON p.budget_id = b.id AND p.starts_at = $2 WHERE b.id = $1`,
    [budgetId, period.startsAt, accounts, firstIdOf(period.startsAt), firstIdOf(period.endsAt)],
  );
  return row?.left ?? null;
}

/** Says what a process has and needs of its slice; the rest is everybody's again. Said twice it changes nothing. */
export async function keepUnits(store: Store, { budgetId, period, process }: SliceKey, units: number): Promise<void> {
  await store.query(
    `WITH slice AS (
       SELECT granted FROM ledger_budget_slices WHERE budget_id = $1 AND starts_at = $2 AND process = $3 FOR UPDATE
     ), changed AS (
       UPDATE ledger_budget_slices SET granted = $4, renewed_at = now()
       WHERE budget_id = $1 AND starts_at = $2 AND process = $3)
     UPDATE ledger_budget_periods p SET granted = p.granted - slice.granted + $4 FROM slice
     WHERE p.budget_id = $1 AND p.starts_at = $2`,
    [budgetId, period.startsAt, process, units],
  );
}

/** What processes that have ended held and did not use is everybody's again: what they used, their entries say. */
export async function reconcileSlices(store: Store, processes: readonly string[], idleMinutes: number): Promise<void> {
  await store.query(
    `WITH ended AS MATERIALIZED (
       SELECT s.*, b.client, b.tag FROM ledger_budget_slices s JOIN ledger_budgets b ON b.id = s.budget_id
       WHERE s.process = ANY($1) OR s.renewed_at < now() - make_interval(mins => $2)
       FOR UPDATE OF s
     ), used AS (
       SELECT b.budget_id, b.starts_at, b.process, b.granted, (
         SELECT coalesce(sum(${held}), 0)::int8 FROM ledger_entries e
         WHERE e.account = b.account AND e.process = b.process AND e.id >= b.first_id AND ${inScope}) AS used
       FROM ended b
     ), changed AS (
       UPDATE ledger_budget_slices s SET granted = used.used, renewed_at = 'infinity' FROM used
       WHERE s.budget_id = used.budget_id AND s.starts_at = used.starts_at AND s.process = used.process)
     UPDATE ledger_budget_periods p SET granted = p.granted - freed.units
     FROM (SELECT budget_id, starts_at, sum(granted - used)::int8 AS units FROM used GROUP BY 1, 2) AS freed
     WHERE p.budget_id = freed.budget_id AND p.starts_at = freed.starts_at`,
    [processes, idleMinutes],
  );
}
