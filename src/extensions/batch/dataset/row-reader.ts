import { getNamedType } from 'graphql';
import { holdsNul, isNestedTooDeep, maxNesting } from '../../../identifiers/json-value';
import type { Text } from '../../../identifiers/text';
import type { BatchColumn, ColumnChoices, RefusedRow, RowInput } from '../batch';
import type { BatchOperation } from '../operation';
import { variablePaths } from './columns/column-choices';
import { toMessage } from './columns/column-messages';
import { type ColumnUse, ColumnUses, findCollision } from './columns/column-uses';
import { FoldedChoices } from './columns/folded-choices';
import { findNameProblem, maxColumns } from './columns/header';
import { refColumn } from './columns/match-column';
import { explainColumns } from './columns/suggest-columns';
import { explainUnmapped, findUnmapped } from './columns/unmapped-columns';
import type { CellNotes, Dataset, DatasetRow } from './dataset';
import { explainMisfit, type FilledColumns, noValue, shorten } from './misfit';
import { type ReadValue, readCell } from './read-cell';

/** Matches a number as text that cannot be an identifier: no leading zero, and nine digits at most if it is whole. */
const safeNumber = /^-?(?:0|[1-9]\d{0,8}|(?:0|[1-9]\d*)\.\d+)$/;
const plainNumber = /^-?\d+(?:\.\d+)?$/;
const leadingZero = /^-?0\d/;
const isoDay = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Finds the columns whose numbers, dates and booleans stay such values in a workbook of results. A column with a number that may be an
 * identifier stays text, so that its cells are all of one type.
 */
class TypedColumns {
  private readonly typed = new Set<number>();
  private readonly texts = new Set<number>();

  add(cells: readonly (string | null)[], typed: readonly number[] | undefined): void {
    const typedHere = typed && new Set(typed);
    for (const [position, text] of cells.entries()) {
      if (text === null || text === '' || this.texts.has(position)) continue;
      const isTyped = typedHere?.has(position) ?? (safeNumber.test(text) || isoDay.test(text));
      if (isTyped) this.typed.add(position);
      const mayBeIdentifier = plainNumber.test(text) && (leadingZero.test(text) || !(isTyped || safeNumber.test(text)));
      if (mayBeIdentifier) this.texts.add(position);
    }
  }

  get positions(): readonly number[] {
    return [...this.typed].filter((position) => !this.texts.has(position));
  }
}

/** Sets the value at a path. Defines the properties, because a column may be named `__proto__`. */
function assign(variables: Record<string, unknown>, path: readonly string[], value: unknown): void {
  if (value === undefined) return;
  let place = variables;
  for (const name of path.slice(0, -1)) {
    const inner = Object.hasOwn(place, name) ? place[name] : undefined;
    const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
    define(place, name, next);
    place = next;
  }
  define(place, path.at(-1) ?? '', value);
}

function define(place: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(place, name, { value, enumerable: true, writable: true, configurable: true });
}

const maxRefLength = 200;
/** Variables whose columns may be numbers, dates or booleans in the results. Other variables are identifiers. */
const valueTypes: ReadonlySet<string> = new Set(['Boolean', 'Date', 'Decimal', 'Float', 'Int', 'YearMonth']);

export interface ReadRow {
  readonly input: RowInput;
  readonly refusal: RefusedRow | null;
}

type Refusal = Omit<RefusedRow, 'line'>;

export class RowReader {
  private readonly uses: ColumnUses;
  /** Positions of the input columns. In JSON lines their order is that of their first appearance. */
  private readonly positions = new Map<string, number>();
  private readonly typed = new TypedColumns();
  private hasTypes = false;
  private readonly repaired = new Set<string>();

  constructor(
    private readonly operation: BatchOperation,
    private readonly dataset: Dataset,
    choices: ColumnChoices,
  ) {
    this.uses = new ColumnUses(new FoldedChoices(operation.variables, choices), dataset.columns);
  }

  /** Throws a `DatasetError` if the columns do not fit the operation, or if a column of the sample disappeared. */
  checkColumns(sample: readonly DatasetRow[]): void {
    for (const row of sample) if ('values' in row && findValuesProblem(row.values) === null) this.findAll(row.values);
    const problem = this.dataset.columns === null ? null : this.uses.findProblem();
    if (problem !== null) throw explainColumns(problem, this.uses.columns, this.variables, this.dataset, sample);
    if (this.dataset.columns !== null && sample.length === 0) return;
    const unmapped = findUnmapped(this.uses, this.dataset.columns, sample);
    if (unmapped.length > 0) throw explainUnmapped(unmapped, this.uses.columns, this.variables, this.dataset);
  }

  private findAll(values: Readonly<Record<string, unknown>>): void {
    for (const name of Object.keys(values)) this.uses.find(name);
  }

  get variables(): readonly string[] {
    return variablePaths(this.operation.variables);
  }

  get columns(): readonly BatchColumn[] {
    return this.uses.columns;
  }

  get inputColumns(): readonly string[] {
    return this.dataset.columns ?? [...this.positions.keys()];
  }

  get typedColumns(): readonly number[] {
    return this.typed.positions.filter((position) => {
      const { target, isRef } = this.uses.find(this.inputColumns[position] ?? '');
      // In a text file, a label of digits may be an identifier.
      return target === null ? !isRef || this.hasTypes : valueTypes.has(getNamedType(target.type).name);
    });
  }

  get repairedColumns(): readonly string[] {
    return [...this.repaired];
  }

  read(row: DatasetRow): ReadRow {
    const { line } = row;
    const problem = 'values' in row ? findValuesProblem(row.values) : null;
    if (problem !== null)
      return refuse({ ref: null, line, variables: {}, cells: [], remarks: [] }, { column: null, reason: problem });
    const cells = 'values' in row ? this.toCells(row.values) : row.cells.slice(0, this.inputColumns.length);
    const typed = 'values' in row ? this.typedPositions(row.values) : row.typed;
    this.hasTypes ||= typed !== undefined;
    this.typed.add(cells, typed);
    const input: RowInput = { ref: null, line, variables: {}, cells, remarks: [] };
    if ('message' in row) return refuse(input, { column: null, reason: row.message });
    const entries = 'values' in row ? Object.entries(row.values) : this.inputColumns.map(named(row.cells));
    return this.readEntries(input, entries, 'values' in row ? {} : row);
  }

  private readEntries(input: RowInput, entries: readonly (readonly [string, unknown])[], notes: CellNotes): ReadRow {
    const values = entries.map(([column, value], index) => {
      return { ...this.uses.find(column), value, fault: notes.faults?.get(index) ?? null };
    });
    const used = values.filter(({ target, isRef }) => target !== null || isRef);
    const collision = this.dataset.columns === null ? findCollision(used) : null;
    if (collision !== null) return refuse(input, { column: null, reason: toMessage(collision) });
    const withNul = entries.find(([, value]) => holdsNul(value));
    if (withNul !== undefined) return refuse(input, { column: null, reason: about(withNul[0], nul) });
    const rounded = entries.find(([, value]) => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER);
    if (rounded !== undefined) return refuse(input, { column: null, reason: about(rounded[0], tooManyDigits) });
    const variables: Record<string, unknown> = {};
    const remarks = [...(notes.remarks ?? []), ...remarksOn(values)];
    const repaired: string[] = [];
    const label = used.find(({ isRef }) => isRef);
    const ref = readRef(label?.value);
    if (ref !== null && ref.length > maxRefLength)
      return refuse(input, { column: refColumn, reason: refTooLong(label?.name ?? refColumn) });
    const labeled: RowInput = { ...input, ref };
    for (const { name, target, value, fault } of used) {
      const place = target?.path.join('.') ?? refColumn;
      if (fault !== null) return refuse(labeled, { column: place, reason: about(name, fault) });
      if (target === null) continue;
      const read: ReadValue = this.dataset.columns === null ? { value } : readCell(String(value), target.type);
      if (read.rejection !== undefined) return refuse(labeled, { column: place, reason: about(name, read.rejection) });
      if (read.remark !== undefined) remarks.push(about(name, read.remark));
      if (isRepaired(value, read)) repaired.push(name);
      assign(variables, target.path, read.value);
    }
    const filled = new Map(used.map(({ name, target }) => [target?.path.join('.') ?? '', name]));
    const refusal = this.check(variables, filled);
    if (refusal !== null) return refuse(labeled, refusal);
    for (const name of repaired) this.repaired.add(name);
    return { input: { ...labeled, variables, remarks }, refusal: null };
  }

  private check(variables: Readonly<Record<string, unknown>>, columns: FilledColumns): Refusal | null {
    for (const { name, type, isRequired } of this.operation.variables) {
      const value = variables[name];
      if (value === undefined && isRequired) return { column: name, reason: noValue(name, columns) };
      const misfit = value === undefined ? null : explainMisfit(name, type, value, columns);
      if (misfit !== null) return { column: name, reason: misfit };
    }
    const reason = this.operation.explainRejection(variables);
    return reason === null ? null : { column: null, reason };
  }

  private typedPositions(values: Readonly<Record<string, unknown>>): readonly number[] {
    const names = Object.keys(values).filter((name) => ['number', 'boolean'].includes(typeof values[name]));
    return names.flatMap((name) => this.positions.get(name) ?? []);
  }

  private toCells(values: Readonly<Record<string, unknown>>): readonly (string | null)[] {
    const cells: (string | null)[] = [];
    for (const [name, value] of Object.entries(values)) {
      const position = this.positions.get(name) ?? this.positions.size;
      if (position >= maxColumns) continue;
      this.positions.set(name, position);
      cells[position] = typeof value === 'string' || value === null ? value : JSON.stringify(value);
    }
    return Array.from(cells, (cell) => (cell === undefined ? '' : cell));
  }
}

/** Whether the value of a variable is not just the text of its cell. JSON in a cell is compared by its remark. */
function isRepaired(cell: unknown, { value, remark }: ReadValue): boolean {
  if (typeof cell !== 'string' || value === undefined) return false;
  if (typeof value === 'object') return remark !== undefined;
  return String(value).trim().toLowerCase() !== cell.trim().toLowerCase();
}

const named =
  (cells: readonly string[]) =>
  (name: string, index: number): readonly [string, string] => [name, cells[index] ?? ''];

function refuse(input: RowInput, { column, reason }: Refusal): ReadRow {
  return { input: { ...input, variables: {}, remarks: [reason] }, refusal: { line: input.line ?? 0, column, reason } };
}

/**
 * Returns remarks on the values that are missing in columns that are not used, and on those of columns that the caller declined.
 * A row without a used value is rejected.
 */
const remarksOn = (values: readonly (ColumnUse & { readonly value: unknown; readonly fault: Text | null })[]): Text[] =>
  values.flatMap(({ name, target, isRef, isDeclined, value, fault }) => {
    if (target !== null || isRef || name === '') return [];
    if (value === '') return fault === null ? [] : [about(name, fault)];
    return isDeclined ? [about(name, declined)] : [];
  });

const about = (column: string, { english, spanish }: Text): Text => ({
  english: `${shorten(column)}: ${english}`,
  spanish: `${shorten(column)}: ${spanish}`,
});

function readRef(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function findValuesProblem(values: Readonly<Record<string, unknown>>): Text | null {
  return findNameProblem(Object.keys(values)) ?? (isNestedTooDeep(values) ? tooDeep : null);
}

const declined: Text = {
  english: 'the column was not used, as chosen when the file was sent.',
  spanish: 'la columna no se usó; así se eligió al enviar el archivo.',
};
const tooDeep: Text = {
  english: `The row has more than ${maxNesting} levels of lists and objects. Flatten it.`,
  spanish: `La fila tiene más de ${maxNesting} niveles de listas y objetos. Aplánela.`,
};
const nul: Text = {
  english: 'The value has a NUL character (U+0000). Remove it.',
  spanish: 'El valor tiene un carácter NUL (U+0000). Quítelo.',
};
const tooManyDigits: Text = {
  english: 'The number has more digits than JSON programs keep. Write it as a text, in quotes.',
  spanish:
    'El número tiene más dígitos de los que conservan los programas de JSON. Escríbalo como texto, entre comillas.',
};
const refTooLong = (column: string): Text => ({
  english: `The label of the row, in the column \`${shorten(column)}\`, has more than ${maxRefLength} characters.`,
  spanish: `La etiqueta de la fila, en la columna \`${shorten(column)}\`, tiene más de ${maxRefLength} caracteres.`,
});
