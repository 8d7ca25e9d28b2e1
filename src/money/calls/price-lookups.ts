import { type Answer, unsentAnswer } from '../../registry/answer/answer';
import { StoreBusyError } from '../../store/store';
import { times } from '../../times';
import type { CallerWindow } from '../answers/caller-window';
import { type KeyedQuestion, spelledKey } from '../answers/shared-answer';
import type { Calls } from './calls';
import type { PayerCalls } from './life/call';

/** Maximum replays that a request looks up for its prices. Each lookup may be a statement of the store that processes share. */
const maxReplays = 1_000;

/**
 * Lookups of kept answers for the prices of a request. They fail together if the store fails, or answers none of them for `times.priceWait`. It
 * is then not asked again, so that no price takes longer than that.
 */
export class PriceLookups {
  private failure: unknown = null;
  private readonly waiting = new Set<(failure: unknown) => void>();
  private timer: NodeJS.Timeout | undefined;
  private replays = 0;

  constructor(
    private readonly calls: Calls,
    private readonly payerCalls: Pick<PayerCalls, 'findKept'>,
    private readonly window: CallerWindow | null,
  ) {}

  /** Returns the answer that a question would get free of charge. `hasKept` is whether answers may be kept for it for longer than replays. */
  async findPaid(question: KeyedQuestion, hasKept: boolean, canReplay: boolean): Promise<Answer<unknown> | undefined> {
    const { calls, payerCalls, window } = this;
    const { memory, inFlight, store, options } = calls;
    const own = canReplay ? memory.find(question, window?.name ?? null)?.answer : undefined;
    const isPending = own?.problems.some(({ code }) => code === 'STILL_RUNNING') === true;
    if (own !== undefined && !isPending) return own;
    const { endpoint } = question;
    // Only follow-up questions need the content of an answer, and only some answers end before their time. Files are not read for a price.
    const needsContent = endpoint.placeholderAnswer !== undefined || endpoint.isFresh !== undefined;
    const findKept = async () =>
      (await payerCalls.findKept(question, needsContent)) ?? store?.answers.findReusable(question, needsContent);
    const kept = hasKept || this.failure !== null ? await this.find(findKept) : undefined;
    if (kept !== undefined || !canReplay) return kept?.answer;
    // The price of a running call is counted by the request that sent it. An answer is assumed, because follow-up questions may be paid.
    const running = inFlight.find(question);
    const isRunning = running?.isFor(question, window) && spelledKey(running.question) === spelledKey(question);
    if (isPending || isRunning) {
      const payload = endpoint.placeholderAnswer?.(question.question) ?? null;
      return { ...unsentAnswer('FOUND', options.client.address(endpoint), []), payload };
    }
    if (store === null || this.replays >= maxReplays) return undefined;
    this.replays += 1;
    return this.find(() => store.answers.find(question));
  }

  private find<Found>(look: () => Promise<Found>): Promise<Found> {
    if (this.failure !== null) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.waiting.add(reject);
      this.timer ??= setTimeout(() => this.fail(new StoreBusyError('Kept answers took too long.')), times.priceWait);
      look()
        .then(resolve, (failure: unknown) => this.fail(failure))
        .finally(() => this.end(reject));
    });
  }

  /** Whether a question without kept answers is to be looked up, too, so that its price shows the failure. */
  get hasFailed(): boolean {
    return this.failure !== null;
  }

  private end(reject: (failure: unknown) => void): void {
    this.waiting.delete(reject);
    if (this.waiting.size > 0) return void this.timer?.refresh();
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  fail(failure: unknown): void {
    this.failure = failure;
    for (const reject of this.waiting) reject(failure);
  }
}
