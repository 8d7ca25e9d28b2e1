import type { MemoryAnswers } from './memory-answers';
import { type KeyedQuestion, nothingSettled, type Settled, type SharedAnswer } from './shared-answer';

/** The caller of an early response, and the purpose of its calls. */
export interface WindowOwner {
  readonly holder: string | null;
  readonly purpose: string | null;
}

/** Returns the name of a window within its account. */
export const windowOf = ({ holder, purpose }: WindowOwner): string => `${holder ?? ''}\n${purpose ?? ''}`;

/** The same window in other processes. */
export interface SharedWindows {
  /** Keeps an answer for so many milliseconds. `asked` is when it arrived at the latest, by `performance.now()`. */
  publish(question: KeyedQuestion, owner: WindowOwner, shared: SharedAnswer, asked: number, ms: number): void;
  /** Returns the units that no process has reported yet. */
  settle(question: KeyedQuestion, owner: WindowOwner): Promise<Settled>;
}

/**
 * What the caller of an early response may have for a minute, by the rule HOLDER: its answers, also those that arrived later. A follow-up sends the same operation
 * again, and gets each of them free of charge, also failures and answers about somebody else, which no other caller gets.
 */
export class CallerWindow {
  readonly name: string;
  private readonly generation: number;

  constructor(
    private readonly memory: MemoryAnswers,
    private readonly tenant: string,
    private readonly owner: WindowOwner,
    private readonly shared: SharedWindows | null,
  ) {
    this.name = windowOf(owner);
    this.generation = memory.generation;
  }

  keep(question: KeyedQuestion, answer: SharedAnswer, received: number): void {
    const { memory, name, tenant, owner } = this;
    // A question that was not sent cost nothing, and the next request may send it. An operation that lasts keeps its answers itself.
    if (answer.answer.evidence.servedFrom === 'NOT_SENT' || answer.keptBy !== null) return;
    if (memory.generation !== this.generation) return;
    const { asked, until } = memory.keepFor({ name, tenant }, question, answer, received);
    const leftMs = until - performance.now();
    if (leftMs > 0) this.shared?.publish(question, owner, answer, asked, leftMs);
  }

  /** Returns what a question settles, once. Undefined if it repeats none of an early response of this caller. */
  settle(question: KeyedQuestion): Settled | Promise<Settled> | undefined {
    const settled = this.memory.settle(this.name, question);
    if (settled === undefined) return undefined;
    return settled === null ? nothingSettled : (this.shared?.settle(question, this.owner) ?? settled);
  }
}
