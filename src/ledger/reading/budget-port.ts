/** A ceiling of units for each day or month: of a client, of a tag, of both together, or of the whole account. */
export interface Budget {
  readonly id: string;
  readonly client: string | null;
  readonly tag: string | null;
  readonly period: BudgetPeriod;
  readonly units: number;
  /** Percentages at which an alert is sent. */
  readonly alertsAt: readonly number[];
  readonly spentUnits: number;
  readonly uncertainUnits: number;
  readonly leftUnits: number;
  readonly resetsAt: Date;
}

export type BudgetPeriod = 'DAY' | 'MONTH';

export interface BudgetInput {
  /** Null: a new one, or that of the same client, tag and period. */
  readonly id: string | null;
  readonly client: string | null;
  readonly tag: string | null;
  readonly period: BudgetPeriod;
  readonly units: number;
  readonly alertsAt: readonly number[];
}

/** The budgets of accounts, by the names that an account has. */
export interface BudgetAccounts {
  list(accounts: readonly string[]): Promise<readonly Budget[]>;
  /** Null where the id is none of the account's. */
  set(accounts: readonly string[], input: BudgetInput): Promise<Budget | null>;
  /** False where there was none. */
  remove(accounts: readonly string[], id: string): Promise<boolean>;
}
