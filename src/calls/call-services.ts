import type { Calendar } from '../ledger/budgets/period';
import type { EntryIds } from '../ledger/entry-id';
import type { RegistryClient } from '../registry/client/client';
import type { MemoryAnswers } from './answers/memory-answers';
import type { CallStore } from './store/call-store';

export interface CallsOptions {
  readonly client: RegistryClient;
  readonly windowMs: number;
  readonly callTimeoutMs: number;
  readonly timeZone: string;
  readonly now: () => Date;
}

export interface CallServices {
  readonly options: CallsOptions;
  readonly memory: MemoryAnswers;
  readonly calendar: Calendar;
  readonly ids: EntryIds;
  /** Null if padron has no store. */
  readonly store: CallStore | null;
}
