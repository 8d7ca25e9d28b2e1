export type BudgetPeriod = 'DAY' | 'MONTH';

/** Limit of units per day or month for a client, for a tag, for a client with a tag, or for the whole account. */
export interface BudgetTerms {
  readonly id: string;
  readonly client: string | null;
  readonly tag: string | null;
  readonly period: BudgetPeriod;
  readonly units: number;
  readonly alertsAt: readonly number[];
}

export interface Budget extends BudgetTerms {
  readonly spentUnits: number;
  readonly uncertainUnits: number;
  readonly leftUnits: number;
  /** Time of the last call that the budget covers. Null if there was none, for example because its client is misspelt. */
  readonly lastSeenAt: Date | null;
  readonly resetsAt: Date;
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
}

/**
 * An error for a change of a budget's client, tag or period. They cannot change, because the units spent are those of the calls with
 * this client, tag and period.
 */
export class BudgetScopeError extends Error {
  override readonly name = 'BudgetScopeError';
}
