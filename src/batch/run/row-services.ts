import type { ProblemCode } from '../../registry/answer/problem';
import type { WaitingRequest } from '../../registry/answers/in-flight-call';
import type { InFlightCalls } from '../../registry/answers/in-flight-calls';
import type { RequestScope } from '../../registry/client/client';
import type { RegistryName, Subject } from '../../registry/endpoint/endpoint';
import type { CallLedger } from '../../registry/questions/call-ledger';
import type { BatchAnswers } from './batch-answer-store';
import type { BatchObserver } from './worker-parts';

/** The services that the rows of a batch share in one run. */
export interface RowServices {
  readonly answers: BatchAnswers;
  readonly calls: InFlightCalls;
  /** Begins the keys of the run's calls under way. */
  readonly partition: string;
  /** Scope of the whole batch, which takes one turn among the requests of its account. */
  readonly scope: RequestScope;
  /** The process, which waits for the calls of all rows until it stops. */
  readonly waiting: WaitingRequest;
  readonly ledger: CallLedger | null;
  readonly observer: BatchObserver;
  /** Whether the interface's word on batches is set aside. */
  readonly anyEndpoint: boolean;
  /** Units that each row may cost; null without a ceiling. */
  readonly rowUnits: number | null;
  /** Names a person or an employer without saying who it is. */
  hashOf(subject: Subject): string;
}

/** Reason why a row is interrupted. Its answers are discarded. */
export type Interruption =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'pause'; readonly code: ProblemCode }
  | { readonly kind: 'delay'; readonly code: ProblemCode; readonly retryAfter: number | null };

/** The temporary failure that remained after all tries of a row, and its registry. */
export interface Exhausted {
  readonly code: ProblemCode;
  readonly registry: RegistryName;
}
