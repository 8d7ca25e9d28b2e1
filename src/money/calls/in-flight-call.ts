import type { Answer } from '../../registry/answer/answer';
import type { Exchange } from '../../registry/answer/interpret';
import type { CallerWindow } from '../answers/caller-window';
import {
  isRecent,
  type KeyedQuestion,
  type Reuse,
  type RunningQuestion,
  type SharedAnswer,
} from '../answers/shared-answer';
import type { OpenCall, SendableCall } from './life/life';

export interface CallResult {
  readonly answer: Answer<unknown>;
  /** The answer for others. Null if this asker was refused for a reason that does not concern them: they must try themselves. */
  readonly shared: SharedAnswer | null;
}

/** Decision of an asker about the call of its question when its response is due. */
export type EarlyLeave =
  | 'pays'
  | 'shares'
  /** The question has not been sent. The asker does not wait for it, and pays nothing. */
  | 'drops';

/** One request's share in a running call, and whether that request may still pay for it. */
export class Asker {
  /** False after a response that reports no price for the call. */
  canPay = true;
  hasLeft = false;
  private call: InFlightCall | null = null;
  private request: WaitingRequest | null = null;
  private question: KeyedQuestion | null = null;

  /** Whether this asker began the call and pays for it, so that its request lives until the call ends. */
  get isFirst(): boolean {
    return this.call?.first === this;
  }

  get elapsedMs(): number {
    return this.call === null ? 0 : performance.now() - this.call.started;
  }

  waitFor(call: InFlightCall, request: WaitingRequest, question: KeyedQuestion): void {
    this.call = call;
    this.request = request;
    this.question = question;
  }

  /** Leaves the call because the response is due. A call that was sent continues, and an asker that shares it only leaves its window. */
  leaveEarly(window: CallerWindow): EarlyLeave {
    const { call, request, question, isFirst } = this;
    this.hasLeft = true;
    this.canPay = isFirst && call !== null && !call.isElsewhere && call.isSent;
    if (call === null || question === null) return 'shares';
    const isDropped = !call.isElsewhere && !call.isSent;
    const mayFollow = !isDropped && call.isFor(question, window);
    if (mayFollow) call.followers.add(window.name);
    if (this.canPay) return 'pays';
    if (!isFirst) call.forget(this, mayFollow ? window : null);
    if (!isDropped) return 'shares';
    // Other askers of a call that is aborted begin one themselves.
    if (isFirst) call.abort();
    else request?.leave(call);
    return 'drops';
  }
}

/** A question that is being opened or sent. The call continues as long as any request waits for it. */
export class InFlightCall implements SendableCall, RunningQuestion {
  started = performance.now();
  readonly joined: Reuse[] = [];
  result: Promise<CallResult> | null = null;
  isElsewhere = false;
  isSent = false;
  /** Whether the question was sent, or another process had it. Without that, the answer was found, and may be older than an asker wants. */
  isCall = false;
  private readonly controller = new AbortController();
  private opened: OpenCall | null = null;
  private requestCount = 0;
  private readonly sharers = new Map<Asker, (result: CallResult | null | PromiseLike<CallResult>) => void>();
  /** Windows of askers that were answered early, and shared the call. */
  private readonly windows = new Map<string, CallerWindow>();
  /** Names of the windows of all askers that were answered early. */
  readonly followers = new Set<string>();

  constructor(
    readonly question: KeyedQuestion,
    readonly first: Asker,
  ) {}

  get running(): RunningQuestion {
    return this;
  }

  /**
   * Whether the call is new enough for a question: it did not begin before the question allows, or a request of the same operation or
   * an early response of the same caller has asked it.
   */
  isFor(question: KeyedQuestion, window: CallerWindow | null): boolean {
    const { reuse, lasting } = question;
    if (reuse === null || isRecent(this.started, question)) return true;
    if (lasting !== null && lasting === this.question.lasting) return true;
    const isOwn = (asker: Reuse | null): boolean => asker !== null && asker.operation === reuse.operation;
    const hasAsked =
      isOwn(this.question.reuse) || this.joined.some((asker) => isOwn(asker) && asker.began <= this.started);
    return (reuse.operation !== null && hasAsked) || (window !== null && this.followers.has(window.name));
  }

  /** Whether there may be an answer for a question although the call is running, because the call wants another one. */
  differsFrom(question: KeyedQuestion): boolean {
    return needOf(this.question) !== needOf(question);
  }

  /** Aborts when the last waiting request has left, or when the first asker drops a question that has not been sent. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get onExchange(): ((exchange: Exchange) => void) | null {
    return this.opened?.onExchange ?? null;
  }

  /** Sets the call that is about to be sent. Null if it was not sent. */
  own(opened: OpenCall | null): void {
    this.opened = opened;
    this.isElsewhere = false;
    this.isSent = false;
    // After a call of another process has ended, its answer may be found.
    if (opened !== null) this.started = performance.now();
  }

  isHeld(): boolean {
    return this.opened?.isHeld() === true;
  }

  onElsewhere(elapsedMs: number): void {
    this.isElsewhere = true;
    this.isCall = true;
    this.started = performance.now() - elapsedMs;
  }

  get canPay(): boolean {
    return this.first.canPay;
  }

  onSend(): void {
    this.isSent = true;
    this.isCall = true;
    this.started = performance.now();
  }

  abort(): void {
    this.controller.abort();
  }

  /** Waits for the result. `forget` removes the promise, which would hold its request until the call ends. */
  share(asker: Asker): Promise<CallResult | null> {
    return new Promise((resolve) => this.sharers.set(asker, resolve));
  }

  forget(asker: Asker, window: CallerWindow | null): void {
    this.sharers.delete(asker);
    if (window !== null) this.windows.set(window.name, window);
  }

  end(): void {
    for (const resolve of this.sharers.values()) resolve(this.result);
    const { windows, question } = this;
    if (windows.size === 0) return;
    const keep = ({ shared }: CallResult): void => {
      for (const window of windows.values()) if (shared !== null) window.keep(question, shared, performance.now());
    };
    this.result?.then(keep, () => undefined);
  }

  join(): void {
    this.requestCount += 1;
  }

  leave(): void {
    this.requestCount -= 1;
    if (this.requestCount === 0) this.abort();
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

/** Returns the rules that decide which answers a question may use, as text. */
const needOf = ({ reuse }: KeyedQuestion): string =>
  reuse === null ? '' : [reuse.maxAgeMs, reuse.purpose, reuse.operation].join('\n');

export const isUnsent = ({ evidence }: Answer<unknown>): boolean => evidence.servedFrom === 'NOT_SENT';
