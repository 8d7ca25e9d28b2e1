import type { KeyedQuestion } from '../answers/answer-store';
import type { AnyEndpoint, WireInput } from '../endpoint/endpoint';
import type { FieldPath } from './field-path';

/** A question as it is sent. It has no key: it may hold secrets, and then its answer is not shared. */
export interface OutgoingQuestion {
  readonly endpoint: AnyEndpoint;
  readonly question: unknown;
  readonly input: WireInput;
  readonly price: number;
  readonly path: FieldPath | null;
}

export interface PendingQuestion extends OutgoingQuestion, KeyedQuestion {}
