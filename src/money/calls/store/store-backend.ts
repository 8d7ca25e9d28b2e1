import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../../registry/caller';
import { seal } from '../../../store/sealed-box';
import { type Store, StoreHealth, UnusableStoreError } from '../../../store/store';
import { times } from '../../../times';
import { AnswerLookups } from '../../answers/answer-lookups';
import type { SharedWindows, WindowOwner } from '../../answers/caller-window';
import { isFailed } from '../../answers/memory-answers';
import { KeptAnswers } from '../../answers/operations/kept-answers';
import { LastingOperations } from '../../answers/operations/lasting-operations';
import { type KeyedQuestion, nothingSettled, type Settled, type SharedAnswer } from '../../answers/shared-answer';
import { encodeEarly, SharedAnswers } from '../../answers/shared-answers';
import { SharedNames } from '../../answers/shared-names';
import { StoredBudgets } from '../../ledger/budgets/stored-budgets';
import { CallCounts } from '../../ledger/entries/call-counts';
import { EntryIds, firstIdOf, newProcessName } from '../../ledger/entries/entry-json';
import { recordKeyUse } from '../../ledger/entries/subject-index';
import { EventSender } from '../../ledger/events/event-sender';
import { EventStore } from '../../ledger/events/event-store';
import { StoredPrices } from '../../ledger/prices/stored-prices';
import { CallCloser, type CloserOptions } from './call-closer';
import { CallOpener } from './call-opener';
import { CallWaits } from './call-waits';
import { Processes, type SharedSettings, settingsSql } from './processes';
import type { StoreBackendOptions, StoreParts } from './store-parts';

export interface StoreBackendState {
  readonly waiting: number;
  readonly isStoreUnavailable: boolean;
  /** False until this process has reached its store for the first time. Until then it makes no paid call. */
  readonly isReady: boolean;
}

const pauseSql = `INSERT INTO call_pauses SELECT unnest($1::text[]), now() + $2 * interval '1 millisecond'
  ON CONFLICT (account) DO UPDATE SET until = greatest(call_pauses.until, excluded.until)`;
/** Finds what other processes may have changed: persons were erased, budgets were set, or the price list is another. */
const noticedSql = `SELECT count::text, EXISTS (SELECT FROM ledger_budgets) AS has_budgets,
  (SELECT max(version) FROM price_lists) AS prices FROM ledger_erasure_count`;

interface Noticed {
  readonly count: string;
  readonly has_budgets: boolean;
  readonly prices: number | null;
}

/** Age up to which entries are included when the sums are recalculated: 33 days cover the current month in every time zone. */
const recalculatedMs = 33 * 86_400_000;

function throwIfUnusable(error: unknown): void {
  if (error instanceof UnusableStoreError) throw error;
}

/** The calls in a store. Processes that share PostgreSQL share their calls and answers. */
export class StoreBackend implements StoreParts, SharedWindows {
  /** The store, wrapped to report its failures. All statements of calls, ledger and batches go through this wrapper. */
  readonly store: Store;
  readonly health: StoreHealth;
  readonly ids: EntryIds;
  readonly opener: CallOpener;
  readonly closer: CallCloser;
  readonly waits = new CallWaits();
  readonly keeping = new LRUCache<string, Promise<boolean>>({ max: 10_000 });
  readonly processes: Processes;
  readonly budgets: StoredBudgets;
  readonly names: SharedNames;
  readonly answers: SharedAnswers;
  readonly kept: KeptAnswers;
  readonly operations: LastingOperations;
  readonly events: EventStore;
  readonly counts: CallCounts;
  readonly prices: StoredPrices;
  private readonly sender: EventSender;
  /** Number of erasures that this process knows. Null before it has asked. */
  private knownErasures: string | null = null;
  private checkingErasures: Promise<void> = Promise.resolve();

  private constructor(
    readonly options: StoreBackendOptions,
    readonly processName: string,
  ) {
    const { client, memory, keys, accounts, calendar, observer, accountBytes, windowMs, reuseMs, now } = options;
    this.ids = new EntryIds(processName);
    this.health = new StoreHealth(observer);
    const { health } = this;
    const store = health.watch(options.store);
    this.store = store;
    this.names = new SharedNames(keys, accounts, (endpoint) => client.address(endpoint));
    const { names } = this;
    const lookups = new AnswerLookups(store);
    this.answers = new SharedAnswers({
      lookups,
      names,
      accounts,
      client,
      memory,
      windowMs,
      reuseMs,
      accountBytes,
      now,
    });
    this.kept = new KeptAnswers(store, lookups, client, now);
    const flush = (): Promise<void> => this.closer.flush();
    this.operations = new LastingOperations({ store, names, accounts, accountBytes, flush });
    this.events = new EventStore(store);
    this.sender = new EventSender({ events: this.events, webhook: options.webhook, now, observer });
    client.onPriceDiffers = (...price) => this.sender.reportPrice(...price);
    client.onHealth = (registry, reason) => this.sender.reportRegistry(registry, reason);
    const onLost = (count: number): void => observer.closingsLost(count);
    const onUnkept = (count: number): void => observer.answersNotKept(count);
    const onBudgets: CloserOptions['onBudgets'] = (budgets) => this.budgets.record(budgets);
    this.counts = new CallCounts(store);
    this.prices = new StoredPrices(store, client, observer);
    const onEntry: CloserOptions['onEntry'] = (entry) => this.counts.record(entry);
    this.closer = new CallCloser({ store, health, processName, onEntry, onLost, onUnkept, onBudgets });
    this.budgets = new StoredBudgets({ store, health, calendar, now, flush });
    this.processes = new Processes({
      store,
      health,
      name: processName,
      service: options.service,
      settings: () => ({ ...options.settings, PRICE_LIST: client.prices.version }),
      prepare: () => this.prepare(),
      onShare: options.onShare,
      onBeat: () => void Promise.all([this.checkErasures(), this.counts.flush()]).catch(() => undefined),
      onReturn: () => this.prices.comeBack(),
      onOlder: () => observer.storeIsOlder(),
      onCallEnded: (call) => this.waits.wake(call),
      onError: (error) => observer.failed(error),
    });
    this.opener = new CallOpener({ store, processName, accountBytes, seenAt: () => this.processes.seenAt });
  }

  static async start(options: StoreBackendOptions): Promise<StoreBackend> {
    const calls = new StoreBackend(options, newProcessName());
    // A list that contradicts that of the store stops the start.
    if (!options.isInMemory && options.store.isOpen) await calls.prices.begin().catch(throwIfUnusable);
    calls.sender.start();
    // A store in memory is opened after a delay, so that the server can answer its first request earlier.
    if (options.isInMemory) setTimeout(() => void calls.processes.start(), times.memoryStoreDelay).unref();
    // The server starts without a store that is unavailable.
    else if (options.store.isOpen) await calls.processes.start();
    else void calls.processes.start();
    return calls;
  }

  get state(): StoreBackendState {
    const { closer, health, processes } = this;
    const isReady = processes.isRegistered || this.isOpening;
    return { waiting: closer.waiting, isStoreUnavailable: health.isUnavailable, isReady };
  }

  get isOpening(): boolean {
    return this.options.isInMemory && !this.processes.isRegistered && !this.health.isUnavailable;
  }

  sharePause(caller: Caller, ms: number): void {
    const { accounts } = this.options;
    this.store.query(pauseSql, [accounts.namesOf(caller), ms]).catch(() => undefined);
  }

  /** Keeps an answer for the window of a caller in other processes. */
  publish(question: KeyedQuestion, owner: WindowOwner, shared: SharedAnswer, asked: number, ms: number): void {
    const names = this.names.ofEarlyAnswer(question, owner);
    const { settled, answer } = shared;
    // The bytes of a call that the store has are not stored again.
    const id = answer.evidence.ledgerId ?? `early ${names.join(' ')}`;
    const until = performance.now() + ms;
    const contentKey = randomBytes(32);
    const key = this.names.wrap(id, contentKey);
    const keeps = [{ rule: 'HOLDER', names, key, failed: isFailed(answer), until, settled }] as const;
    const sealed = seal(contentKey, id, encodeEarly(shared));
    const closing = { names: [], keeps, asked, answer: sealed, operations: [], unused: 0, place: null };
    const accounts = this.options.accounts.namesOf(question.caller);
    void this.closer.add({ id, accounts, shared: closing, operation: null, saved: 0, kept: null, entry: null });
  }

  /** Returns what a holder's early response left uncertain, if no process has reported it. Nothing if the store takes long. */
  settle(question: KeyedQuestion, owner: WindowOwner): Promise<Settled> {
    const names = this.names.ofEarlyAnswer(question, owner);
    const sql = 'SELECT answer_settle($1) AS settled';
    const rows = this.closer.flush().then(() => this.store.query<{ readonly settled: Settled | null }>(sql, [names]));
    const settled = rows.then(([row]) => row?.settled ?? nothingSettled).catch(() => nothingSettled);
    return Promise.race([settled, sleep(times.budgetsWait, nothingSettled, { ref: false })]);
  }

  /** Writes the results of ended calls that are not in the store yet. The entries of calls that cannot be closed in time become UNKNOWN. */
  async close(): Promise<void> {
    if (!this.isOpening) await this.closer.close(times.closingGrace);
    if (!this.isOpening) await this.counts.flush().catch(() => undefined);
    await this.processes.stop();
    this.health.end();
    await this.sender.close();
  }

  /** Erases a person, by hashes of its identifiers, from the entries of an account and from all answers. Returns the number of entries. */
  async erase(accounts: readonly string[], hashes: readonly string[], at: Date): Promise<number> {
    const sql = 'SELECT person_erase($1, $2, $3, $4) AS entries';
    const parameters = [accounts, hashes, at, this.options.settings.PURPOSES ?? null];
    const [row] = await this.store.query<{ readonly entries: number }>(sql, parameters);
    await this.checkErasures(true);
    return row?.entries ?? 0;
  }

  /**
   * Forgets the answers that are kept for replay if a person was erased since the last check, by any process, or if this process has just
   * erased one: any answer may be about the person.
   */
  private checkErasures(hasErased = false): Promise<void> {
    const run = (): Promise<void> => this.forgetErased(hasErased);
    this.checkingErasures = this.checkingErasures.then(run, run);
    return this.checkingErasures;
  }

  private async forgetErased(hasErased: boolean): Promise<void> {
    const { store, closer, options, knownErasures: known } = this;
    const [row] = await store.query<Noticed>(noticedSql);
    const count = row?.count ?? '';
    if (row !== undefined) this.budgets.areUsed = row.has_budgets;
    if (known === null ? hasErased : known !== count) {
      options.memory.forget();
      // The closings that wait may have answers of calls that ended before the erasure.
      await closer.flush();
      await store.query('SELECT answer_forget()');
    }
    this.knownErasures = count;
    await this.prices.follow(row?.prices ?? null).catch((error: unknown) => {
      if (error instanceof UnusableStoreError) options.observer.failed(error);
    });
  }

  private async prepare(): Promise<void> {
    const { keys, observer, timeZone, now } = this.options;
    const firstRecalculated = firstIdOf(new Date(now().getTime() - recalculatedMs));
    await this.store.runLong('SELECT ledger_set_time_zone($1, $2)', [timeZone, firstRecalculated]);
    const { connections } = this.store;
    if (connections !== null && connections.opened < connections.wanted) observer.connectionsMissing(connections);
    const found = await this.store.query<{ readonly settings: SharedSettings }>(settingsSql);
    observer.settingsFound(found.map(({ settings }) => settings));
    const missing = await recordKeyUse(this.store, keys);
    if (missing.length > 0) observer.keysMissing(missing);
    await this.prices.begin();
  }
}
