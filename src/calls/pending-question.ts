import type { AnyEndpoint, WireInput } from '../registry/endpoint/endpoint';
import type { KeyedQuestion } from './answers/answer-store';
import type { FieldPath } from './field-path';

/** A question without a cache key, because questions with secrets are never shared. */
export interface OutgoingQuestion {
  readonly endpoint: AnyEndpoint;
  readonly question: unknown;
  readonly input: WireInput;
  readonly price: number;
  readonly path: FieldPath | null;
}

export interface PendingQuestion extends OutgoingQuestion, KeyedQuestion {}
