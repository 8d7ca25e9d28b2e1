import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, asReplay } from '../../../registry/answer/answer';
import type { Problem, ProblemCode } from '../../../registry/answer/problem';
import { originOf } from '../../../registry/endpoint/endpoint';
import { StoreUnavailableError } from '../../../store/store';
import { times } from '../../../times';
import { isPart } from '../../answers/operations/lasting-operations';
import {
  type KeyedQuestion,
  type RunningQuestion,
  reused,
  type SharedAnswer,
  toShared,
} from '../../answers/shared-answer';
import type { BudgetLeft } from '../../ledger/budgets/stored-budgets';
import {
  type ClosedEntry,
  linkedEntry,
  type OpenedEntry,
  savingEntry,
  sharedEntry,
} from '../../ledger/entries/entry-json';
import type { EntryLink, IndexedText } from '../../ledger/entries/subject-index';
import type { Payer, PayerCalls, PendingQuestion, WholeBudget } from '../life/call';
import type { PayerCall } from '../life/life';
import { budgetExhausted, seesOtherClients } from '../life/refusals';
import type { Saving, SavingKind } from '../units/unit-meter';
import { type Closing, isToBeKept } from './closing';
import type { PayerContext, StoreParts } from './store-parts';
import { StoredCall } from './stored-call';

/** The calls of one payer in the store, and its other entries in the ledger. */
export class StoredPayer implements PayerCalls, PayerContext {
  readonly accounts: readonly [string, ...string[]];
  private readonly began: number;
  /** Links of all that this payer has asked about, by their hashes. Only an operation that lasts needs them. */
  readonly asked = new Map<string, EntryLink>();
  private readonly unwritten = new Set<Promise<unknown>>();
  private isAnswered = false;
  seenBudgets: readonly BudgetLeft[] | null = null;

  constructor(
    readonly store: StoreParts,
    readonly payer: Payer,
  ) {
    const { accounts, now } = store.options;
    this.accounts = accounts.namesOf(payer.caller);
    this.began = now().getTime();
  }

  begin(question: PendingQuestion, running: RunningQuestion | null = null): PayerCall {
    return new StoredCall(this, question, running, this.newEntry(question));
  }

  recordShared(question: PendingQuestion, answer: Answer<unknown>, saving: SavingKind | null): string | null {
    const { ledgerId } = answer.evidence;
    if (ledgerId !== null && this.payer.origin.reference !== null && !this.isAnswered) this.link(question, ledgerId);
    // Thousands of rows of a batch may share an answer. They all refer to the entry of the call that paid for it.
    // An answer that arrives after the response was not used.
    if (isPart(this.payer.units.lasting) || this.isAnswered) return ledgerId;
    const entry = this.store.options.subjects.withAnswer(this.newEntry(question), answer.sha256);
    this.record(sharedEntry(entry, answer, saving), saving === null ? 0 : question.price);
    const keeping = ledgerId === null ? undefined : this.store.keeping.get(ledgerId);
    if (keeping !== undefined) this.store.keeping.set(entry.id, keeping);
    return entry.id;
  }

  link(question: PendingQuestion, entry: string, problem: ProblemCode | null = null, isShared = false): void {
    const opened = this.newEntry(question, entry);
    const subjects = isShared ? opened.subjects.filter(([kind]) => kind === 'reference') : opened.subjects;
    if (subjects.length > 0) this.record(linkedEntry({ ...opened, subjects }, problem));
  }

  linkPerson(
    question: PendingQuestion,
    answer: Answer<unknown>,
    entry: string | null,
    texts: readonly IndexedText[],
  ): void {
    const { subjects: index, client } = this.store.options;
    const opened = this.createEntry(client.address(question.endpoint), question.price);
    const id = entry ?? opened.id;
    const links = index.linksOf(id, texts, entry === null ? this.payer.origin.reference : null);
    const linked = { ...opened, id, subjects: links };
    if (entry === null) this.record(sharedEntry(index.withAnswer(linked, answer.sha256), asReplay(answer), null));
    else this.record({ ...linkedEntry(linked), own: true });
  }

  recordSavings(savings: readonly Saving[]): void {
    this.isAnswered = true;
    for (const saving of savings)
      this.record(savingEntry(this.createEntry(saving.endpoint, saving.units), saving), saving.units);
  }

  async written(signal: AbortSignal): Promise<void> {
    const all = Promise.all(this.unwritten).then(() => true);
    while (!(await Promise.race([all, sleep(times.entriesPoll, false, { ref: false })])))
      if (signal.aborted && this.store.health.isUnavailable)
        throw new StoreUnavailableError('The store is unavailable.');
  }

  async budgetsLeft(): Promise<readonly BudgetLeft[]> {
    const { caller, origin } = this.payer;
    if (caller.bearer === null) return [];
    return this.store.budgets.findTightest(this.accounts, origin, seesOtherClients(caller), this.seenBudgets);
  }

  async wholeBudget(): Promise<WholeBudget | null> {
    const { budgets, options } = this.store;
    const { calendar, now } = options;
    const found = await budgets.findWhole(this.accounts, this.payer.origin);
    if (found === undefined) return null;
    const { left, id: budget, period } = found;
    const refuse = (price: number): Problem =>
      budgetExhausted({ ...found, budget }, calendar.periodOf(period, now()), price, now(), this.payer.caller);
    const isShown = found.client !== null || seesOtherClients(this.payer.caller);
    return { left, isShown, refuse };
  }

  recordRefused(count: number): void {
    if (count > 0) this.store.budgets.recordRefused(this.accounts[0], this.payer.origin.client, count);
  }

  async findKept(question: KeyedQuestion, reads = true): Promise<SharedAnswer | undefined> {
    const { lasting } = this.payer.units;
    if (lasting === null) return undefined;
    const own = await this.store.kept.find(lasting, question, reads);
    if (own !== undefined || lasting.earlier === null) return own;
    const earlier = await this.store.kept.findEarlier(lasting.earlier, question);
    return earlier && toShared(earlier.answer, null, reused);
  }

  async lasts(): Promise<boolean> {
    const { lasting } = this.payer.units;
    return lasting !== null && this.store.kept.lasts(lasting);
  }

  isKept(ledgerId: string): Promise<boolean | null> {
    const keeping = this.store.keeping.get(ledgerId) ?? null;
    return Promise.race([keeping, sleep(times.budgetsWait, null, { ref: false })]);
  }

  close(withoutPayer: Omit<Closing, 'accounts' | 'operation' | 'saved'>): Promise<boolean> {
    const closing = { ...withoutPayer, accounts: this.accounts, operation: this.operation, saved: 0 };
    const written = this.store.closer.add(closing);
    if (isToBeKept(closing)) this.store.keeping.set(closing.id, written);
    this.unwritten.add(written);
    void written.then(() => this.unwritten.delete(written));
    return written;
  }

  private get operation(): string | null {
    return this.payer.units.lasting?.id ?? null;
  }

  /** Records an entry that is no call. Only what it saves concerns the operation. */
  private record(entry: ClosedEntry, saved = 0): void {
    const operation = saved > 0 && !isPart(this.payer.units.lasting) ? this.operation : null;
    void this.store.closer.add({
      id: entry.id,
      accounts: this.accounts,
      shared: null,
      operation,
      saved,
      kept: null,
      entry,
    });
  }

  /** Creates an entry with its links. `paidBy` is the entry to link if another call has paid for the answer. */
  private newEntry({ endpoint, price, question }: PendingQuestion, paidBy: string | null = null): OpenedEntry {
    const { subjects, client } = this.store.options;
    const entry = this.createEntry(client.address(endpoint), price);
    const id = paidBy ?? entry.id;
    const links = subjects.linksOf(id, endpoint.subjects?.(question) ?? [], this.payer.origin.reference);
    const origin = subjects.linksOf(id, originOf(question), null);
    const all = [...origin, ...links];
    if (this.payer.units.lasting !== null) for (const link of all) this.asked.set(link[1], link);
    // The entry that paid for the answer may be that of another person with the same name.
    if (paidBy !== null) return { ...entry, id, subjects: links, unlinked: origin };
    return { ...entry, id, subjects: all };
  }

  private createEntry(endpoint: string, price: number): OpenedEntry {
    const { ids, options } = this.store;
    const { client, tag, purpose, actor, operation, requestId, batchId } = this.payer.origin;
    const moment = options.now();
    return {
      id: ids.next(moment),
      at: moment.getTime(),
      began: this.began,
      account: this.accounts[0],
      client,
      tag,
      purpose,
      actor,
      operation: operation(),
      request: requestId,
      batch: batchId,
      lasting: this.operation,
      endpoint,
      price,
      subjects: [],
    };
  }
}
