import type { Answer } from '../answer/answer';
import type { Exchange } from '../answer/exchange';
import type { AnyEndpoint } from '../endpoint/endpoint';

/** A call under way. It goes on as long as any request waits for it. */
export class InFlightCall {
  /** Null before the call begins. It gives null if the question was not sent, for a reason of the request that began the call. */
  answer: Promise<Answer<unknown> | null> | null = null;
  /** Receives what comes over the wire, where that is of use to others. */
  onExchange: ((exchange: Exchange) => void) | null = null;
  /** What was waited before it could be put. */
  waitedMs = 0;
  private readonly controller = new AbortController();
  private waiting = 0;

  constructor(readonly endpoint: AnyEndpoint) {}

  /** Aborts when the last request that waited has left. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  join(): void {
    this.waiting += 1;
  }

  leave(): void {
    this.waiting -= 1;
    if (this.waiting === 0) this.controller.abort();
  }
}

/** A request and the calls that it waits for. It listens to its client once, however many calls those are. */
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

  /** Lets go of a call that is over. */
  forget(call: InFlightCall): void {
    this.calls.delete(call);
  }

  private leaveAll(): void {
    for (const call of this.calls) call.leave();
    this.calls.clear();
  }
}
