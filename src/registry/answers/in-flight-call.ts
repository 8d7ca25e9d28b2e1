import type { Answer } from '../answer/answer';
import type { Exchange } from '../answer/exchange';
import type { AnyEndpoint } from '../endpoint/endpoint';
import type { SharedAnswer } from './answer-store';

/** The result of a question that an asker has claimed, or tried to claim. */
export interface CallResult {
  /** The answer as this asker sees it. */
  readonly answer: Answer<unknown>;
  /** The answer for others. Null if a budget, a ledger or a store refused this asker: other askers must try themselves. */
  readonly shared: SharedAnswer | null;
}

/** A question that is being claimed or sent. The call continues as long as any request waits for it. */
export class InFlightCall {
  /** Null before the call begins. */
  result: Promise<CallResult> | null = null;
  /** Receives the exchange with the service, if the store keeps it. */
  onExchange: ((exchange: Exchange) => void) | null = null;
  /** Milliseconds of the call's timeout that the claim has used up. */
  waitedMs = 0;
  private readonly controller = new AbortController();
  private waiterCount = 0;

  constructor(readonly endpoint: AnyEndpoint) {}

  /** Aborts when the last waiting request has left. */
  get signal(): AbortSignal {
    return this.controller.signal;
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
