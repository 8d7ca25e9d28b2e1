import type { Answer } from '../../registry/answer/answer';
import { isFresh, type KeyedQuestion, type SharedAnswer } from './answer-store';
import { CallPart, InFlightCall, type WaitingRequest } from './in-flight-call';

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
    return this.wait(call, request);
  }

  begin({ key, endpoint }: KeyedQuestion, request: WaitingRequest, part = new CallPart()): InFlightCall {
    const call = new InFlightCall(endpoint, part);
    part.waitFor(call, request);
    request.join(call);
    this.calls.set(key, call);
    return call;
  }

  end({ key }: KeyedQuestion, request: WaitingRequest, call: InFlightCall): void {
    this.calls.delete(key);
    request.forget(call);
  }

  async drain(): Promise<void> {
    await Promise.allSettled([...this.calls.values()].map(({ result }) => result));
  }

  private async wait(call: InFlightCall, request: WaitingRequest): Promise<SharedAnswer | null> {
    request.join(call);
    try {
      const shared = (await call.result)?.shared ?? null;
      if (shared === null) return null;
      // The call was aborted just before this request joined it.
      if (wasAborted(shared.answer) && !request.signal.aborted) return null;
      return isFresh(shared.answer, call.endpoint, this.now()) ? shared : null;
    } finally {
      request.forget(call);
    }
  }
}

function wasAborted({ problems }: Answer<unknown>): boolean {
  return problems.some(({ code }) => code === 'CALLER_GONE');
}
