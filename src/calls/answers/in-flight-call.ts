import type { Answer } from '../../registry/answer/answer';
import type { Exchange } from '../../registry/answer/exchange';
import type { AnyEndpoint } from '../../registry/endpoint/endpoint';
import type { Claimant, ClaimedCall, SharedAnswer } from './answer-store';

export interface CallResult {
  readonly answer: Answer<unknown>;
  /** The answer for others. Null if a budget, a ledger or a store refused this asker: other askers must try themselves. */
  readonly shared: SharedAnswer | null;
}

/** The part that an asker keeps in the call of its question when its response is due. */
export type EarlyLeave =
  /** The asker has sent the question and pays for it. */
  | 'pays'
  | 'shares'
  /** The question has not been sent. The asker does not wait for it, and pays nothing. */
  | 'drops';

/** One request's share in a running call, and whether that request may still pay for it. */
export class CallPart {
  /** Whether the asker may still pay for a call. False after a response that reports no price for it. */
  canPay = true;
  hasLeft = false;
  private call: InFlightCall | null = null;
  private request: WaitingRequest | null = null;

  get elapsedMs(): number {
    return this.call === null ? 0 : performance.now() - this.call.started;
  }

  waitFor(call: InFlightCall, request: WaitingRequest): void {
    this.call = call;
    this.request = request;
  }

  /** Leaves the call because the response is due. A call that this asker has sent continues. */
  leaveEarly(): EarlyLeave {
    const { call, request } = this;
    const isOwn = call?.claimer === this && !call.isElsewhere;
    this.hasLeft = true;
    this.canPay = isOwn && call.isSent;
    if (this.canPay) return 'pays';
    if (call === null || call.isElsewhere || call.isSent) return 'shares';
    // Other askers of a call that is aborted claim the question themselves.
    if (isOwn) call.abort();
    else request?.leave(call);
    return 'drops';
  }
}

/** A question that is being claimed or sent. The call continues as long as any request waits for it. */
export class InFlightCall implements Claimant {
  result: Promise<CallResult> | null = null;
  onExchange: ((exchange: Exchange) => void) | null = null;
  waitedMs = 0;
  started = performance.now();
  isElsewhere = false;
  isSent = false;
  private readonly controller = new AbortController();
  private waiterCount = 0;

  constructor(
    readonly endpoint: AnyEndpoint,
    readonly claimer: CallPart,
  ) {}

  /** Aborts when the last waiting request has left, or when the claimer drops a question that has not been sent. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  own({ onExchange, waitedMs }: ClaimedCall): void {
    this.onExchange = onExchange;
    this.waitedMs = waitedMs;
    this.isElsewhere = false;
    this.started = performance.now();
  }

  onElsewhere(elapsedMs: number): void {
    this.isElsewhere = true;
    this.started = performance.now() - elapsedMs;
  }

  tryTakeOver(): boolean {
    if (this.claimer.canPay) this.isElsewhere = false;
    return this.claimer.canPay;
  }

  onSend(): void {
    this.isSent = true;
  }

  abort(): void {
    this.controller.abort();
  }

  join(): void {
    this.waiterCount += 1;
  }

  leave(): void {
    this.waiterCount -= 1;
    if (this.waiterCount === 0) this.abort();
  }
}

/** A request and the calls that it waits for. It adds one listener to the request's signal, however many calls there are. */
export class WaitingRequest {
  private readonly calls = new Set<InFlightCall>();

  constructor(readonly signal: AbortSignal) {
    signal.addEventListener('abort', () => this.leaveAll(), { once: true });
  }

  join(call: InFlightCall): void {
    if (this.calls.has(call)) return;
    call.join();
    if (this.signal.aborted) call.leave();
    else this.calls.add(call);
  }

  leave(call: InFlightCall): void {
    if (this.calls.delete(call)) call.leave();
  }

  forget(call: InFlightCall): void {
    this.calls.delete(call);
  }

  private leaveAll(): void {
    for (const call of this.calls) call.leave();
    this.calls.clear();
  }
}
