import type { ProblemCode } from '../../registry/answer/problem';
import type { WaitingRequest } from '../../registry/answers/in-flight-call';
import type { InFlightCalls } from '../../registry/answers/in-flight-calls';
import type { RequestScope } from '../../registry/client/client';
import type { RegistryName, Subject } from '../../registry/endpoint/endpoint';
import type { CallLedger } from '../../registry/questions/call-ledger';
import type { BatchAnswerDependencies } from './batch-answer-store';
import type { BatchObserver } from './worker-dependencies';

/** The services that the rows of a batch share in one run. */
export interface RowServices {
  readonly answerDependencies: BatchAnswerDependencies;
  readonly calls: InFlightCalls;
  /** Prefix of the keys in `calls`. Only rows of the same run share running calls. */
  readonly partition: string;
  /** Scope of all calls of the batch, which therefore takes one turn among the requests of its account. */
  readonly scope: RequestScope;
  /** Waits for the calls of all rows, until the process stops. */
  readonly waiting: WaitingRequest;
  readonly ledger: CallLedger | null;
  readonly observer: BatchObserver;
  /** Whether rows may call endpoints that the service does not allow in batches. */
  readonly anyEndpoint: boolean;
  /** Maximum units of each row. Null if there is no limit. */
  readonly rowUnits: number | null;
  /** Returns the keyed hash of a person or an employer. */
  hashOf(subject: Subject): string;
}

/** Reason why a row is interrupted. Its result is discarded, and the row runs again. */
export type Interruption =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'pause'; readonly code: ProblemCode }
  | { readonly kind: 'delay'; readonly code: ProblemCode; readonly retryAfter: number | null };

/** A temporary failure that remained after all tries of a row, and its registry. */
export interface LastingFailure {
  readonly code: ProblemCode;
  readonly registry: RegistryName;
}
