import { join } from 'node:path';
import type { Caller } from '../registry/caller';
import { type FolderLock, lockFolder } from '../store/embedded/folder-lock';
import type { KeyRing } from '../store/key-ring';
import type { Store } from '../store/store';
import type { AccountNames } from './account-names';
import { type AlertObserver, AlertSender } from './budgets/alerts';
import { BudgetGuard } from './budgets/budget-guard';
import { Calendar } from './budgets/period';
import { EntryIds, newProcessName } from './entry-id';
import { recordKeyUse } from './key-use';
import type { SubjectIndex } from './subject-index';
import { CallOpener } from './writing/call-opener';
import { CallRecorder, type RecorderDependencies, type RequestOrigin } from './writing/call-recorder';
import { EntryWriter } from './writing/entry-writer';
import { Journal, type JournalObserver } from './writing/journal';
import { journalLock, recoverJournals } from './writing/journal-recovery';
import { RunningCalls } from './writing/running-calls';
import { StoreHealth, type StoreObserver } from './writing/store-health';

export interface LedgerOptions {
  readonly store: Store;
  readonly keys: KeyRing;
  readonly accounts: AccountNames;
  readonly subjects: SubjectIndex;
  /** Folder of the journal. Null if the store is in memory. */
  readonly dataFolder: string | null;
  /** Whether every call must be in the store before it is sent. */
  readonly isRequired: boolean;
  readonly now: () => Date;
  readonly timeZone: string;
  readonly alertUrl: string | null;
  readonly observer: LedgerObserver;
}

export interface LedgerObserver extends StoreObserver, JournalObserver, AlertObserver {
  /** Reports keys that stored data was written with and that this process lacks. An ID does not reveal its key. */
  keysMissing(ids: readonly string[]): void;
  /** Reports entries that the store rejected, or that neither memory nor the journal had room for. */
  entriesLost(count: number): void;
}

export interface LedgerState {
  readonly waiting: number;
  readonly isStoreUnavailable: boolean;
  readonly isJournalBroken: boolean;
  /** False until this process has reached its store for the first time. Until then it makes no paid call. */
  readonly isReady: boolean;
}

/** Time that an entry waits, so that several are written together. If the process is killed meanwhile, the journal has the entry. */
const delayMs = 1_000;
const closeTimeoutMs = 10_000;
/** Time that a call waits for the store. PostgreSQL answers within a second. The embedded store may be busy with another statement. */
const openTimeoutMs = { postgres: 900, embedded: 10_000 } as const;

export class Ledger {
  readonly processName: string;
  readonly accounts: AccountNames;
  /** The store, wrapped to report its failures to `health`. All reads and changes of the ledger go through this wrapper. */
  readonly store: Store;
  readonly budgets: BudgetGuard;
  readonly running = new RunningCalls();
  private readonly health: StoreHealth;
  private readonly writer: EntryWriter;
  private readonly dependencies: RecorderDependencies;

  private constructor(
    private readonly options: LedgerOptions,
    processName: string,
    private readonly journal: Journal | null,
    private readonly lock: FolderLock | null,
  ) {
    const { keys, accounts, subjects, dataFolder, observer, now, alertUrl: url, timeZone, isRequired } = options;
    this.processName = processName;
    this.health = new StoreHealth(observer);
    const store = this.health.watch(options.store);
    this.store = store;
    this.accounts = accounts;
    const calendar = new Calendar(timeZone);
    this.budgets = new BudgetGuard({
      store,
      timeZone,
      calendar,
      alerts: new AlertSender({ store, url, key: keys.newest.alerts, now, observer }),
      now,
      isInMemory: dataFolder === null,
      flush: () => this.flush(),
    });
    this.writer = new EntryWriter({
      store,
      health: this.health,
      processName,
      journal,
      recover: dataFolder === null ? null : () => this.recover(dataFolder),
      delayMs: dataFolder === null ? null : delayMs,
      onLost: (count) => observer.entriesLost(count),
    });
    const { health, writer, running } = this;
    const timeoutMs = openTimeoutMs[store.engine];
    const opener = new CallOpener({ store, health, writer, calendar, processName, now, timeoutMs });
    const ids = new EntryIds(processName);
    this.dependencies = { writer, journal, opener, running, ids, subjects, guard: this.budgets, now, isRequired };
  }

  static async start(options: LedgerOptions): Promise<Ledger> {
    const { dataFolder, observer } = options;
    const processName = newProcessName();
    if (dataFolder === null) return new Ledger(options, processName, null, null);
    const lock = await lockFolder(dataFolder, journalLock(processName));
    const journal = new Journal(journalFolder(dataFolder), processName, observer);
    const ledger = new Ledger(options, processName, journal, 'release' in lock ? lock : null);
    // If the store is unavailable, the writer retries. When it reaches the store, it calls `recover`, which loads the budgets.
    await ledger.budgets.start().catch(() => undefined);
    return ledger;
  }

  forRequest(caller: Caller, origin: RequestOrigin): CallRecorder {
    return new CallRecorder(this.dependencies, this.accounts.namesOf(caller), origin);
  }

  state(): LedgerState {
    return {
      waiting: this.writer.waiting,
      isStoreUnavailable: this.health.isUnavailable,
      isJournalBroken: this.journal?.isBroken === true,
      isReady: this.budgets.isLoaded,
    };
  }

  flush(): Promise<void> {
    return this.writer.flush();
  }

  /** Writes the waiting entries and closes the journal. Entries that cannot be written in time stay in the journal for the next start. */
  async close(): Promise<void> {
    // Without a journal the store is in memory, and ends with this process.
    if (this.journal !== null) await this.writer.close(closeTimeoutMs);
    await this.budgets.close();
    this.journal?.close();
    await this.lock?.release();
  }

  /** Loads the budgets and recovers the journals of ended processes. The writer calls it when it first reaches the store. */
  private async recover(folder: string): Promise<void> {
    const { keys, observer } = this.options;
    await this.budgets.start();
    await recoverJournals(folder, journalFolder(folder), this.store);
    const missing = await recordKeyUse(this.store, keys);
    if (missing.length > 0) observer.keysMissing(missing);
  }
}

const journalFolder = (dataFolder: string): string => join(dataFolder, 'journal');
