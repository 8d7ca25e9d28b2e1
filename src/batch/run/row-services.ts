import type { ProblemCode } from '../../registry/answer/problem';
import type { AnyEndpoint, RegistryName, Subject } from '../../registry/endpoint/endpoint';
import type { BatchKey } from '../batch-key';
import type { QuestionAsker } from './question-asker';

/** The services that the rows of a batch share. */
export interface RowServices {
  readonly asker: QuestionAsker;
  readonly key: BatchKey;
  readonly sandbox: boolean;
  readonly permissions: ReadonlySet<string> | null;
  address(endpoint: AnyEndpoint): string;
  /** Whether the interface's word on batches is set aside. */
  readonly anyEndpoint: boolean;
  /** Units that each row may cost; null without a ceiling. */
  readonly rowUnits: number | null;
  /** Names a person or an employer without saying who it is. */
  hashOf(subject: Subject): string;
}

/** Why a row is not over: nobody looks at what it answered. */
export type Interruption =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'pause'; readonly code: ProblemCode }
  | { readonly kind: 'delay'; readonly code: ProblemCode; readonly retryAfter: number | null };

/** What did not pass in all the tries of a row, and in whose registry. */
export interface Exhausted {
  readonly code: ProblemCode;
  readonly registry: RegistryName;
}
