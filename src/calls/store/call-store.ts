import { join } from 'node:path';
import type { AccountNames } from '../../ledger/account-names';
import { BudgetGuard } from '../../ledger/budgets/budget-guard';
import type { Calendar } from '../../ledger/budgets/period';
import { newProcessName } from '../../ledger/entry-id';
import type { EventObserver, Webhook } from '../../ledger/events/event';
import { EventSender } from '../../ledger/events/event-sender';
import { EventStore } from '../../ledger/events/event-store';
import { recordKeyUse } from '../../ledger/key-use';
import type { SubjectIndex } from '../../ledger/subject-index';
import type { Caller } from '../../registry/caller';
import type { RegistryClient } from '../../registry/client/client';
import { type FolderLock, lockFolder } from '../../store/embedded/folder-lock';
import type { KeyRing } from '../../store/key-ring';
import type { Store } from '../../store/store';
import { StoreHealth, type StoreObserver } from '../../store/store-health';
import type { MemoryAnswers } from '../answers/memory-answers';
import type { KeyedQuestion, SharedAnswer } from '../answers/shared-answer';
import { CallCloser } from './call-closer';
import { CallOpener } from './call-opener';
import { CallWaits } from './call-waits';
import { insertEntries } from './insert-entries';
import { Journal, type JournalObserver } from './journal';
import { journalLock, recoverJournals } from './journal-recovery';
import { adoptSql, pauseSql } from './migrations';
import { Processes } from './processes';
import { RunningCalls } from './running-calls';
import { encodeEarly, SharedAnswers } from './shared-answers';
import { SharedNames } from './shared-names';

export interface CallStoreOptions {
  readonly store: Store;
  readonly keys: KeyRing;
  readonly accounts: AccountNames;
  readonly subjects: SubjectIndex;
  /** Folder of the journal. Null if the store is in memory. */
  readonly dataFolder: string | null;
  /** With `required`, every call is in the store before it is sent. */
  readonly ledger: 'off' | 'on' | 'required';
  readonly service: string;
  readonly timeZone: string;
  readonly calendar: Calendar;
  readonly webhook: Webhook | null;
  readonly client: RegistryClient;
  readonly memory: MemoryAnswers;
  readonly windowMs: number;
  readonly callTimeoutMs: number;
  readonly now: () => Date;
  readonly observer: CallObserver;
  readonly onShare: (rank: number, live: number) => void;
}

export interface CallObserver extends StoreObserver, JournalObserver, EventObserver {
  /** Reports keys that stored data was written with and that this process lacks. An ID does not reveal its key. */
  keysMissing(ids: readonly string[]): void;
  /** Reports entries that the store rejected, or that neither memory nor the journal had room for. */
  entriesLost(count: number): void;
  failed(error: unknown): void;
}

export interface CallStoreState {
  readonly waiting: number;
  readonly isStoreUnavailable: boolean;
  readonly isJournalBroken: boolean;
  /** False until this process has reached its store for the first time. Until then it makes no paid call. */
  readonly isReady: boolean;
}

/** Time that an entry waits, so that several are written together. If the process is killed meanwhile, the journal has the entry. */
const delayMs = 1_000;
const closeTimeoutMs = 10_000;
/** Time after which a call asks whether the store is alive. The embedded store may be busy with another statement. */
const openTimeoutMs = { postgres: 500, embedded: 10_000 } as const;
/** Milliseconds that others wait after a call's deadline before they repeat the call. */
const graceMs = 5_000;

export class CallStore {
  /** The store, wrapped to report its failures. All statements of calls, ledger and batches go through this wrapper. */
  readonly store: Store;
  readonly health: StoreHealth;
  readonly opener: CallOpener;
  readonly closer: CallCloser;
  readonly waits = new CallWaits();
  readonly running = new RunningCalls();
  /** Budgets over time. Null without a ledger. */
  readonly budgets: BudgetGuard | null;
  /** Names of questions, and their answers, if other processes can share them. */
  readonly names: SharedNames | null;
  readonly answers: SharedAnswers | null;
  readonly events: EventStore;
  private readonly sender: EventSender;
  private readonly processes: Processes;

  private constructor(
    readonly options: CallStoreOptions,
    readonly processName: string,
    readonly journal: Journal | null,
    private readonly lock: FolderLock | null,
  ) {
    const { client, memory, keys, accounts, dataFolder, observer, windowMs, now } = options;
    this.health = new StoreHealth(observer);
    const { health } = this;
    const store = health.watch(options.store);
    this.store = store;
    const isShared = store.engine === 'postgres';
    this.names = isShared ? new SharedNames(keys, accounts, (endpoint) => client.address(endpoint)) : null;
    this.answers =
      this.names === null ? null : new SharedAnswers({ store, names: this.names, client, memory, windowMs, now });
    this.budgets = options.ledger === 'off' ? null : this.createBudgets();
    this.events = new EventStore(store);
    const hasLedger = options.ledger !== 'off';
    this.sender = new EventSender({ events: this.events, webhook: options.webhook, hasLedger, now, observer });
    client.onHealth = (registry, reason) => this.sender.reportRegistry(registry, reason);
    this.closer = new CallCloser({
      store,
      health,
      processName,
      journal,
      recover: dataFolder === null ? null : () => this.recover(dataFolder),
      delayMs: dataFolder === null ? null : delayMs,
      onLost: (count) => observer.entriesLost(count),
    });
    this.opener = new CallOpener({
      store,
      health,
      processName,
      timeoutMs: openTimeoutMs[store.engine],
      maxCallMs: options.callTimeoutMs + graceMs,
    });
    this.processes = new Processes({
      store,
      name: processName,
      service: options.service,
      onShare: options.onShare,
      onForgotten: () => void this.adopt(),
      onCallEnded: (call) => this.waits.wake(call),
      onError: (error) => observer.failed(error),
    });
    health.onAvailable = () => void this.adopt();
  }

  static async start(options: CallStoreOptions): Promise<CallStore> {
    const { dataFolder, observer, ledger } = options;
    const processName = newProcessName();
    const hasJournal = dataFolder !== null && ledger !== 'off';
    const lock = hasJournal ? await lockFolder(dataFolder, journalLock(processName)) : null;
    const journal = hasJournal ? new Journal(journalFolder(dataFolder), processName, observer) : null;
    const calls = new CallStore(options, processName, journal, lock !== null && 'release' in lock ? lock : null);
    calls.sender.start();
    // A store in memory starts empty, and is opened when it is used.
    if (dataFolder === null) return calls;
    // If the store is unavailable, the closer retries. When it reaches the store, it calls `recover`, which loads the budgets.
    await calls.budgets?.start().catch(() => undefined);
    await calls.processes.start();
    return calls;
  }

  get state(): CallStoreState {
    return {
      waiting: this.closer.waiting,
      isStoreUnavailable: this.health.isUnavailable,
      isJournalBroken: this.journal?.isBroken === true,
      isReady: this.budgets?.isLoaded ?? (this.options.dataFolder === null || this.processes.isKnown),
    };
  }

  sharePause(caller: Caller, ms: number): void {
    if (this.names === null) return;
    const { accounts } = this.options;
    this.store.query(pauseSql, [accounts.namesOf(caller), ms]).catch(() => undefined);
  }

  publish(question: KeyedQuestion, client: string | null, shared: SharedAnswer, ms: number): void {
    if (this.names === null || ms <= 0) return;
    const names = this.names.ofEarlyAnswer(question, client);
    const id = `early ${names.join(' ')}`;
    const answer = this.names.seal(id, encodeEarly(shared));
    const until = performance.now() + ms;
    const accounts = this.options.accounts.namesOf(question.caller);
    const closing = { names, state: 'ANSWERED', answer, until, operations: [], unused: 0 } as const;
    void this.closer.add({ id, accounts, shared: closing, batch: null, kept: null, entry: null });
  }

  /** Writes the waiting closings and closes the journal. Entries that cannot be written in time stay in the journal for the next start. */
  async close(): Promise<void> {
    if (this.options.dataFolder !== null) await this.closer.close(closeTimeoutMs);
    await this.processes.stop();
    this.health.end();
    this.budgets?.close();
    await this.sender.close();
    this.journal?.close();
    await this.lock?.release();
  }

  private createBudgets(): BudgetGuard {
    const { now, timeZone, calendar, dataFolder } = this.options;
    const { store } = this;
    return new BudgetGuard({
      store,
      timeZone,
      calendar,
      now,
      isInMemory: dataFolder === null,
      flush: () => this.closer.flush(),
    });
  }

  private async recover(folder: string): Promise<void> {
    const { keys, observer, ledger } = this.options;
    if (ledger === 'off') return;
    await this.budgets?.start();
    await recoverJournals(folder, journalFolder(folder), (name, entries) => insertEntries(this.store, name, entries));
    const missing = await recordKeyUse(this.store, keys);
    if (missing.length > 0) observer.keysMissing(missing);
  }

  /** Tells the store again of the running calls, after an outage in which it may have forgotten them. */
  private async adopt(): Promise<void> {
    const calls = this.running.shared().map(({ id, names, question }) => ({ id, names, price: question.price }));
    if (calls.length === 0) return;
    const parameters = [this.processName, this.options.callTimeoutMs + graceMs, JSON.stringify(calls)];
    await this.store.query(adoptSql, parameters).catch(() => undefined);
  }
}

const journalFolder = (dataFolder: string): string => join(dataFolder, 'journal');
