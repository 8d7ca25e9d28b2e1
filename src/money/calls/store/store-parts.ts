import type { LRUCache } from 'lru-cache';
import type { RegistryClient } from '../../../registry/client/client';
import type { KeyRing } from '../../../store/key-ring';
import type { Connections, Store, StoreHealth, StoreObserver } from '../../../store/store';
import type { MemoryAnswers } from '../../answers/memory-answers';
import type { KeptAnswers } from '../../answers/operations/kept-answers';
import type { SharedAnswers } from '../../answers/shared-answers';
import type { SharedNames } from '../../answers/shared-names';
import type { BudgetLeft, StoredBudgets } from '../../ledger/budgets/stored-budgets';
import type { AccountNames } from '../../ledger/entries/account-names';
import type { EntryIds } from '../../ledger/entries/entry-json';
import type { Calendar } from '../../ledger/entries/period';
import type { EntryLink, SubjectIndex } from '../../ledger/entries/subject-index';
import type { EventObserver, Webhook } from '../../ledger/events/event-store';
import type { PriceObserver, StoredPrices } from '../../ledger/prices/stored-prices';
import type { Payer } from '../life/call';
import type { CallCloser } from './call-closer';
import type { CallOpener } from './call-opener';
import type { CallWaits } from './call-waits';
import type { Closing } from './closing';
import type { Processes, SharedSettings } from './processes';

export interface StoreBackendOptions {
  readonly store: Store;
  /** Whether the store ends with this process. Then an entry that is in memory is as safe as one in the store. */
  readonly isInMemory: boolean;
  readonly keys: KeyRing;
  readonly accounts: AccountNames;
  readonly subjects: SubjectIndex;
  readonly service: string;
  readonly settings: SharedSettings;
  readonly timeZone: string;
  readonly calendar: Calendar;
  readonly webhook: () => Webhook | null;
  /** Maximum bytes that the operations of an account keep. */
  readonly accountBytes: number;
  readonly client: RegistryClient;
  readonly memory: MemoryAnswers;
  readonly windowMs: number;
  /** Milliseconds for which an answer may be used again. */
  readonly reuseMs: number;
  readonly now: () => Date;
  readonly observer: CallObserver;
  readonly onShare: (rank: number, live: number) => void;
}

export interface CallObserver extends StoreObserver, EventObserver, PriceObserver {
  /** Reports keys that stored data was written with and that this process lacks. An ID does not reveal its key. */
  keysMissing(ids: readonly string[]): void;
  /** Receives the settings of the processes that live when this one starts. */
  settingsFound(settings: readonly SharedSettings[]): void;
  /** Reports that an older copy has taken the place of the store. */
  storeIsOlder(): void;
  /** Reports that the server gives fewer connections than a process needs. */
  connectionsMissing(connections: Connections): void;
  /** Reports closings that the store rejected, or that memory had no room for. */
  closingsLost(count: number): void;
  /** Reports paid answers that requests wanted to keep for later ones, and that are not kept. */
  answersNotKept(count: number): void;
  failed(error: unknown): void;
}

/** Parts that a call in the store works with. */
export interface StoreParts {
  /** Whether a store in memory is still being opened. */
  readonly isOpening: boolean;
  readonly options: StoreBackendOptions;
  readonly health: StoreHealth;
  readonly ids: EntryIds;
  readonly opener: CallOpener;
  readonly closer: CallCloser;
  readonly budgets: StoredBudgets;
  readonly waits: CallWaits;
  readonly processes: Processes;
  readonly prices: StoredPrices;
  readonly names: SharedNames;
  readonly answers: SharedAnswers;
  readonly kept: KeptAnswers;
  /** Whether the answers that were last bought to be kept for later requests are kept, by the entries that prove them. */
  readonly keeping: LRUCache<string, Promise<boolean>>;
}

/** The payer of a call, and where the call is. */
export interface PayerContext {
  readonly store: StoreParts;
  readonly payer: Payer;
  readonly accounts: readonly string[];
  readonly asked: ReadonlyMap<string, EntryLink>;
  /** Budgets that the last paid call has seen. Null before it. */
  seenBudgets: readonly BudgetLeft[] | null;
  /** Adds a closing. Resolves when it is written: whether its answer is kept for later requests. */
  close(closing: Omit<Closing, 'accounts' | 'operation' | 'saved'>): Promise<boolean>;
}
