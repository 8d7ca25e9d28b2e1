import { randomBytes } from 'node:crypto';
import { type Answer, isAnswer } from '../../../registry/answer/answer';
import type { Exchange } from '../../../registry/answer/interpret';
import { type Problem, problem } from '../../../registry/answer/problem';
import { seal } from '../../../store/sealed-box';
import { StoreUnavailableError } from '../../../store/store';
import { times } from '../../../times';
import type { AnswerDetails, KeptDetails } from '../../answers/answer-lookups';
import { type Names, released } from '../../answers/operations/kept-answers';
import { isPart, type LastingOperation } from '../../answers/operations/lasting-operations';
import {
  encodeAnswer,
  isCacheable,
  keptAs,
  type RunningQuestion,
  type SharedAnswer,
} from '../../answers/shared-answer';
import { closedEntry, type OpenedEntry, releasedEntry, unansweredEntry } from '../../ledger/entries/entry-json';
import { isShared, type PendingQuestion, type SharedQuestion } from '../life/call';
import type { Found, OpenCall, Opening as OpenState, Patience, PayerCall } from '../life/life';
import { explainRefusal, ledgerUnavailable, peerTimeout } from '../life/refusals';
import type { Opening, OpenReply } from './call-opener';
import { pause, within } from './call-waits';
import type { Closing, SharedClosing } from './closing';
import type { PayerContext } from './store-parts';

type End =
  | { readonly kind: 'answered'; readonly answer: Answer<unknown> }
  | { readonly kind: 'released' | 'failed'; readonly answer?: never };

/**
 * A call in the store. One statement decides everything about money: whether the answer is there, whether another process is asking, and whether
 * every budget covers the price. The end of the call goes into the store in one closing.
 */
export class StoredCall implements PayerCall, OpenCall {
  private readonly names: readonly string[];
  private readonly keyed: SharedQuestion | null;
  private exchange: Exchange | null = null;
  private readonly asked = performance.now();
  private awaited: string | null = null;
  private readonly replaced: string[] = [];
  /** Whether a statement has opened the call. True also of one without a reply. */
  private isMaybeOpen: Promise<boolean> | null = null;
  private forget: () => void = () => undefined;
  private readonly generation = this.calls.store.options.memory.generation;
  /** Whether the entry follows the call: it costs nothing, or a store in memory is still being opened. An operation that lasts keeps its answer. */
  private readonly isEnteredLater: boolean;
  private isClosed = false;
  isHeld = (): boolean => false;

  constructor(
    private readonly calls: PayerContext,
    private readonly question: PendingQuestion,
    private readonly running: RunningQuestion | null,
    private readonly entry: OpenedEntry,
  ) {
    this.isEnteredLater = calls.payer.units.lasting === null && (question.price === 0 || calls.store.isOpening);
    // A question without a key shares no answer, but it shares the budget of its operation.
    this.keyed = isShared(question) ? question : null;
    this.names = this.keyed === null ? [entry.id] : calls.store.names.ofQuestion(this.keyed);
  }

  get ledgerId(): string {
    return this.entry.id;
  }

  readonly onExchange = (exchange: Exchange): void => {
    this.exchange = exchange;
  };

  async find(patience: Patience): Promise<Found> {
    return this.isEnteredLater ? { kind: 'absent', lostUnits: 0 } : this.ask(false, patience);
  }

  async open(patience: Patience): Promise<OpenState> {
    if (this.isEnteredLater) {
      this.isHeld = () => true;
      return { kind: 'opened', lostUnits: 0, call: this };
    }
    const { processes, closer } = this.calls.store;
    if (closer.isFull) {
      // Also the last look for an answer has time for a reply.
      const found = await this.find({ ...patience, maxMs: Math.max(patience.maxMs, times.callPoll) });
      if (found.kind !== 'absent') return found;
      const untilRoom = (limit: Patience): Promise<void> => within(limit, closer.room()).then(() => undefined);
      return this.wait(null, untilRoom, problem('TOO_MANY_CALLS'), found.lostUnits);
    }
    if (!this.calls.store.prices.isInForce(this.calls.payer.prices))
      return { kind: 'refused', problem: ledgerUnavailable(), lostUnits: 0 };
    const isHeld = processes.hold();
    const reply = await this.ask(true, patience);
    if (reply.kind !== 'absent') return reply;
    this.isHeld = isHeld;
    const running = { id: this.entry.id, names: this.names, price: this.question.price, opened: performance.now() };
    processes.running.add(running);
    this.forget = () => processes.running.delete(running);
    return { kind: 'opened', lostUnits: reply.lostUnits, call: this };
  }

  leave(): void {
    if (this.isMaybeOpen === null || this.isClosed) return;
    this.calls.store.closer.expect(this.isMaybeOpen.then((isOpen) => (isOpen ? this.release() : undefined)));
  }

  close(answer: Answer<unknown>): void {
    this.end(answer.evidence.servedFrom === 'NOT_SENT' ? { kind: 'released' } : { kind: 'answered', answer });
  }

  release(): void {
    this.end({ kind: 'released' });
  }

  fail(): void {
    this.end({ kind: 'failed' });
  }

  /** Asks the store, with `mayPay` false only for an answer. If the question is absent and may be paid for, its call is open. */
  private async ask(mayPay: boolean, patience: Patience): Promise<Found> {
    const { processes, opener, health } = this.calls.store;
    // The heartbeat finds out when the store is available again.
    if (health.isUnavailable || !processes.canOpen) return this.wait(null, pause, ledgerUnavailable());
    const statement = opener.open(this.toOpening(mayPay));
    statement.catch(() => undefined);
    if (mayPay) {
      const [before, opens] = [this.isMaybeOpen, statement.then(({ verdict }) => verdict === 'SEND')];
      this.isMaybeOpen = opens.catch(() => true).then(async (isOpen) => isOpen || (await before) === true);
    }
    try {
      const reply = await within(patience, statement);
      if (reply?.verdict === 'UNREGISTERED') processes.registerAgain();
      return reply === null ? this.wait(null, async () => undefined, ledgerUnavailable()) : this.interpret(reply);
    } catch (error) {
      if (error instanceof StoreUnavailableError) return this.wait(null, pause, ledgerUnavailable());
      throw error;
    }
  }

  private toOpening(mayPay: boolean): Opening {
    const { store, accounts, payer } = this.calls;
    const { lastingNames, units, origin, caller } = payer;
    const { lasting } = units;
    const { entry, keyed, question, names } = this;
    const [name = null, spelled = null] = lasting === null ? [] : this.keptNames(lasting);
    const holder = isPart(lasting) ? null : origin;
    const age = keyed && store.answers.placeOf(keyed);
    return {
      id: entry.id,
      accounts,
      operation: lasting?.id ?? null,
      run: lasting?.run ?? null,
      day: store.options.calendar.periodOf('DAY', new Date(entry.at)).startsAt.getTime(),
      names,
      claims: keyed === null ? [] : store.answers.claimsOf(keyed, age, holder, this.awaited),
      age,
      replaced: this.replaced,
      price: question.price,
      affordable: mayPay,
      operations: units.operation === null ? [] : store.names.ofOperation(caller, units.operation.id),
      operationUnits: units.operation?.units ?? 0,
      lastingNames,
      keptAs: name,
      keptSpelled: spelled,
      payer: lasting?.payer ?? null,
      retries: lasting?.retriesUnknown ?? false,
      asked: [...this.calls.asked.values()],
      entry,
    };
  }

  private interpret(reply: OpenReply): Found {
    const { store, payer } = this.calls;
    const { lost: lostUnits, pause: pauseMs, budgets } = reply;
    if (budgets !== null) this.calls.seenBudgets = store.budgets.record(budgets);
    if (pauseMs !== null && pauseMs > 0) store.options.client.pauseAccount(payer.caller.account, pauseMs);
    const refused = (reason: Problem): Found => ({ kind: 'refused', problem: reason, lostUnits });
    switch (reply.verdict) {
      case 'SEND':
      case 'UNAFFORDABLE':
        return { kind: 'absent', lostUnits };
      case 'ANSWER': {
        const { details, answer } = reply;
        const shared = this.openAnswer(details, answer);
        if (shared !== null) return { kind: 'answered', ...shared, settled: details.settled, lostUnits };
        // This process cannot use the answer, so it asks again without it.
        if (details.rule !== 'OPERATION') this.replaced.push(details.call);
        return this.wait(0, async () => undefined, peerTimeout(), lostUnits);
      }
      case 'REFUSED': {
        const call = { at: new Date(this.entry.at), price: this.question.price };
        return refused(explainRefusal(reply.details, payer, call, store.options));
      }
      case 'WAIT': {
        const { call, ms } = reply.details;
        this.awaited = call;
        return this.wait(
          ms,
          ({ signal, maxMs }) => store.waits.wait(call, signal, maxMs),
          // The call has ended if only its closing cannot be written.
          store.health.isUnavailable ? ledgerUnavailable() : peerTimeout(),
          lostUnits,
        );
      }
      case 'AGAIN':
        return this.wait(0, async () => undefined, peerTimeout(), lostUnits);
      case 'LIMITED':
      case 'LATER':
      case 'UNREGISTERED':
        return this.wait(
          null,
          pause,
          reply.verdict === 'LIMITED' ? payer.units.exceeded : ledgerUnavailable(),
          lostUnits,
        );
    }
  }

  private wait(
    elsewhereMs: number | null,
    until: (patience: Patience) => Promise<void>,
    reason: Problem,
    lostUnits = 0,
  ): Extract<Found, { readonly kind: 'waiting' }> {
    return { kind: 'waiting', lostUnits, elsewhereMs, problem: reason, until };
  }

  private openAnswer(details: AnswerDetails | KeptDetails, content: Buffer | null): SharedAnswer | null {
    const { keyed } = this;
    const { store, payer } = this.calls;
    const { lasting } = payer.units;
    if (details.rule !== 'OPERATION') return keyed && store.answers.open(keyed, details, content);
    return lasting && keyed && store.kept.read(lasting, keyed, details, content);
  }

  private end(end: End): void {
    if (this.isClosed) return;
    this.isClosed = true;
    const entry = this.toEntry(end);
    if (entry === null) return;
    const { shared, kept } = this.toShared(end);
    const written = this.calls.close({ id: this.entry.id, shared, kept, entry });
    // If the server crashes before that, no other process pays for the question. A question without an answer for others may be asked again.
    if (shared?.answer === null) this.forget();
    else void written.then(this.forget);
  }

  private toEntry(end: End): Closing['entry'] {
    const { subjects } = this.calls.store.options;
    if (end.kind === 'answered') return closedEntry(subjects.withAnswer(this.entry, end.answer.sha256), end.answer);
    if (end.kind === 'failed') return unansweredEntry(this.entry);
    return this.isEnteredLater ? null : releasedEntry(this.entry);
  }

  private toShared(end: End): Pick<Closing, 'shared' | 'kept'> {
    if (this.isEnteredLater) return { shared: null, kept: null };
    const { names, question, keyed, exchange, entry, running } = this;
    const { store, payer } = this.calls;
    const answer = end.answer ?? null;
    const shares = keyed !== null && answer !== null && exchange !== null;
    // If a person was erased since the call began, only those get its answer who wait for it.
    const isForgotten = this.generation !== store.options.memory.generation;
    const isCharged = shares && isAnswer(answer) && isCacheable(keyed, answer) && answer.evidence.units > 0;
    const place = isCharged ? store.answers.placeOf(keptAs(keyed, answer), running, payer.origin.purpose) : null;
    const used = end.kind === 'released' ? 0 : (answer?.evidence.units ?? 0);
    const uncertain = end.kind === 'failed' || answer?.evidence.billing === 'UNKNOWN' ? question.price : 0;
    const { operation } = payer.units;
    const key = randomBytes(32);
    const { kept = null, keep = null } = this.toKept(end, shares ? key : null) ?? {};
    const began = running?.started ?? this.asked;
    const call = { id: entry.id, names, began, key };
    const ofAccount = shares ? store.answers.keepsOf(keyed, answer, call, place, isForgotten) : [];
    const shared: SharedClosing = {
      names,
      keeps: keep === null ? ofAccount : [...ofAccount, keep],
      asked: this.asked,
      answer: shares ? seal(key, entry.id, encodeAnswer(entry.id, exchange, keyed)) : null,
      operations: operation === null ? [] : store.names.ofOperation(payer.caller, operation.id),
      unused: question.price - used - uncertain,
      place,
    };
    return { shared, kept };
  }

  private toKept(end: End, contentKey: Buffer | null) {
    const { lasting } = this.calls.payer.units;
    if (lasting === null) return null;
    const [name] = this.keptNames(lasting);
    if (end.kind === 'released') return released(name);
    return this.calls.store.kept.keepOf(lasting, name, this.keyed, end.answer ?? null, contentKey);
  }

  /** Returns the names under which an operation may have the answer. It counts the call under the first one. */
  private keptNames(lasting: LastingOperation): Names {
    return this.keyed === null ? [this.entry.id] : this.calls.store.kept.namesOf(lasting, this.keyed);
  }
}
