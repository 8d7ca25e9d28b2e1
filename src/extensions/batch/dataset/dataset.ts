import type { Text } from '../../../identifiers/text';
import type { Problem, ProblemCode } from '../../../registry/answer/problem';
import type { SheetNames } from '../batch';

/**
 * A row of a file: its cells, its values by name if it is an object, or why it cannot be read. `typed` has the positions of the cells
 * that are numbers, dates or booleans. A file that only has text has none.
 */
export type DatasetRow = { readonly line: number; readonly typed?: readonly number[] } & (
  | ({ readonly cells: readonly string[] } & CellNotes)
  | { readonly values: Readonly<Record<string, unknown>> }
  | { readonly cells: readonly string[]; readonly message: Text }
);

/** Notes about a row of a workbook: remarks on the row, and by position the reasons why cells have no known value. */
export interface CellNotes {
  readonly remarks?: readonly Text[];
  readonly faults?: ReadonlyMap<number, Text>;
}

export interface Dataset extends SheetNames {
  /** The columns of a table, whose cells are text. Null if each row is an object with typed values. */
  readonly columns: readonly string[] | null;
  readonly headerLine: number | null;
  readonly rows: AsyncIterable<DatasetRow> | Iterable<DatasetRow>;
}

export interface ColumnSuggestion {
  readonly column: string;
  readonly variable: string;
  /** Number of valid values in the sample of rows. It is 0 if only the heading names the variable. */
  readonly valid: number;
  /** Number of values in the sample that are not empty. */
  readonly filled: number;
}

/** The columns and sheets from which a caller can choose after its file was rejected. */
export interface DatasetChoice extends Partial<SheetNames> {
  readonly columns?: readonly string[];
  readonly variables?: readonly string[];
  /** The columns that fill a variable, or the label, without a choice. */
  readonly matches?: readonly { readonly column: string; readonly variable: string }[];
  readonly suggestions?: readonly ColumnSuggestion[];
  /** The beginning of the message, without advice that only applies to some clients. */
  readonly reason?: Text;
}

export const noSheets: SheetNames = { sheet: null, sheets: [] };

/** The whole file is rejected. The message does not quote the values of its rows. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError';

  /** `choice` is given if the columns do not fit the operation, or if the chosen sheet does not exist. */
  constructor(
    readonly text: Text,
    readonly choice: DatasetChoice | null = null,
    readonly code: Extract<ProblemCode, 'COLUMNS_UNMAPPED'> | null = null,
  ) {
    super(text.english);
  }
}

export class QuotaError extends DatasetError {
  constructor(readonly problem: Problem) {
    super({ english: problem.message, spanish: problem.spanish ?? problem.message });
  }
}
