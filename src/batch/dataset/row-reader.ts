import { coerceInputValue, type GraphQLInputType } from 'graphql';
import type { BatchColumn, BatchOperation, RefusedRow, RowInput } from '../batch';
import { type Dataset, DatasetError, type DatasetRow } from './dataset';
import { type ColumnTarget, fold, matchColumn, readCell, refColumn } from './match-columns';

const maxRefLength = 200;

/** What comes of a row: the variables of one run, or why it is not taken. */
export type ReadRow = (RowInput & { readonly number: number }) | { readonly refused: RefusedRow };

/** Turns the rows of a dataset into variables of an operation. */
export class RowReader {
  private readonly targets = new Map<string, ColumnTarget | null>();
  private readonly refNames = new Set<string>();

  /** Throws where no row of the dataset could be taken. */
  constructor(
    private readonly operation: BatchOperation,
    private readonly dataset: Dataset,
  ) {
    for (const column of dataset.columns ?? []) this.target(column);
    if (dataset.columns !== null) this.refuseUnmatched();
  }

  /** The columns that were seen until now. */
  get columns(): readonly BatchColumn[] {
    return [...this.targets].map(([name, target]) => ({
      name,
      variable: target?.path.join('.') ?? (this.refNames.has(name) ? refColumn : null),
    }));
  }

  /** `number` counts all rows of the file, the refused ones too. */
  read(row: DatasetRow, number: number): ReadRow {
    const { line } = row;
    if ('message' in row) return { refused: { line, column: null, message: row.message } };
    const variables: Record<string, unknown> = {};
    let ref: string | null = null;
    for (const [column, value] of Object.entries(row.values)) {
      const target = this.target(column);
      if (this.refNames.has(column)) ref = readRef(value);
      if (target !== null)
        assign(variables, target, this.dataset.isText ? readCell(String(value), target.type) : value);
    }
    if (ref !== null && ref.length > maxRefLength)
      return refuse(line, refColumn, `\`${refColumn}\` has more than ${maxRefLength} characters.`);
    return this.check(line, variables) ?? { number, ref, variables };
  }

  private check(line: number, variables: Readonly<Record<string, unknown>>): ReadRow | null {
    for (const { name, type, nonNull, defaultValue } of this.operation.variables) {
      const value = variables[name];
      if (value === undefined && nonNull && defaultValue === undefined)
        return refuse(line, name, `There is no value for the variable \`${name}\`.`);
      if (value !== undefined && !fits(value, type))
        return refuse(line, name, `The value does not fit the variable \`${name}: ${type}\`.`);
    }
    const reason = this.operation.refuse(variables);
    return reason === null ? null : refuse(line, null, reason);
  }

  private target(column: string): ColumnTarget | null {
    const existing = this.targets.get(column);
    if (existing !== undefined) return existing;
    const target = column === '' ? null : matchColumn(this.operation.variables, column);
    // What rows name themselves could go on for ever.
    if (this.targets.size < maxColumns) this.targets.set(column, target);
    if (fold(column) === refColumn && this.refNames.size < maxRefNames) this.refNames.add(column);
    return target;
  }

  private refuseUnmatched(): void {
    const matched = new Set([...this.targets.values()].map((target) => target?.path[0]));
    const missing = this.operation.variables.find(
      ({ name, nonNull, defaultValue }) => nonNull && defaultValue === undefined && !matched.has(name),
    );
    if (missing !== undefined) throw new DatasetError(`No column is named after the variable \`${missing.name}\`.`);
    if (this.operation.variables.length > 0 && ![...matched].some((name) => name !== undefined)) {
      const names = this.operation.variables.map(({ name }) => `\`${name}\``).join(', ');
      throw new DatasetError(`No column is named after a variable of the operation: ${names}.`);
    }
  }
}

const maxColumns = 500;
const maxRefNames = 10;

function refuse(line: number, column: string | null, message: string): ReadRow {
  return { refused: { line, column, message } };
}

function readRef(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** Defined and not set: a column may be called `__proto__`. */
function assign(variables: Record<string, unknown>, { path }: ColumnTarget, value: unknown): void {
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

function fits(value: unknown, type: GraphQLInputType): boolean {
  try {
    coerceInputValue(value, type, () => {
      throw new TypeError('The value does not fit.');
    });
    return true;
  } catch {
    return false;
  }
}
