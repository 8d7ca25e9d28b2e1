import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { BudgetTerms } from './budget';

/** The budgets as the store last told them, in a file of the process's folder: one that starts while the store is away is bound by them. */
export class RememberedBudgets {
  private written: string;

  constructor(private readonly file: string) {
    this.written = readText(file) ?? '[]';
  }

  read(): readonly BudgetTerms[] {
    return JSON.parse(this.written) as readonly BudgetTerms[];
  }

  /** A process that is killed meanwhile leaves the old ones or the new ones. */
  write(budgets: readonly BudgetTerms[]): void {
    const text = JSON.stringify(budgets);
    if (text === this.written) return;
    const draft = `${this.file}.new`;
    try {
      writeFileSync(draft, text, { mode: 0o600 });
      renameSync(draft, this.file);
      this.written = text;
    } catch {
      // A folder that cannot be written is told by the journal; the budgets of the store hold all the same.
    }
  }
}

/** Null where there is none, or none that can be read: nothing is bound by a guess. */
function readText(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8');
    return Array.isArray(JSON.parse(text)) ? text : null;
  } catch {
    return null;
  }
}
