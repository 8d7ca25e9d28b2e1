import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../registry/answer/answer';
import { type Problem, type ProblemCode, problem } from '../registry/answer/problem';
import type { Caller } from '../registry/caller';
import { StoreBusyError, StoreUnavailableError } from '../store/store';
import { type KeyedQuestion, type SharedAnswer, toShared } from './answers/shared-answer';
import type { Claimant, NewCall, OpenCall, Opened, OutgoingQuestion, Payer } from './call';
import type { CallServices } from './call-services';
import { budgetExhausted, ledgerUnavailable, peerTimeout, poisonedQuestion } from './refusals';
import { RunningCall } from './running-call';
import type { NoReply, OpenReply } from './store/call-opener';
import { closedEntry, linkedEntry, type OpenedEntry, savingEntry } from './store/entry-json';
import type { Saving } from './units/savings';

const laterMs = 150;
const unavailableMs = 250;

/**
 * The calls of one payer. Opening a call decides everything about money: whether the answer is there already, whether somebody else is asking,
 * and whether every budget covers the price. In one process without a shared store, memory and journal are enough. Otherwise one statement of
 * the store decides.
 */
export class PayerCalls {
  private readonly accounts: readonly [string, ...string[]];
  private readonly began: number;
  private readonly unwritten = new Set<Promise<void>>();
  private isAnswered = false;

  constructor(
    private readonly calls: CallServices,
    private readonly caller: Caller,
    private readonly payer: Payer,
  ) {
    const { store, options } = calls;
    this.accounts = store?.options.accounts.namesOf(caller) ?? [''];
    this.began = options.now().getTime();
  }

  private get hasLedger(): boolean {
    return (this.calls.store?.options.ledger ?? 'off') !== 'off';
  }

  /** Opens a call before it is sent. `keyed` is null if its answer is never shared. */
  open(question: OutgoingQuestion, keyed: KeyedQuestion | null, claimant: Claimant): Opened | Promise<Opened> {
    const { store } = this.calls;
    const { price } = question;
    const { origin, row, units } = this.payer;
    const isPaid = price > 0;
    // A process that has never reached its store does not know the budgets.
    if (isPaid && store?.budgets?.isLoaded === false) return refused(ledgerUnavailable());
    const scope = { accounts: this.accounts, client: origin.client, tag: origin.tag };
    const isLimited = isPaid && store?.budgets?.hasBudgetFor(scope) === true;
    const isEntered = isLimited || store?.options.ledger === 'required';
    const call = this.newCall(question, keyed, isEntered);
    const isShared = store !== null && store.names !== null && (keyed !== null || units.operation !== null);
    if (store === null || !(isEntered || isShared || row !== null)) return this.start(call, 0);
    return this.openInStore(call, claimant);
  }

  /** Records an answer that was paid for before. Returns the ID of the entry that proves the answer, or null without a ledger. */
  recordShared(question: OutgoingQuestion, answer: Answer<unknown>): string | null {
    if (!this.hasLedger) return null;
    const { ledgerId } = answer.evidence;
    if (ledgerId !== null && this.payer.origin.reference !== null && !this.isAnswered) this.link(question, ledgerId);
    // Thousands of rows of a batch may share an answer. They all refer to the entry of the call that paid for it.
    // An answer that arrives after the response was not used.
    if (this.payer.row !== null || this.isAnswered) return ledgerId;
    const entry = this.newEntry(question);
    this.write(closedEntry(entry, answer, 'REPLAY'));
    return entry.id;
  }

  /** Adds the links of this payer to an entry whose answer it got, with the problem that it found in it. Others do not have the problem. */
  link(question: OutgoingQuestion, entry: string, problem: ProblemCode | null = null): void {
    this.write(linkedEntry(this.newEntry(question, entry), problem));
  }

  /** Records what repeated questions saved: those of a request when it is answered, or those of finished rows of a batch. */
  recordSavings(savings: readonly Saving[]): void {
    this.isAnswered = true;
    for (const { endpoint, outcome, units } of savings)
      this.write(savingEntry(this.createEntry(endpoint, units), outcome));
  }

  /** Resolves when the closings of this payer are in the store. Rejects if the store is unavailable and `signal` has aborted. */
  async written(signal: AbortSignal): Promise<void> {
    const all = Promise.all(this.unwritten).then(() => true);
    while (!(await Promise.race([all, sleep(unavailableMs, false, { ref: false })])))
      if (signal.aborted && this.calls.store?.health.isUnavailable === true)
        throw new StoreUnavailableError('The store is unavailable.');
  }

  private async openInStore(call: NewCall, claimant: Claimant): Promise<Opened> {
    const { row } = this.payer;
    const started = performance.now();
    let lostUnits = 0;
    let awaited: string | null = null;
    let replaced: string | null = null;
    let mayBeOpen = false;
    while (!claimant.signal.aborted) {
      const reply = await this.tryOpen(call, claimant, awaited, replaced);
      mayBeOpen = reply === 'unavailable';
      if (typeof reply === 'string') {
        const isLate = performance.now() - started > this.calls.options.callTimeoutMs;
        if (row === null && mayBeOpen) this.withdraw(call);
        if (row === null && (call.isEntered || isLate)) return refused(ledgerUnavailable(), lostUnits);
        if (row === null && reply !== 'busy') return this.start(call, lostUnits);
        // A row opens the same call again. Other calls of its account may hold a lock for a moment.
        await sleep(unavailableMs, undefined, { signal: claimant.signal }).catch(() => undefined);
        continue;
      }
      lostUnits += reply.lost;
      const opened = this.interpret(call, reply, claimant, lostUnits);
      if (opened !== null) return opened;
      if (reply.verdict === 'ANSWER' || reply.verdict === 'EARLY') replaced = reply.details?.call ?? null;
      else if (reply.verdict === 'LATER')
        await sleep(laterMs, undefined, { signal: claimant.signal }).catch(() => undefined);
      else {
        const leftMs = this.calls.options.callTimeoutMs - (performance.now() - started);
        if (row === null && leftMs <= 0) return refused(peerTimeout(), lostUnits);
        claimant.onElsewhere(reply.details?.ms ?? 0);
        awaited = reply.details?.call ?? null;
        await this.calls.store?.waits.wait(awaited ?? '', claimant.signal, Math.max(1, leftMs));
      }
    }
    if (mayBeOpen) this.withdraw(call);
    return refused(problem('CALLER_GONE'), lostUnits);
  }

  private async tryOpen(
    call: NewCall,
    claimant: Claimant,
    awaited: string | null,
    replaced: string | null,
  ): Promise<OpenReply | NoReply> {
    const { store, memory } = this.calls;
    const { row, units } = this.payer;
    if (store === null || store.health.isUnavailable) return 'away';
    // A row asks the store all the same, because its batch may keep an answer that the row itself has paid for.
    const isReplayed = row !== null && call.keyed !== null && memory.get(call.keyed) !== undefined;
    const affordable = claimant.canPay && !isReplayed && units.canAfford(call.question.price);
    try {
      return await store.opener.open(this.toOpening(call, affordable, awaited, replaced), () => this.withdraw(call));
    } catch (error) {
      if (error instanceof StoreBusyError) return 'busy';
      if (error instanceof StoreUnavailableError) return 'unavailable';
      throw error;
    }
  }

  private toOpening(call: NewCall, affordable: boolean, awaited: string | null, replaced: string | null) {
    const { row } = this.payer;
    const { id, names, early, operations, entry, isEntered, question } = call;
    return {
      id,
      accounts: this.accounts,
      batch: row?.batch ?? null,
      run: row?.run ?? null,
      day: this.calls.calendar.periodOf('DAY', new Date(call.at)).startsAt.getTime(),
      names,
      early,
      awaited,
      replaced,
      price: question.price,
      affordable,
      operations,
      operationUnits: this.payer.units.operation?.units ?? 0,
      keptAs: call.keptAs,
      rowNumber: row?.number ?? null,
      entry: isEntered ? entry : null,
    };
  }

  /** Returns what a reply means. Null if the store must be asked again. */
  private interpret(call: NewCall, reply: OpenReply, claimant: Claimant, lostUnits: number): Opened | null {
    const { units } = this.payer;
    const { verdict, answer, details, pause } = reply;
    if (pause !== null && pause > 0) this.calls.options.client.pauseAccount(this.caller.account, pause);
    switch (verdict) {
      case 'SEND':
        return this.start(call, lostUnits);
      case 'ANSWER':
      case 'EARLY': {
        const shared = call.keyed === null ? null : (this.calls.store?.answers?.open(call.keyed, reply) ?? null);
        return shared === null ? null : { kind: 'answered', ...shared, lostUnits };
      }
      case 'KEPT':
        return { kind: 'answered', ...this.readKept(call, answer, details), lostUnits };
      case 'STOPPED':
        return refused(problem('CALLER_GONE'), lostUnits);
      case 'POISONED':
        return refused(poisonedQuestion(details?.ms ?? 0), lostUnits);
      case 'UNAFFORDABLE': {
        const replayed = call.keyed === null ? undefined : this.calls.memory.get(call.keyed);
        if (replayed !== undefined) return { kind: 'answered', ...toShared(replayed, null), lostUnits };
        return refused(claimant.canPay ? units.exceeded : problem('CALLER_GONE'), lostUnits);
      }
      case 'REFUSED':
        return refused(this.explainRefusal(details, call), lostUnits);
      default:
        return null;
    }
  }

  private readKept({ keyed }: NewCall, answer: Buffer | null, details: OpenReply['details']): SharedAnswer {
    const { row } = this.payer;
    if (row === null || keyed === null || details === null)
      throw new Error('Only the rows of a batch have kept answers.');
    return row.read(keyed, answer, details.row, details.uncertain, new Date(details.at));
  }

  private explainRefusal(details: OpenReply['details'], { question, at }: NewCall): Problem {
    if (details === null) return ledgerUnavailable();
    if (details.kind === 'OPERATION') return this.payer.units.exceeded;
    const { calendar, options } = this.calls;
    const period = calendar.periodOf(details.period, new Date(at));
    return budgetExhausted(details, period, question.price, options.now());
  }

  private start(call: NewCall, lostUnits: number): Opened {
    const running: OpenCall = new RunningCall(this.calls, this.payer, this.accounts, call, (written) => {
      this.unwritten.add(written);
      const forget = (): void => void this.unwritten.delete(written);
      written.then(forget, forget);
    });
    return { kind: 'send', call: running, lostUnits };
  }

  /** Undoes the opening of a call that was not sent, because the reply of the store was late or lost. */
  private withdraw(call: NewCall): void {
    new RunningCall(this.calls, this.payer, this.accounts, call, () => undefined).withdraw();
  }

  private newCall(question: OutgoingQuestion, keyed: KeyedQuestion | null, isEntered: boolean): NewCall {
    const { store, ids, options } = this.calls;
    const { units, row, origin } = this.payer;
    const entry = !this.hasLedger ? null : this.newEntry(question);
    const id = entry?.id ?? ids.next(options.now());
    const shared = store?.names ?? null;
    const isSplit = shared !== null && units.operation !== null;
    return {
      id,
      at: entry?.at ?? options.now().getTime(),
      question,
      keyed,
      // A question without a key shares no answer, but the budget of its operation is shared.
      names: shared === null ? [] : keyed !== null ? shared.ofQuestion(keyed) : isSplit ? [id] : [],
      early: shared === null || keyed === null || row !== null ? [] : shared.ofEarlyAnswer(keyed, origin.holder),
      operations: isSplit ? shared.ofOperation(this.caller, units.operation?.id ?? '') : [],
      keptAs: row === null || keyed === null ? null : row.nameOf(keyed),
      entry,
      isEntered,
    };
  }

  /** Creates an entry with its links. `paidBy` is the entry to link if another call has paid for the answer. */
  private newEntry({ endpoint, price, question }: OutgoingQuestion, paidBy: string | null = null): OpenedEntry {
    const { store, options } = this.calls;
    const entry = this.createEntry(options.client.address(endpoint), price);
    const id = paidBy ?? entry.id;
    const subjects = endpoint.subjects?.(question) ?? [];
    return { ...entry, id, subjects: store?.options.subjects.linksOf(id, subjects, this.payer.origin.reference) ?? [] };
  }

  private createEntry(endpoint: string, price: number): OpenedEntry {
    const { ids, options } = this.calls;
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
      endpoint,
      price,
      subjects: [],
    };
  }

  private write(entry: ReturnType<typeof closedEntry>): void {
    const closing = { id: entry.id, accounts: this.accounts, shared: null, batch: null, kept: null, entry };
    if (this.hasLedger) void this.calls.store?.closer.add(closing);
  }
}

const refused = (reason: Problem, lostUnits = 0): Opened => ({ kind: 'refused', problem: reason, lostUnits });
