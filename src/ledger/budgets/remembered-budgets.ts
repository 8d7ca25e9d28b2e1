import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { BudgetTerms } from './budget';

/** Told of a file that is there and cannot be used, for the log. */
export interface MemoryObserver {
  budgetsNotRemembered(): void;
}

/** The budgets as the store last told them, in a file of the process's folder: one that starts while the store is away is bound by them. */
export class RememberedBudgets {
  /** What stands in the file; null where that cannot be used. */
  private text: string | null;
  private hasFailed = false;

  constructor(
    private readonly file: string,
    private readonly observer: MemoryObserver,
  ) {
    this.text = readText(file);
    if (this.text === null) observer.budgetsNotRemembered();
  }

  read(): readonly BudgetTerms[] {
    return this.text === null ? [] : (JSON.parse(this.text) as readonly BudgetTerms[]);
  }

  /** Leaves the old ones or the new ones, whatever ends the process or the machine meanwhile. */
  write(budgets: readonly BudgetTerms[]): void {
    const text = JSON.stringify(budgets);
    if (text === this.text) return;
    const draft = `${this.file}.${randomUUID()}`;
    try {
      writeFileSync(draft, text, { mode: 0o600, flush: true });
      renameSync(draft, this.file);
      this.text = text;
      this.hasFailed = false;
    } catch {
      rmSync(draft, { force: true });
      // Tried again every few seconds, and told once: the budgets themselves hold all the same.
      if (!this.hasFailed) this.observer.budgetsNotRemembered();
      this.hasFailed = true;
    }
  }
}

/** Null where it is there and says nothing that can be used. */
function readText(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8');
    const budgets: unknown = JSON.parse(text);
    return Array.isArray(budgets) && budgets.every(isTerms) ? text : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? '[]' : null;
  }
}

/** Another version of padron may have written it. */
function isTerms(value: unknown): value is BudgetTerms {
  if (typeof value !== 'object' || value === null) return false;
  const { id, account, client, tag, period, units, alertsAt } = value as Readonly<Record<string, unknown>>;
  const areNames = [client, tag].every((name) => name === null || typeof name === 'string');
  const isBound = (period === 'DAY' || period === 'MONTH') && Number.isInteger(units) && Array.isArray(alertsAt);
  return typeof id === 'string' && typeof account === 'string' && areNames && isBound;
}
