import { isNestedTooDeep, maxNesting } from '../../registry/endpoint/nesting';
import { holdsNul } from '../../registry/endpoint/nul';
import type { BatchColumn, ColumnChoices, RejectedRow, Remark, RowInput } from '../batch';
import type { BatchOperation } from '../operation';
import { variablePaths } from './columns/column-choices';
import { toMessage } from './columns/column-messages';
import { type ColumnUse, ColumnUses, findCollision } from './columns/column-uses';
import { type FilledColumns, nameColumn, shorten } from './columns/filled-columns';
import { FoldedChoices } from './columns/folded-choices';
import { findNameProblem, maxColumns } from './columns/header';
import { refColumn } from './columns/match-column';
import { explainColumns } from './columns/suggest-columns';
import type { CellNotes, Dataset, DatasetRow } from './dataset';
import { assign } from './values/assign';
import { explainMisfit } from './values/misfit';
import { readCell } from './values/read-cell';
import type { ReadValue } from './values/read-value';

const maxRefLength = 200;

/** A row of a dataset: the input of its run, and the reason for its rejection if it cannot run. */
export interface ReadRow {
  readonly input: RowInput;
  readonly rejected: RejectedRow | null;
}

/** Why a row is rejected, and the variable or column to which the reason applies. */
interface Rejection {
  readonly column: string | null;
  readonly reason: Remark;
}

/** Converts the rows of a dataset to variables of an operation. */
export class RowReader {
  private readonly uses: ColumnUses;
  /** Positions of the input columns. In JSON lines their order is that of their first appearance. */
  private readonly positions = new Map<string, number>();

  constructor(
    private readonly operation: BatchOperation,
    private readonly dataset: Dataset,
    choices: ColumnChoices,
  ) {
    this.uses = new ColumnUses(new FoldedChoices(operation.variables, choices), dataset.columns);
  }

  /** Throws a `DatasetError` if the columns do not fit the operation, so that every row would be rejected. It then reads some rows. */
  async checkColumns(): Promise<void> {
    const problem = this.dataset.columns === null ? null : this.uses.findProblem();
    if (problem !== null) throw await explainColumns(problem, this.uses.columns, this.variables, this.dataset);
  }

  /** The variables that columns can fill. */
  get variables(): readonly string[] {
    return variablePaths(this.operation.variables);
  }

  /** The columns of all rows that have been read so far. */
  get columns(): readonly BatchColumn[] {
    return this.uses.columns;
  }

  /** The names of the columns whose values are kept as cells, in the order of the cells. */
  get inputColumns(): readonly string[] {
    return this.dataset.columns ?? [...this.positions.keys()];
  }

  read(row: DatasetRow): ReadRow {
    const { line } = row;
    const problem = 'values' in row ? findValuesProblem(row.values) : null;
    if (problem !== null)
      return reject({ ref: null, line, variables: {}, cells: [], remarks: [] }, { column: null, reason: problem });
    const cells = 'values' in row ? this.toCells(row.values) : row.cells.slice(0, this.inputColumns.length);
    const input: RowInput = { ref: null, line, variables: {}, cells, remarks: [] };
    if ('message' in row) return reject(input, { column: null, reason: row.message });
    const entries = 'values' in row ? Object.entries(row.values) : this.inputColumns.map(named(row.cells));
    return this.readEntries(input, entries, 'values' in row ? {} : row);
  }

  private readEntries(input: RowInput, entries: readonly (readonly [string, unknown])[], notes: CellNotes): ReadRow {
    const values = entries.map(([column, value], index) => {
      return { ...this.uses.of(column), value, fault: notes.faults?.get(index) ?? null };
    });
    const used = values.filter(({ target, isRef }) => target !== null || isRef);
    const collision = this.dataset.columns === null ? findCollision(used) : null;
    if (collision !== null) return reject(input, { column: null, reason: toMessage(collision) });
    const withNul = entries.find(([, value]) => holdsNul(value));
    if (withNul !== undefined) return reject(input, { column: null, reason: about(withNul[0], nul) });
    const variables: Record<string, unknown> = {};
    const remarks = [...(notes.remarks ?? []), ...remarksOn(values)];
    const label = used.find(({ isRef }) => isRef);
    const ref = readRef(label?.value);
    if (ref !== null && ref.length > maxRefLength)
      return reject(input, { column: refColumn, reason: refTooLong(label?.name ?? refColumn) });
    const labeled: RowInput = { ...input, ref };
    for (const { name, target, value, fault } of used) {
      const place = target?.path.join('.') ?? refColumn;
      if (fault !== null) return reject(labeled, { column: place, reason: about(name, fault) });
      if (target === null) continue;
      const read: ReadValue = this.dataset.columns === null ? { value } : readCell(String(value), target.type);
      if (read.rejection !== undefined) return reject(labeled, { column: place, reason: about(name, read.rejection) });
      if (read.remark !== undefined) remarks.push(about(name, read.remark));
      assign(variables, target.path, read.value);
    }
    const filled = new Map(used.map(({ name, target }) => [target?.path.join('.') ?? '', name]));
    const rejection = this.check(variables, filled);
    return rejection === null
      ? { input: { ...labeled, variables, remarks }, rejected: null }
      : reject(labeled, rejection);
  }

  private check(variables: Readonly<Record<string, unknown>>, columns: FilledColumns): Rejection | null {
    for (const { name, type, isRequired } of this.operation.variables) {
      const value = variables[name];
      if (value === undefined && isRequired) return { column: name, reason: noValue(name, columns) };
      const misfit = value === undefined ? null : explainMisfit(name, type, value, columns);
      if (misfit !== null) return { column: name, reason: misfit };
    }
    const reason = this.operation.explainRejection(variables);
    return reason === null ? null : { column: null, reason };
  }

  private toCells(values: Readonly<Record<string, unknown>>): readonly string[] {
    const cells: string[] = [];
    for (const [name, value] of Object.entries(values)) {
      const position = this.positions.get(name) ?? this.positions.size;
      if (position >= maxColumns) continue;
      this.positions.set(name, position);
      cells[position] = typeof value === 'string' ? value : JSON.stringify(value);
    }
    return Array.from(cells, (cell) => cell ?? '');
  }
}

const named =
  (cells: readonly string[]) =>
  (name: string, index: number): readonly [string, string] => [name, cells[index] ?? ''];

function reject(input: RowInput, { column, reason }: Rejection): ReadRow {
  const { english: message, spanish } = reason;
  return {
    input: { ...input, variables: {}, remarks: [reason] },
    rejected: { line: input.line ?? 0, column, message, spanish },
  };
}

/** Returns remarks on the values that are missing in columns that are not used. A row without a used value is rejected. */
const remarksOn = (
  values: readonly (ColumnUse & { readonly value: unknown; readonly fault: Remark | null })[],
): Remark[] =>
  values.flatMap(({ name, target, isRef, value, fault }) =>
    fault === null || target !== null || isRef || name === '' || value !== '' ? [] : [about(name, fault)],
  );

/** Returns a remark that names the column. */
const about = (column: string, { english, spanish }: Remark): Remark => ({
  english: `${shorten(column)}: ${english}`,
  spanish: `${shorten(column)}: ${spanish}`,
});

function readRef(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** Returns why an object of JSON lines cannot be read as a row, or null. */
function findValuesProblem(values: Readonly<Record<string, unknown>>): Remark | null {
  return findNameProblem(Object.keys(values)) ?? (isNestedTooDeep(values) ? tooDeep : null);
}

const tooDeep: Remark = {
  english: `The row has more than ${maxNesting} levels of lists and objects. Flatten it.`,
  spanish: `La fila tiene más de ${maxNesting} niveles de listas y objetos. Aplánela.`,
};
const nul: Remark = {
  english: 'The value has a NUL character (U+0000). Remove it.',
  spanish: 'El valor tiene un carácter NUL (U+0000). Quítelo.',
};
const refTooLong = (column: string): Remark => ({
  english: `The label of the row, in the column \`${shorten(column)}\`, has more than ${maxRefLength} characters.`,
  spanish: `La etiqueta de la fila, en la columna \`${shorten(column)}\`, tiene más de ${maxRefLength} caracteres.`,
});

/** Returns the reason for a row without a value of a variable. It names the empty cells by the columns that fill the variable. */
function noValue(variable: string, columns: FilledColumns): Remark {
  const paths = [...columns.keys()].filter((path) => path === variable || path.startsWith(`${variable}.`));
  const names = paths.map((path) => nameColumn(columns, path)).join(', ');
  if (paths.length === 0)
    return {
      english: `The variable \`${variable}\` has no value.`,
      spanish: `La variable \`${variable}\` no tiene valor.`,
    };
  return paths.length === 1
    ? { english: `The cell in the column ${names} is empty.`, spanish: `La celda de la columna ${names} está vacía.` }
    : {
        english: `The cells in the columns ${names} are empty.`,
        spanish: `Las celdas de las columnas ${names} están vacías.`,
      };
}
