import type { Answer } from '../registry/answer/answer';
import { type Exchange, encodeExchange } from '../registry/answer/exchange';
import { isCacheable } from './answers/shared-answer';
import type { NewCall, OpenCall, Payer } from './call';
import type { CallServices } from './call-services';
import type { KeptAnswer, SharedClosing } from './store/call-closer';
import { type ClosedEntry, closedEntry, releasedEntry, unansweredEntry, withdrawnEntry } from './store/entry-json';
import type { Segment } from './store/journal';
import { withLedgerId } from './units/savings';

type End = { readonly kind: 'answered'; readonly answer: Answer<unknown> } | { readonly kind: 'released' | 'failed' };

/** Milliseconds that the store keeps a failure, which only those get that wait now. */
const failureMs = 3_000;

/** A call from its opening to its end. Its end goes into memory, the journal and the store in one closing. */
export class RunningCall implements OpenCall {
  private exchange: Exchange | null = null;
  private readonly segment: Segment | null;
  private readonly forget: () => void;
  private isClosed = false;

  constructor(
    private readonly calls: CallServices,
    private readonly payer: Payer,
    private readonly accounts: readonly string[],
    readonly call: NewCall,
    private readonly onClosing: (written: Promise<void>) => void,
  ) {
    const { entry, isEntered } = call;
    const { store } = calls;
    this.segment = entry === null || isEntered ? null : (store?.journal?.append(`+${JSON.stringify(entry)}\n`) ?? null);
    this.forget = store?.running.add(call) ?? (() => undefined);
  }

  get ledgerId(): string | null {
    return this.call.entry?.id ?? null;
  }

  /** Keeps the exchange if the store or the batch keeps its own copy of the answer. */
  get onExchange(): ((exchange: Exchange) => void) | null {
    if (this.call.names.length === 0 && this.payer.row === null) return null;
    return (exchange) => {
      this.exchange = exchange;
    };
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

  /** Ends a call of which the store may not know yet. */
  withdraw(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.forget();
    const { entry, isEntered } = this.call;
    this.add(isEntered && entry !== null ? withdrawnEntry(entry) : null, { kind: 'released' });
    this.discardLine();
  }

  private end(end: End): void {
    if (this.isClosed) return;
    this.isClosed = true;
    const { keyed } = this.call;
    this.forget();
    if (end.kind === 'answered' && keyed !== null)
      this.calls.memory.keep(keyed, withLedgerId(end.answer, this.ledgerId));
    this.add(this.toEntry(end), end);
    if (end.kind === 'released') this.discardLine();
    else if (this.segment !== null) this.calls.store?.journal?.release(this.segment);
  }

  private add(entry: ClosedEntry | null, end: End): void {
    const { closer } = this.calls.store ?? {};
    const shared = this.toShared(end);
    const kept = this.toKept(end);
    if (closer === undefined || (entry === null && shared === null && kept === null)) return;
    const { accounts, payer, call } = this;
    this.onClosing(closer.add({ id: call.id, accounts, shared, batch: payer.row?.batch ?? null, kept, entry }));
  }

  private toEntry(end: End): ClosedEntry | null {
    const { entry, isEntered } = this.call;
    if (entry === null) return null;
    if (end.kind === 'answered') return closedEntry(entry, end.answer);
    if (end.kind === 'failed') return unansweredEntry(entry);
    return isEntered ? releasedEntry(entry) : null;
  }

  private toShared(end: End): SharedClosing | null {
    const { names, operations, question, keyed } = this.call;
    if (names.length === 0) return null;
    const answer = end.kind === 'answered' ? end.answer : null;
    const isShared = keyed !== null && answer !== null && this.exchange !== null;
    const windowMs = isShared && isCacheable(keyed, answer) ? this.calls.options.windowMs : 0;
    const used = end.kind === 'released' ? 0 : (answer?.evidence.units ?? 0);
    const uncertain = end.kind === 'failed' || answer?.evidence.billing === 'UNKNOWN' ? question.price : 0;
    return {
      names,
      state: !isShared ? 'RELEASED' : windowMs > 0 ? 'ANSWERED' : 'FAILED',
      answer: isShared ? this.seal() : null,
      until: performance.now() + (windowMs > 0 ? windowMs : failureMs),
      operations,
      unused: question.price - used - uncertain,
    };
  }

  private toKept(end: End): KeptAnswer | null {
    const { row } = this.payer;
    const { keyed } = this.call;
    if (row === null || keyed === null) return null;
    const answer = end.kind === 'answered' ? end.answer : null;
    const proven = answer === null ? null : { ...answer, evidence: { ...answer.evidence, ledgerId: this.ledgerId } };
    return row.toKept(keyed, proven, this.exchange, end.kind !== 'released');
  }

  private seal(): Buffer | null {
    const { exchange, ledgerId } = this;
    if (exchange === null) return null;
    const content = Buffer.concat([Buffer.from(`${ledgerId ?? ''}\n`), encodeExchange(exchange)]);
    return this.calls.store?.names?.seal(this.call.id, content) ?? null;
  }

  /** Discards the opening line of a call that was not sent. Otherwise recovery would record it as a call without an answer. */
  private discardLine(): void {
    const { journal } = this.calls.store ?? {};
    if (this.segment === null || journal == null) return;
    journal.release(journal.append(`-${this.call.id}\n`));
    journal.release(this.segment);
  }
}
