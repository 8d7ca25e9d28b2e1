export type BudgetPeriod = 'DAY' | 'MONTH';

/** A ceiling of units for each day or month: of a client, of a tag, of both together, or of the whole account. */
export interface BudgetTerms {
  readonly id: string;
  /** The names of its account: each key gives the account another one. */
  readonly accounts: readonly string[];
  readonly client: string | null;
  readonly tag: string | null;
  readonly period: BudgetPeriod;
  readonly units: number;
  /** Percentages at which an alert is sent. */
  readonly alertsAt: readonly number[];
}

/** The same with what has become of it in its present period. */
export interface Budget extends Omit<BudgetTerms, 'accounts'> {
  readonly spentUnits: number;
  readonly uncertainUnits: number;
  readonly leftUnits: number;
  readonly resetsAt: Date;
}

export interface BudgetInput {
  /** Null for a new budget, or for the budget of the same client, tag and period. */
  readonly id: string | null;
  /** Omitted, here and in `tag`: as it is; null for a new one. */
  readonly client?: string | null;
  readonly tag?: string | null;
  readonly period: BudgetPeriod;
  readonly units: number;
  readonly alertsAt: readonly number[];
}

/**
 * An error for a change of a budget's client, tag or period. They cannot change, because the spent units belong to
 * their calls.
 */
export class BudgetScopeError extends Error {
  override readonly name = 'BudgetScopeError';
}

/** The calls that a budget limits. */
export interface BudgetScope {
  /** The account's names by all keys, the newest first. */
  readonly accounts: readonly string[];
  readonly client: string | null;
  readonly tag: string | null;
}

export const covers = (budget: BudgetTerms, { accounts, client, tag }: BudgetScope): boolean =>
  budget.accounts.some((account) => accounts.includes(account)) &&
  (budget.client === null || budget.client === client) &&
  (budget.tag === null || budget.tag === tag);
