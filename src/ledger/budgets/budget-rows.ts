import { randomUUID } from 'node:crypto';
import type { Store } from '../../store/store';
import { firstIdOf } from '../entry-id';
import { type Budget, type BudgetInput, type BudgetPeriod, BudgetScopeError, type BudgetTerms } from './budget';
import type { Calendar } from './period';

interface TermsRow {
  readonly id: string;
  readonly account: string;
  readonly client: string | null;
  readonly tag: string | null;
  readonly period: BudgetPeriod;
  readonly units: number;
  readonly alerts_at: readonly number[];
}

const columns = 'id, account, client, tag, period, units, alerts_at';

/** What a row comes to: what the service said, or what its statement said later. */
export const spentOf = 'coalesce(e.settled_units, e.units)';
export const uncertainOf = `CASE WHEN e.billing = 'UNKNOWN' AND e.settled_billing IS NULL THEN e.price ELSE 0 END`;
/** Whether an entry `e` is one of those that a budget `b` bounds, its account and time apart. */
export const inScope = '(b.client IS NULL OR e.client = b.client) AND (b.tag IS NULL OR e.tag = b.tag)';

const toTerms = ({ alerts_at, ...row }: TermsRow): BudgetTerms => ({ ...row, alertsAt: alerts_at });

export async function loadBudgets(store: Store): Promise<readonly BudgetTerms[]> {
  return (await store.query<TermsRow>(`SELECT ${columns} FROM ledger_budgets ORDER BY id`)).map(toTerms);
}

/** By its id, or else by whom it bounds. Null where the id is none of the account's; rejects with `BudgetScopeError`. */
export async function saveBudget(
  store: Store,
  accounts: readonly string[],
  input: BudgetInput,
): Promise<BudgetTerms | null> {
  const { id, period, units, alertsAt } = input;
  const own = id === null ? null : await findBudget(store, accounts, id);
  if (own === undefined) return null;
  const { client = own?.client ?? null, tag = own?.tag ?? null } = input;
  if (own !== null && (client !== own.client || tag !== own.tag || period !== own.period)) throw new BudgetScopeError();
  // Named by the newest key from now on: an older one may be dropped.
  const existing = await store.query<TermsRow>(
    `UPDATE ledger_budgets SET account = $7, units = $5, alerts_at = $6 WHERE account = ANY($1)
       AND client IS NOT DISTINCT FROM $2 AND tag IS NOT DISTINCT FROM $3 AND period = $4 RETURNING ${columns}`,
    [accounts, client, tag, period, units, alertsAt, accounts[0] ?? ''],
  );
  if (existing[0] !== undefined) return toTerms(existing[0]);
  const [made] = await store.query<TermsRow>(
    `INSERT INTO ledger_budgets (id, account, client, tag, period, units, alerts_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (account, coalesce(client, ''), coalesce(tag, ''), period)
       DO UPDATE SET units = excluded.units, alerts_at = excluded.alerts_at RETURNING ${columns}`,
    [randomUUID(), accounts[0] ?? '', client, tag, period, units, alertsAt],
  );
  return made === undefined ? null : toTerms(made);
}

async function findBudget(store: Store, accounts: readonly string[], id: string): Promise<TermsRow | undefined> {
  const sql = `SELECT ${columns} FROM ledger_budgets WHERE account = ANY($1) AND id = $2`;
  return (await store.query<TermsRow>(sql, [accounts, id]))[0];
}

export async function deleteBudget(store: Store, accounts: readonly string[], id: string): Promise<boolean> {
  const sql = 'DELETE FROM ledger_budgets WHERE account = ANY($1) AND id = $2 RETURNING id';
  return (await store.query(sql, [accounts, id])).length > 0;
}

/** What an account's budgets have come to in their present periods, by the entries. */
export async function sumBudgets(
  store: Store,
  accounts: readonly string[],
  calendar: Calendar,
  now: Date,
): Promise<readonly Budget[]> {
  const day = calendar.periodOf('DAY', now);
  const month = calendar.periodOf('MONTH', now);
  const rows = await store.query<TermsRow & { readonly spent: number; readonly uncertain: number }>(
    `SELECT b.id, b.account, b.client, b.tag, b.period, b.units, b.alerts_at, sums.spent, sums.uncertain
     FROM ledger_budgets b, LATERAL (
       SELECT coalesce(sum(${spentOf}), 0)::int8 AS spent, coalesce(sum(${uncertainOf}), 0)::int8 AS uncertain
       FROM ledger_entries e WHERE e.account = ANY($1) AND ${inScope}
         AND e.id >= CASE b.period WHEN 'DAY' THEN $2 ELSE $3 END AND e.id < $4) AS sums
     WHERE b.account = ANY($1) ORDER BY b.period, b.client, b.tag, b.id`,
    [accounts, firstIdOf(day.startsAt), firstIdOf(month.startsAt), firstIdOf(day.endsAt)],
  );
  return rows.map(({ spent, uncertain, ...row }) => {
    const { account: _account, ...terms } = toTerms(row);
    return {
      ...terms,
      spentUnits: spent,
      uncertainUnits: uncertain,
      leftUnits: Math.max(0, terms.units - spent - uncertain),
      resetsAt: (terms.period === 'DAY' ? day : month).endsAt,
    };
  });
}
