import type { KeyedQuestion } from '../answers/answer-store';
import type { AnyEndpoint, WireInput } from '../endpoint/endpoint';
import type { FieldPath } from './field-path';

/** A question as it is sent. It has no key: it may hold secrets, and then its answer is not shared. */
export interface OutgoingQuestion {
  readonly endpoint: AnyEndpoint;
  readonly question: unknown;
  readonly input: WireInput;
  readonly price: number;
  /** The first field that asks. Later fields with the same question share the call. */
  readonly path: FieldPath | null;
}

/** A question whose answer others may share. */
export interface PendingQuestion extends OutgoingQuestion, KeyedQuestion {}
