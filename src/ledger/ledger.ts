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
import { noteKeyUse } from './rows/key-use';
import type { SubjectIndex } from './subject-index';
import { CallOpener } from './writing/call-opener';
import { CallRecorder, type RecorderDependencies, type RequestOrigin } from './writing/call-recorder';
import { EntryWriter } from './writing/entry-writer';
import { Journal, type JournalObserver } from './writing/journal';
import { journalLock, recoverJournals } from './writing/journal-recovery';
import { StoreHealth, type StoreObserver } from './writing/store-health';

export interface LedgerOptions {
  readonly store: Store;
  readonly keys: KeyRing;
  readonly accounts: AccountNames;
  readonly subjects: SubjectIndex;
  /** Folder of the journal. Null if the store ends with the process. */
  readonly dataFolder: string | null;
  /** Whether every call must be in the store before it is sent. */
  readonly isRequired: boolean;
  readonly now: () => Date;
  readonly timeZone: string;
  readonly alertUrl: string | null;
  readonly observer: LedgerObserver;
}

/** Hears of the ledger, for log and metrics. */
export interface LedgerObserver extends StoreObserver, JournalObserver, AlertObserver {
  /** Keys that the store was written with and this process lacks, by marks that reveal nothing of them. */
  keysMissing(marks: readonly string[]): void;
  /** Entries that the store refuses, or that nothing could hold. */
  entriesLost(count: number): void;
}

/** The ledger's state, as metrics and readiness show it. */
export interface LedgerState {
  /** Entries that are not in the store yet. */
  readonly waiting: number;
  readonly isAway: boolean;
  readonly isJournalBroken: boolean;
  /** False until this process has reached its store: until then it makes no paid call. */
  readonly isReady: boolean;
}

/** Meanwhile the journal holds an entry, and readers in this process do not wait for it. */
const delayMs = 1_000;
const closeMs = 10_000;
/** Less than a second for a server; an embedded store only has to finish what it is doing. */
const patienceMs = { postgres: 900, embedded: 10_000 } as const;

/** The ledger: records each call before it is sent, and writes it to the store. */
export class Ledger {
  readonly processName: string;
  readonly accounts: AccountNames;
  /** Records its failures: everything that reads or changes the ledger uses it. */
  readonly store: Store;
  readonly budgets: BudgetGuard;
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
    const { health, writer } = this;
    const patience = patienceMs[store.engine];
    const opener = new CallOpener({ store, health, writer, calendar, processName, now, patienceMs: patience });
    const ids = new EntryIds(processName);
    this.dependencies = { writer, journal, opener, ids, subjects, guard: this.budgets, now, isRequired };
  }

  static async start(options: LedgerOptions): Promise<Ledger> {
    const { dataFolder, observer } = options;
    const processName = newProcessName();
    if (dataFolder === null) return new Ledger(options, processName, null, null);
    const lock = await lockFolder(dataFolder, journalLock(processName));
    const journal = new Journal(journalFolder(dataFolder), processName, observer);
    const ledger = new Ledger(options, processName, journal, 'release' in lock ? lock : null);
    // A store that is unavailable is tried again behind the start.
    await ledger.budgets.start().catch(() => undefined);
    return ledger;
  }

  /** Returns the recorder of one request's calls. */
  forRequest(caller: Caller, origin: RequestOrigin): CallRecorder {
    return new CallRecorder(this.dependencies, this.accounts.namesOf(caller), origin);
  }

  state(): LedgerState {
    return {
      waiting: this.writer.waiting,
      isAway: this.health.isAway,
      isJournalBroken: this.journal?.isBroken === true,
      isReady: this.budgets.isLoaded,
    };
  }

  /** Resolves when every entry of this process is in the store, for readers. Rejects with `StoreUnavailableError`. */
  flush(): Promise<void> {
    return this.writer.flush();
  }

  /** Entries that the store does not take in time stay in the journal for the next start. */
  async close(): Promise<void> {
    // A store in memory ends too.
    if (this.journal !== null) await this.writer.close(closeMs);
    await this.budgets.close();
    this.journal?.close();
    await this.lock?.release();
  }

  /** When the store is reached for the first time: what this process must know of it, and what others have left behind. */
  private async recover(folder: string): Promise<void> {
    const { keys, observer } = this.options;
    await this.budgets.start();
    await recoverJournals(folder, journalFolder(folder), this.store);
    const missing = await noteKeyUse(this.store, keys);
    if (missing.length > 0) observer.keysMissing(missing);
  }
}

const journalFolder = (dataFolder: string): string => join(dataFolder, 'journal');
