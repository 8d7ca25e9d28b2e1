import type { WireInput } from './endpoint/endpoint';
import type { FieldPath } from './unit-meter';

/** A question as it travels. */
export interface Query {
  readonly question: unknown;
  readonly input: WireInput;
  readonly cacheKey: string;
  /** The field that asks first; whoever asks the same later shares the call. */
  readonly path: FieldPath | null;
}
