import type { WireInput } from './endpoint/endpoint';
import type { FieldPath } from './field-path';
import type { KeyedQuestion } from './replay/answer-store';

/** A question on its way. */
export interface PendingQuestion extends KeyedQuestion {
  readonly input: WireInput;
  /** The field that asks first. Fields that ask the same later share the call. */
  readonly path: FieldPath | null;
}
