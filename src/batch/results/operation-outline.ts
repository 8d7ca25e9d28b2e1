/**
 * Kind of the values of a column. Values of a list are joined, so a list of numbers is a text. `times` is a list of moments, and
 * `message` the message of a problem.
 */
export type AnswerKind = 'text' | 'number' | 'decimal' | 'boolean' | 'day' | 'time' | 'times' | 'message' | 'enum';

/** A column of the answers in the table of results: a field without a selection set. */
export interface AnswerColumn {
  /** Response names from the root of the answer to the field. */
  readonly path: readonly string[];
  readonly header: string;
  readonly kind: AnswerKind;
  /** Words for the values of an enum, in the language of the table. */
  readonly words?: Readonly<Record<string, string>>;
}
