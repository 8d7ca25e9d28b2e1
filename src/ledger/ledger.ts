import { join } from 'node:path';
import type { Caller } from '../registry/caller';
import { type FolderLock, lockFolder } from '../store/embedded/folder-lock';
import type { KeyRing } from '../store/key-ring';
import type { Store } from '../store/store';
import { AccountNames } from './account-names';
import { type AlertObserver, AlertSender } from './budgets/alerts';
import { BudgetGuard } from './budgets/budget-guard';
import { Calendar } from './budgets/period';
import { type MemoryObserver, RememberedBudgets } from './budgets/remembered-budgets';
import { EntryIds, newProcessName } from './entry-id';
import { EntryWriter, type WriterObserver } from './entry-writer';
import { Journal } from './journal';
import { journalLock, recoverJournals } from './journal-recovery';
import { type LedgerParts, RequestLedger, type RequestOrigin } from './request-ledger';
import { noteKeyUse } from './rows/key-use';
import { SubjectIndex } from './subject-index';

export interface LedgerOptions {
  readonly store: Store;
  readonly keys: KeyRing;
  /** Of the service: the same token is another account elsewhere. */
  readonly serviceUrl: string;
  /** For the journal; null where the store itself goes with the process. */
  readonly dataFolder: string | null;
  /** Whether no call may leave that cannot be entered. */
  readonly isRequired: boolean;
  readonly now: () => Date;
  readonly timeZone: string;
  readonly alertUrl: string | null;
  readonly observer: WriterObserver & AlertObserver & MemoryObserver & KeyObserver;
}

/** Told of keys that the store was written with, and this process does not have. */
export interface KeyObserver {
  /** By marks that tell nothing of them. */
  keysMissing(marks: readonly string[]): void;
}

/** The journal holds them meanwhile, and whoever looks from here does not wait. */
const delayMs = 1_000;
const closeMs = 10_000;

/** What was spent and proven, kept: each call is entered before it leaves, and written to the store behind it. */
export class Ledger {
  readonly processName: string;
  readonly accounts: AccountNames;
  readonly subjects: SubjectIndex;
  readonly store: Store;
  readonly budgets: BudgetGuard;
  private readonly writer: EntryWriter;
  /** Brought in, and not made up for in the budgets yet: their journals are gone. */
  private readonly endedProcesses = new Set<string>();
  /** What all requests share. */
  private readonly parts: LedgerParts;

  private constructor(
    private readonly options: LedgerOptions,
    processName: string,
    private readonly journal: Journal | null,
    private readonly lock: FolderLock | null,
  ) {
    const { store, keys, serviceUrl, dataFolder, observer, now, alertUrl: url } = options;
    this.processName = processName;
    this.store = store;
    this.accounts = new AccountNames(keys, serviceUrl);
    this.subjects = new SubjectIndex(keys);
    const recover = async (folder: string): Promise<void> => {
      for (const name of await recoverJournals(folder, journalFolder(folder), store)) this.endedProcesses.add(name);
      await this.budgets.start([...this.endedProcesses]);
      this.endedProcesses.clear();
      const missing = await noteKeyUse(store, keys);
      if (missing.length > 0) observer.keysMissing(missing);
    };
    this.budgets = new BudgetGuard({
      store,
      processName,
      calendar: new Calendar(options.timeZone),
      alerts: new AlertSender({ store, url, key: keys.newest.alerts, now, observer }),
      now,
      isShared: store.engine === 'postgres',
      remembered: dataFolder === null ? null : new RememberedBudgets(join(dataFolder, 'budgets.json'), observer),
      flush: () => this.flush(),
    });
    this.writer = new EntryWriter({
      store,
      processName,
      journal,
      observer,
      recover: dataFolder === null ? null : () => recover(dataFolder),
      delayMs: dataFolder === null ? null : delayMs,
    });
    this.parts = {
      writer: this.writer,
      journal,
      ids: new EntryIds(processName),
      subjects: this.subjects,
      guard: this.budgets,
      now,
      mustRefuse: () => this.mustRefuse(),
    };
  }

  static async start(options: LedgerOptions): Promise<Ledger> {
    const { dataFolder } = options;
    const processName = newProcessName();
    if (dataFolder === null) return new Ledger(options, processName, null, null);
    const lock = await lockFolder(dataFolder, journalLock(processName));
    const journal = new Journal(journalFolder(dataFolder), processName);
    const ledger = new Ledger(options, processName, journal, 'release' in lock ? lock : null);
    // Before the first call: it may be bounded.
    await ledger.budgets.loadOrRemember();
    return ledger;
  }

  /** The ledger as the calls of one request write it. */
  forRequest(caller: Caller, origin: RequestOrigin): RequestLedger {
    return new RequestLedger(this.parts, this.accounts.namesOf(caller), origin);
  }

  /** Entries that are not in the store yet, and whether it was away when it was last tried. */
  state(): { readonly waiting: number; readonly isAway: boolean } {
    return { waiting: this.writer.waiting, isAway: this.writer.isAway };
  }

  /** Before somebody looks: what was entered here is in the store then. Rejects with `StoreUnavailableError` where it is away. */
  flush(): Promise<void> {
    return this.writer.flush();
  }

  /** What the store does not take in time stays in the journal for the next start. */
  async close(): Promise<void> {
    // What goes with the process need not be written before it.
    if (this.journal !== null) {
      await this.writer.close(closeMs);
      await this.budgets.close();
    }
    this.journal?.close();
    await this.lock?.release();
  }

  private mustRefuse(): boolean {
    return this.options.isRequired && (this.writer.isAway || this.journal?.isBroken === true);
  }
}

const journalFolder = (dataFolder: string): string => join(dataFolder, 'journal');
