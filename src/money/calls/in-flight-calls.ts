import type { Answer } from '../../registry/answer/answer';
import type { CallerWindow } from '../answers/caller-window';
import { isForSpelling, isFresh, type KeyedQuestion, type SharedAnswer } from '../answers/shared-answer';
import { Asker, InFlightCall, isUnsent, type WaitingRequest } from './in-flight-call';

/**
 * Questions that this process is opening or sending. Gateways split one operation into several requests, and repeat requests that
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

  find({ key }: KeyedQuestion): InFlightCall | undefined {
    return this.calls.get(key);
  }

  /**
   * Waits for the answer to a question that is under way. Returns undefined if the question is not under way. Resolves to null if
   * the answer cannot be shared, or was asked for too early for this question. Try again then.
   */
  join(
    question: KeyedQuestion,
    request: WaitingRequest,
    asker = new Asker(),
    window: CallerWindow | null = null,
  ): Promise<SharedAnswer | null> | undefined {
    const call = this.calls.get(question.key);
    if (call === undefined) return undefined;
    asker.waitFor(call, request, question);
    if (question.reuse !== null && (!call.isCall || call.isFor(question, window))) call.joined.push(question.reuse);
    return this.wait(question, call, request, asker, window);
  }

  begin(question: KeyedQuestion, request: WaitingRequest, asker = new Asker()): InFlightCall {
    const call = new InFlightCall(question, asker);
    asker.waitFor(call, request, question);
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

  private async wait(
    question: KeyedQuestion,
    call: InFlightCall,
    request: WaitingRequest,
    asker: Asker,
    window: CallerWindow | null,
  ): Promise<SharedAnswer | null> {
    request.join(call);
    try {
      const shared = (await call.share(asker))?.shared ?? null;
      if (shared === null || !isForSpelling(shared.answer, call.question, question)) return null;
      // An answer that an operation keeps, and the question does not belong to it, may be days old.
      if (shared.keptBy !== null && shared.keptBy !== question.lasting) return null;
      // An answer that was found is for the asker that found it: others may want a newer one, or have another window.
      const isFound = shared.keptBy === null && !isUnsent(shared.answer);
      if (isFound && !(call.isCall && call.isFor(question, window))) return null;
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
