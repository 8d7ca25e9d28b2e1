import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { countEdits } from '../../../identifiers/edit-distance';
import { StatementBatcher } from '../../../store/statement-batcher';
import { StatementError, type Store, StoreBusyError, type StoreHealth } from '../../../store/store';
import { times } from '../../../times';
import { firstIdOf } from '../entries/entry-json';
import type { BudgetPeriod, Calendar } from '../entries/period';

/** Limit of units per day or month for a client, for a tag, for a client with a tag, or for the whole account. */
export interface BudgetTerms {
  readonly id: string;
  readonly client: string | null;
  readonly tag: string | null;
  readonly period: BudgetPeriod;
  readonly units: number;
  readonly alertsAt: readonly number[];
  /** Whether an operation that costs more than what is left is refused as a whole. */
  readonly wholeOperations: boolean;
}

export interface Budget extends BudgetTerms {
  readonly spentUnits: number;
  readonly uncertainUnits: number;
  readonly leftUnits: number;
  /** Time of the last call that the budget covers. Null if there was none, for example because its client is misspelt. */
  readonly lastSeenAt: Date | null;
  readonly resetsAt: Date;
}

/** State of a budget, as a statement has seen it. Units that are reserved or uncertain are not left. */
export interface BudgetLeft extends Omit<BudgetTerms, 'alertsAt'> {
  readonly left: number;
  readonly resetsAt: string;
  readonly asOf: string;
}

export interface BudgetInput {
  /** ID of the budget to change. If it is null, the budget with this client, tag and period is changed or inserted. */
  readonly id: string | null;
  /** If `client` or `tag` is omitted, an existing budget keeps its value, and a new budget has none. */
  readonly client?: string | null;
  readonly tag?: string | null;
  readonly period: BudgetPeriod;
  readonly units: number;
  readonly alertsAt: readonly number[];
  /** If it is omitted, an existing budget keeps its value, and a new one refuses call by call. */
  readonly wholeOperations?: boolean | null;
}

/** A known client or tag, and the day of its last call. */
export interface SeenLabel {
  readonly name: string;
  readonly day: string;
}

/**
 * An error for a change of a budget's client, tag or period. They cannot change, because the units spent are those of the calls with
 * this client, tag and period.
 */
export class BudgetScopeError extends Error {
  override readonly name = 'BudgetScopeError';
}

export class DuplicateBudgetError extends Error {
  override readonly name = 'DuplicateBudgetError';
}

export interface BudgetOptions {
  readonly store: Store;
  readonly health: Pick<StoreHealth, 'isUnavailable'>;
  readonly calendar: Calendar;
  readonly now: () => Date;
  readonly flush: () => Promise<void>;
}

const uniqueViolation = '23505';
const copied = { max: 1_000, ttl: times.budgetsCopied };

/**
 * Daily and monthly budgets. The parameter `accounts` has the account's name under each key of DATA_KEYS. The SQL function `call_open` applies
 * the budgets to calls.
 */
export class StoredBudgets {
  /** Whether the store has budgets. If it has none, no response reads them. */
  areUsed = false;
  private readonly newest = new LRUCache<string, BudgetLeft>(copied);
  /** Budgets by the names of their accounts. */
  private readonly copies = new LRUCache<string, Promise<readonly BudgetLeft[] | null>>(copied);
  /** Accounts that had no budget that refuses operations as a whole, when it was last read. */
  private readonly withoutWhole = new LRUCache<string, true>({ max: 10_000 });

  private readonly refusals = new StatementBatcher(async (refused: readonly Refused[]) => {
    const { store, calendar, now } = this.options;
    const day = calendar.periodOf('DAY', now()).startsAt;
    return store.query(refusedSql, [JSON.stringify(refused), firstIdOf(day), day]).then(() => refused);
  });

  constructor(private readonly options: BudgetOptions) {}

  /** Counts refusals. No request waits for it, and a store that is unavailable counts none. */
  recordRefused(account: string, client: string | null, count: number): void {
    this.refusals.add({ account, client, count }).catch(() => undefined);
  }

  /** Returns the client or tag that was probably meant by a name that no call has. Undefined if none resembles it. */
  async findSimilar(
    accounts: readonly string[],
    kind: 'client' | 'tag',
    name: string | null,
  ): Promise<SeenLabel | undefined> {
    if (name === null) return undefined;
    const labels = await this.options.store.read<SeenLabel>(
      `SELECT l.${kind} AS name, to_char(max(l.seen_at AT TIME ZONE z.time_zone), 'YYYY-MM-DD') AS day FROM ledger_labels l, ledger_calendar z
       WHERE l.account = ANY($1) AND l.${kind} <> '' GROUP BY 1 ORDER BY max(l.seen_at) DESC LIMIT 1000`,
      [accounts],
    );
    if (labels.some((label) => label.name === name)) return undefined;
    const edits = (label: SeenLabel): number => countEdits(label.name.toLowerCase(), name.toLowerCase());
    const [nearest] = [...labels].sort((left, right) => edits(left) - edits(right));
    return nearest !== undefined && edits(nearest) <= Math.min(2, name.length / 3) ? nearest : undefined;
  }

  async list(accounts: readonly string[]): Promise<readonly Budget[]> {
    const { store, calendar, flush } = this.options;
    await flush();
    const now = this.options.now();
    await store.query('SELECT ledger_start_periods($1, $2)', [accounts, now]);
    const rows = await store.query<Omit<Budget, 'resetsAt'>>(
      `SELECT ${columns}, spent AS "spentUnits", uncertain + reserved AS "uncertainUnits",
         greatest(0, units - spent - uncertain - reserved) AS "leftUnits",
         (SELECT max(l.seen_at) FROM ledger_labels l WHERE l.account = ANY(b.accounts)
           AND (b.client IS NULL OR l.client = b.client) AND (b.tag IS NULL OR l.tag = b.tag)) AS "lastSeenAt"
       FROM ledger_budgets b WHERE accounts && $1 ORDER BY period, client, tag, id`,
      [accounts],
    );
    return rows.map((row) => ({ ...row, resetsAt: calendar.periodOf(row.period, now).endsAt }));
  }

  /** Returns null if the ID is not a budget of the account. */
  async set(accounts: readonly string[], input: BudgetInput): Promise<Budget | null> {
    const saved = await saveBudget(this.options.store, accounts, input).catch(rejectDuplicate);
    if (saved === null) return null;
    this.areUsed = true;
    for (const copies of [this.newest, this.copies, this.withoutWhole]) copies.clear();
    return (await this.list(accounts)).find(({ id }) => id === saved.id) ?? null;
  }

  async remove(accounts: readonly string[], id: string): Promise<boolean> {
    const sql = 'DELETE FROM ledger_budgets WHERE accounts && $1 AND id = $2 RETURNING id';
    return (await this.options.store.query(sql, [accounts, id])).length > 0;
  }

  /** Records budgets that a statement has seen. Statements may be answered in another order than they ran. */
  record(seen: readonly BudgetLeft[]): readonly BudgetLeft[] {
    for (const budget of seen)
      if ((this.newest.get(budget.id)?.asOf ?? '') <= budget.asOf) this.newest.set(budget.id, budget);
    return seen;
  }

  private async readCopy(accounts: readonly string[]): Promise<readonly BudgetLeft[]> {
    const { store, now } = this.options;
    const sql = 'SELECT ledger_budgets_left($1, $2) AS budget';
    const rows = await store.query<{ readonly budget: BudgetLeft }>(sql, [accounts, now()]);
    const [account = ''] = accounts;
    const copy = rows.map(({ budget }) => budget);
    if (copy.some(({ wholeOperations }) => wholeOperations)) this.withoutWhole.delete(account);
    else this.withoutWhole.set(account, true);
    return this.record(copy);
  }

  /**
   * Returns at most five budgets that limit the calls of a client and a tag. The one with the fewest units left is first, and of two with the
   * same units the one that resets later. `seen` are the budgets that a call of the request has seen. Without them a copy is read.
   */
  async findTightest(
    accounts: readonly string[],
    scope: Pick<BudgetTerms, 'client' | 'tag'>,
    seesOthers: boolean,
    seen: readonly BudgetLeft[] | null,
  ): Promise<readonly BudgetLeft[]> {
    return this.limiting(seen ?? (await this.copyOf(accounts)) ?? [], scope)
      .filter((budget) => seesOthers || budget.client !== null)
      .slice(0, 5);
  }

  /**
   * Returns the budget with the fewest units left of those that refuse operations as a whole, by the same copy. Throws if the store takes long,
   * unless the account had none before.
   */
  async findWhole(
    accounts: readonly string[],
    scope: Pick<BudgetTerms, 'client' | 'tag'>,
  ): Promise<BudgetLeft | undefined> {
    const copy = await this.copyOf(accounts);
    if (copy === null && !this.withoutWhole.has(accounts[0] ?? ''))
      throw new StoreBusyError('The budgets of the account took too long.');
    return this.limiting(copy ?? [], scope).find(({ wholeOperations }) => wholeOperations);
  }

  private limiting(budgets: readonly BudgetLeft[], { client, tag }: Pick<BudgetTerms, 'client' | 'tag'>): BudgetLeft[] {
    return budgets
      .filter((budget) => (budget.client ?? client) === client && (budget.tag ?? tag) === tag)
      .map((budget) => this.newest.get(budget.id) ?? budget)
      .sort((first, second) => first.left - second.left || second.resetsAt.localeCompare(first.resetsAt));
  }

  /** Returns a copy that is at most `times.budgetsCopied` old. Null if the store takes long, because a response waits for it. */
  private async copyOf(accounts: readonly string[]): Promise<readonly BudgetLeft[] | null> {
    const [account = ''] = accounts;
    const current = this.copies.get(account);
    if (current !== undefined || !this.areUsed || this.options.health.isUnavailable) return current ?? [];
    const found = this.readCopy(accounts).catch(() => null);
    const copy = Promise.race([found, sleep(times.budgetsWait, null, { ref: false })]);
    this.copies.set(account, copy);
    return copy;
  }
}

const columns = 'id, client, tag, period, units, alerts_at AS "alertsAt", whole_operations AS "wholeOperations"';

interface Refused extends Pick<BudgetTerms, 'client'> {
  readonly account: string;
  readonly count: number;
}

/** A client that no call and no budget has is counted without its name, because anyone can invent names. */
const refusedSql = `INSERT INTO ledger_refusals AS r (account, id, at, client, process, endpoint, outcome, units, price, billing, served_from, refused)
  SELECT q.account, $2 || upper(md5(coalesce(k.client, ''))), $3, k.client, '', '', 'REFUSED', 0, 0, 'NOT_CHARGED', 'NOT_SENT', sum(q.count)
  FROM json_to_recordset($1::json) AS q(account text, client text, count integer) LEFT JOIN LATERAL (SELECT q.client
    WHERE EXISTS (SELECT FROM ledger_labels l WHERE l.account = q.account AND l.client = q.client)
      OR EXISTS (SELECT FROM ledger_budgets b WHERE q.account = ANY(b.accounts) AND b.client = q.client)) k ON true
  GROUP BY q.account, k.client ORDER BY 1, 2
  ON CONFLICT (account, id) DO UPDATE SET refused = r.refused + excluded.refused`;

/**
 * Updates the budget with this ID, or without an ID the budget with this client, tag and period. If no budget has them, inserts one.
 * Returns null if the ID is not a budget of the account. Rejects with a `BudgetScopeError` if the client, tag or period of the budget
 * would change.
 */
export async function saveBudget(
  store: Store,
  accounts: readonly string[],
  input: BudgetInput,
): Promise<BudgetTerms | null> {
  const { id, period, units, alertsAt, wholeOperations = null } = input;
  const current = id === null ? null : await findBudget(store, accounts, id);
  if (current === undefined) return null;
  const { client = current?.client ?? null, tag = current?.tag ?? null } = input;
  if (current !== null && (client !== current.client || tag !== current.tag || period !== current.period))
    throw new BudgetScopeError();
  // Stores the account's name under the newest key, because the operator may remove older keys.
  const existing = await store.query<BudgetTerms>(
    `UPDATE ledger_budgets SET account = $7, units = $5, alerts_at = $6, whole_operations = coalesce($8, whole_operations) WHERE accounts && $1
       AND client IS NOT DISTINCT FROM $2 AND tag IS NOT DISTINCT FROM $3 AND period = $4 RETURNING ${columns}`,
    [accounts, client, tag, period, units, alertsAt, accounts[0] ?? '', wholeOperations],
  );
  if (existing[0] !== undefined) return existing[0];
  const [inserted] = await store.query<BudgetTerms>(
    `INSERT INTO ledger_budgets (id, account, client, tag, period, units, alerts_at, accounts, whole_operations)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, false))
     ON CONFLICT (account, coalesce(client, ''), coalesce(tag, ''), period)
       DO UPDATE SET units = excluded.units, alerts_at = excluded.alerts_at, whole_operations = excluded.whole_operations RETURNING ${columns}`,
    [randomUUID(), accounts[0] ?? '', client, tag, period, units, alertsAt, accounts, wholeOperations],
  );
  return inserted ?? null;
}

/**
 * Throws a `DuplicateBudgetError` if two budgets would have to be merged, and any other error as it is. If the operator did not restart the
 * processes in two rounds to change DATA_KEYS (docs/compliance.md), they used two names for the same account, and each name may have a budget
 * for the same client, tag and period.
 */
function rejectDuplicate(error: unknown): never {
  throw error instanceof StatementError && error.code === uniqueViolation ? new DuplicateBudgetError() : error;
}

async function findBudget(store: Store, accounts: readonly string[], id: string): Promise<BudgetTerms | undefined> {
  const sql = `SELECT ${columns} FROM ledger_budgets WHERE accounts && $1 AND id = $2`;
  return (await store.query<BudgetTerms>(sql, [accounts, id]))[0];
}
