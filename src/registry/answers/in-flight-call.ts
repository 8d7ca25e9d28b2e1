import type { Answer } from '../answer/answer';
import type { Exchange } from '../answer/exchange';
import type { AnyEndpoint } from '../endpoint/endpoint';
import type { Claimant, ClaimedCall, SharedAnswer } from './answer-store';

/** The result of a question that an asker has claimed, or tried to claim. */
export interface CallResult {
  /** The answer as this asker sees it. */
  readonly answer: Answer<unknown>;
  /** The answer for others. Null if a budget, a ledger or a store refused this asker: other askers must try themselves. */
  readonly shared: SharedAnswer | null;
}

/**
 * The part of one asker in the call that answers its question. The asker's response may be sent before the call has ended, and then
 * reports who pays.
 */
export class CallPart {
  /** Whether the asker may still pay for a call. False after a response that leaves the price to another asker. */
  canPay = true;
  private call: InFlightCall | null = null;

  /** Milliseconds since the call began. */
  get elapsedMs(): number {
    return this.call === null ? 0 : performance.now() - this.call.started;
  }

  /** Returns the result of the call for others. Null if they must try themselves. */
  async shared(): Promise<SharedAnswer | null> {
    return (await this.call?.result)?.shared ?? null;
  }

  waitFor(call: InFlightCall): void {
    this.call = call;
  }

  /** Returns whether the asker pays for the call or may have to. If not, it never pays, because its response reports no price. */
  reportPayment(): boolean {
    this.canPay = this.call?.claimer === this && !this.call.isElsewhere;
    return this.canPay;
  }
}

/** A question that is being claimed or sent. The call continues as long as any request waits for it. */
export class InFlightCall implements Claimant {
  /** Null before the call begins. */
  result: Promise<CallResult> | null = null;
  /** Receives the exchange with the service, if the store keeps it. */
  onExchange: ((exchange: Exchange) => void) | null = null;
  /** Milliseconds of the call's timeout that the claim has used up. */
  waitedMs = 0;
  /** Time at which the call began, by `performance.now()`. */
  started = performance.now();
  /** Whether another instance makes the call. */
  isElsewhere = false;
  private readonly controller = new AbortController();
  private waiterCount = 0;

  constructor(
    readonly endpoint: AnyEndpoint,
    /** The part of the asker that claims the question. */
    readonly claimer: CallPart,
  ) {
    claimer.waitFor(this);
  }

  /** Aborts when the last waiting request has left. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The claimer makes the call. */
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

  join(): void {
    this.waiterCount += 1;
  }

  leave(): void {
    this.waiterCount -= 1;
    if (this.waiterCount === 0) this.controller.abort();
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

  /** Removes a call that has ended. */
  forget(call: InFlightCall): void {
    this.calls.delete(call);
  }

  private leaveAll(): void {
    for (const call of this.calls) call.leave();
    this.calls.clear();
  }
}
