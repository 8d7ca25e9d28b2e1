import type { Answer } from '../../registry/answer/answer';
import type { Exchange } from '../../registry/answer/exchange';
import type { Claimant, OpenCall } from '../call';
import type { CallerWindow } from './early-answers';
import { isFresh, type KeyedQuestion, type SharedAnswer } from './shared-answer';

export interface CallResult {
  readonly answer: Answer<unknown>;
  /** The answer for others. Null if this asker was refused: other askers must try themselves. */
  readonly shared: SharedAnswer | null;
}

/** The part that an asker keeps in the call of its question when its response is due. */
export type EarlyLeave =
  | 'pays'
  | 'shares'
  /** The question has not been sent. The asker does not wait for it, and pays nothing. */
  | 'drops';

/** One request's share in a running call, and whether that request may still pay for it. */
export class CallPart {
  /** False after a response that reports no price for the call. */
  canPay = true;
  hasLeft = false;
  private call: InFlightCall | null = null;
  private request: WaitingRequest | null = null;

  /** Whether this asker has claimed the question, so that its request lives until the call ends. */
  get isClaimer(): boolean {
    return this.call?.claimer === this;
  }

  get elapsedMs(): number {
    return this.call === null ? 0 : performance.now() - this.call.started;
  }

  waitFor(call: InFlightCall, request: WaitingRequest): void {
    this.call = call;
    this.request = request;
  }

  /** Leaves the call because the response is due. A call that was sent continues, and an asker that shares it only leaves its window. */
  leaveEarly(window: CallerWindow): EarlyLeave {
    const { call, request, isClaimer } = this;
    this.hasLeft = true;
    this.canPay = isClaimer && call !== null && !call.isElsewhere && call.isSent;
    if (this.canPay) return 'pays';
    if (call === null) return 'shares';
    const isDropped = !call.isElsewhere && !call.isSent;
    if (!isClaimer) call.forget(this, isDropped ? null : window);
    if (!isDropped) return 'shares';
    // Other askers of a call that is aborted claim the question themselves.
    if (isClaimer) call.abort();
    else request?.leave(call);
    return 'drops';
  }
}

/** A question that is being claimed or sent. The call continues as long as any request waits for it. */
export class InFlightCall implements Claimant {
  result: Promise<CallResult> | null = null;
  onExchange: ((exchange: Exchange) => void) | null = null;
  started = performance.now();
  isElsewhere = false;
  isSent = false;
  private readonly controller = new AbortController();
  private waiterCount = 0;
  private readonly sharers = new Map<CallPart, (result: CallResult | null | PromiseLike<CallResult>) => void>();
  /** Windows of askers that were answered early, by client. */
  private readonly windows = new Map<string | null, CallerWindow>();

  constructor(
    readonly question: KeyedQuestion,
    readonly claimer: CallPart,
  ) {}

  /** Aborts when the last waiting request has left, or when the claimer drops a question that has not been sent. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  own({ onExchange }: OpenCall): void {
    this.onExchange = onExchange;
    this.isElsewhere = false;
    this.started = performance.now();
  }

  onElsewhere(elapsedMs: number): void {
    this.isElsewhere = true;
    this.started = performance.now() - elapsedMs;
  }

  get canPay(): boolean {
    return this.claimer.canPay;
  }

  onSend(): void {
    this.isSent = true;
    this.started = performance.now();
  }

  abort(): void {
    this.controller.abort();
  }

  /** Waits for the result. `forget` removes the promise, which would hold its request until the call ends. */
  share(part: CallPart): Promise<CallResult | null> {
    return new Promise((resolve) => this.sharers.set(part, resolve));
  }

  forget(part: CallPart, window: CallerWindow | null): void {
    this.sharers.delete(part);
    if (window !== null) this.windows.set(window.client, window);
  }

  end(): void {
    for (const resolve of this.sharers.values()) resolve(this.result);
    const { windows, question } = this;
    const keep = ({ shared }: CallResult): void => {
      for (const window of windows.values()) if (shared !== null) window.keep(question, shared, performance.now());
    };
    this.result?.then(keep, () => undefined);
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

/**
 * Questions that this process is claiming or sending. Gateways split one operation into several requests, and repeat requests that
 * they believe failed. Each of them joins the call that is under way instead of paying again.
 */
export class InFlightCalls {
  private readonly calls = new Map<string, InFlightCall>();

  constructor(private readonly now: () => Date) {}

  get size(): number {
    return this.calls.size;
  }

  has({ key }: KeyedQuestion): boolean {
    return this.calls.has(key);
  }

  /**
   * Waits for the answer to a question that is under way. Returns undefined if the question is not under way. Resolves to null if
   * the answer cannot be shared. Try again then.
   */
  join(
    { key }: KeyedQuestion,
    request: WaitingRequest,
    part = new CallPart(),
  ): Promise<SharedAnswer | null> | undefined {
    const call = this.calls.get(key);
    if (call === undefined) return undefined;
    part.waitFor(call, request);
    return this.wait(call, request, part);
  }

  begin(question: KeyedQuestion, request: WaitingRequest, part = new CallPart()): InFlightCall {
    const call = new InFlightCall(question, part);
    part.waitFor(call, request);
    request.join(call);
    this.calls.set(question.key, call);
    return call;
  }

  end({ key }: KeyedQuestion, request: WaitingRequest, call: InFlightCall): void {
    this.calls.delete(key);
    request.forget(call);
    call.end();
  }

  async drain(): Promise<void> {
    await Promise.allSettled([...this.calls.values()].map(({ result }) => result));
  }

  private async wait(call: InFlightCall, request: WaitingRequest, part: CallPart): Promise<SharedAnswer | null> {
    request.join(call);
    try {
      const shared = (await call.share(part))?.shared ?? null;
      if (shared === null) return null;
      // The call was aborted just before this request joined it.
      if (wasAborted(shared.answer) && !request.signal.aborted) return null;
      return isFresh(shared.answer, call.question.endpoint, this.now()) ? shared : null;
    } finally {
      request.forget(call);
    }
  }
}

function wasAborted({ problems }: Answer<unknown>): boolean {
  return problems.some(({ code }) => code === 'CALLER_GONE');
}
