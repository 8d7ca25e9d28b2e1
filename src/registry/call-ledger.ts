import type { Answer } from './answer/answer';
import type { Problem } from './answer/problem';
import type { AnyEndpoint } from './endpoint/endpoint';

/** A question that is about to be put to the service, or was answered by what had been paid before. */
export interface LedgerCall {
  readonly endpoint: AnyEndpoint;
  /** Method and path, as evidence names them. */
  readonly address: string;
  readonly question: unknown;
  /** What it costs at most; 0 in the service's sandbox mode. */
  readonly price: number;
}

/** A call that is entered, and of which nobody knows yet what becomes. */
export interface OpenEntry {
  readonly id: string;
  /** Null where the service turned the token away: nothing was charged, and there is no answer. */
  close(answer: Answer<unknown> | null): void;
}

/** Keeps account of the calls of one request beyond that request: it knows whose request that is. */
export interface CallLedger {
  /**
   * Before a call may leave. A problem: it must not leave, because a budget over time is used up, or because nothing can be
   * written and the operator wants no call without its line.
   */
  open(call: LedgerCall): OpenEntry | Problem | Promise<OpenEntry | Problem>;
  /** An answer that cost nothing, since it was paid for before. Gives the entry's id. */
  recordShared(call: LedgerCall, answer: Answer<unknown>): string;
}
