import type { Answer } from '../answer/answer';
import { type AnswerStore, isFresh, type StoredQuestion } from './answer-store';
import { InFlightCall, type WaitingRequest } from './in-flight-call';

/**
 * What this process has just been answered, or is about to be, by account and question. Gateways split one operation into several
 * requests and repeat what they think has failed: each would be paid again. Behind it a store remembers the answers, for this
 * process or for several.
 */
export class ReplayCache {
  private readonly inFlight = new Map<string, InFlightCall>();

  constructor(
    readonly store: AnswerStore,
    private readonly now: () => Date,
  ) {}

  /** How many questions are held, answered or under way. */
  get size(): number {
    return this.inFlight.size + this.store.size;
  }

  /** An answer that is there, or on its way; undefined when the question must be put, null when that turns out later. */
  get(
    question: StoredQuestion,
    request: WaitingRequest,
  ): Promise<Answer<unknown> | null> | Answer<unknown> | undefined {
    const call = this.inFlight.get(question.key);
    return call === undefined ? this.store.recall(question) : this.join(call, request);
  }

  /**
   * Puts a question that others may share; null where it was not put, for a reason that is its asker's own. It goes on while
   * anyone waits, and what was sent is remembered even if nobody does.
   */
  async run(
    { key, endpoint }: StoredQuestion,
    request: WaitingRequest,
    fetch: (call: InFlightCall) => Promise<Answer<unknown> | null>,
  ): Promise<Answer<unknown> | null> {
    const call = new InFlightCall(endpoint);
    // Before the question is put: the rest of a chain is not bought for a caller who has left meanwhile.
    request.join(call);
    call.answer = fetch(call);
    this.inFlight.set(key, call);
    try {
      return await call.answer;
    } finally {
      this.inFlight.delete(key);
      request.forget(call);
    }
  }

  /** Waits for the calls under way, which nobody may be waiting for any more. */
  async drain(): Promise<void> {
    await Promise.allSettled([...this.inFlight.values()].map(({ answer }) => answer));
  }

  private async join(call: InFlightCall, request: WaitingRequest): Promise<Answer<unknown> | null> {
    request.join(call);
    try {
      const answer = await call.answer;
      // Aborted in the moment before this one came: nobody was waiting then.
      if (answer === null || (wasAborted(answer) && !request.signal.aborted)) return null;
      return isFresh(answer, call.endpoint, this.now()) ? answer : null;
    } finally {
      request.forget(call);
    }
  }
}

function wasAborted({ problems }: Answer<unknown>): boolean {
  return problems.some(({ code }) => code === 'CALLER_GONE');
}

/** An answer as those see it who did not pay for it. */
export function asReplay<Payload>(answer: Answer<Payload>): Answer<Payload> {
  const { evidence } = answer;
  if (evidence.servedFrom !== 'LIVE') return answer;
  return { ...answer, evidence: { ...evidence, servedFrom: 'REPLAY', units: 0, billing: 'NOT_CHARGED' } };
}
