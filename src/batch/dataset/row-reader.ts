import { coerceInputValue, type GraphQLInputType } from 'graphql';
import { holdsNul } from '../../registry/endpoint/nul';
import type { BatchColumn, BatchOperation, RejectedRow, RowInput } from '../batch';
import { type Dataset, DatasetError, type DatasetRow } from './dataset';
import { type ColumnTarget, foldName, matchColumn, readCell, refColumn } from './match-columns';

const maxRefLength = 200;

/** Result of reading a row: the variables of its run, or the reason for its rejection. */
export type ReadRow = (RowInput & { readonly number: number }) | { readonly rejected: RejectedRow };

/** Converts the rows of a dataset to variables of an operation. */
export class RowReader {
  private readonly uses = new Map<string, ColumnUse>();

  /** Throws a `DatasetError` if the columns do not fit the operation, so that every row would be rejected. */
  constructor(
    private readonly operation: BatchOperation,
    private readonly dataset: Dataset,
  ) {
    if (dataset.columns === null) return;
    for (const column of dataset.columns) this.columnOf(column);
    const collision = findCollision([...this.uses.values()]);
    if (collision !== null) throw new DatasetError(explain(collision));
    this.checkVariables();
  }

  /** The columns of all rows that have been read so far. */
  get columns(): readonly BatchColumn[] {
    return [...this.uses.values()].map(({ name, target, isRef }) => ({
      name,
      variable: target?.path.join('.') ?? (isRef ? refColumn : null),
    }));
  }

  /** Reads a row. `number` is its position in the file, counting rejected rows. */
  read(row: DatasetRow, number: number): ReadRow {
    const { line } = row;
    if ('message' in row) return { rejected: { line, column: null, message: row.message } };
    const used = Object.entries(row.values)
      .map(([column, value]) => ({ ...this.columnOf(column), value }))
      .filter(({ target, isRef }) => target !== null || isRef);
    const collision = this.dataset.columns === null ? findCollision(used) : null;
    if (collision !== null) return reject(line, null, explain(collision));
    if (used.some(({ value }) => holdsNul(value)))
      return reject(line, null, 'The row has a NUL character (U+0000). Remove it.');
    const variables: Record<string, unknown> = {};
    let ref: string | null = null;
    for (const { target, isRef, value } of used) {
      if (isRef) ref = readRef(value);
      if (target !== null)
        assign(variables, target, this.dataset.isText ? readCell(String(value), target.type) : value);
    }
    if (ref !== null && ref.length > maxRefLength)
      return reject(line, refColumn, `\`${refColumn}\` has more than ${maxRefLength} characters.`);
    return this.check(line, variables) ?? { number, ref, variables };
  }

  private check(line: number, variables: Readonly<Record<string, unknown>>): ReadRow | null {
    for (const { name, type, isRequired } of this.operation.variables) {
      const value = variables[name];
      if (value === undefined && isRequired) return reject(line, name, `The variable \`${name}\` has no value.`);
      if (value !== undefined && !fits(value, type))
        return reject(line, name, `The value does not fit the variable \`${name}: ${type}\`.`);
    }
    const reason = this.operation.explainRejection(variables);
    return reason === null ? null : reject(line, null, reason);
  }

  private columnOf(name: string): ColumnUse {
    const existing = this.uses.get(name);
    if (existing !== undefined) return existing;
    const target = name === '' ? null : matchColumn(this.operation.variables, name);
    const use = { name, target, isRef: foldName(name) === refColumn };
    // Limits the memory, because in JSON lines each row can have other columns.
    if (this.uses.size < maxColumns) this.uses.set(name, use);
    return use;
  }

  private checkVariables(): void {
    const matched = new Set([...this.uses.values()].map(({ target }) => target?.path[0]));
    const missing = this.operation.variables.find(({ name, isRequired }) => isRequired && !matched.has(name));
    if (missing !== undefined) throw new DatasetError(`No column has the name of the variable \`${missing.name}\`.`);
    if (this.operation.variables.length > 0 && ![...matched].some((name) => name !== undefined)) {
      const names = this.operation.variables.map(({ name }) => `\`${name}\``).join(', ');
      throw new DatasetError(`No column has the name of a variable of the operation: ${names}.`);
    }
  }
}

const maxColumns = 500;

/** A column and its use: it can fill a variable, be the label of the row, or both. */
interface ColumnUse {
  readonly name: string;
  readonly target: ColumnTarget | null;
  readonly isRef: boolean;
}

/** Two columns that fill the same variable, or the same field of a variable. */
interface Collision {
  readonly names: readonly [string, string];
  readonly place: string;
}

/** Returns the first two columns of which one would overwrite the other. Returns null if there are none. */
function findCollision(uses: readonly ColumnUse[]): Collision | null {
  const byPlace = new Map<string, string>();
  for (const { name, target, isRef } of uses) {
    const path = target?.path ?? (isRef ? [refColumn] : []);
    for (const [place, other] of byPlace) {
      const shared = Math.min(path.length, place.split('.').length);
      if (shared > 0 && path.slice(0, shared).join('.') === place.split('.').slice(0, shared).join('.'))
        return { names: [other, name], place: path.slice(0, shared).join('.') };
    }
    if (path.length > 0) byPlace.set(path.join('.'), name);
  }
  return null;
}

/** Returns a message. It may quote the columns, because their names match a variable and are not personal data. */
const explain = ({ names: [first, second], place }: Collision): string =>
  `The columns \`${first}\` and \`${second}\` both fill \`${place}\`, because case, blanks, dashes and accents are ignored. Remove one of them.`;

function reject(line: number, column: string | null, message: string): ReadRow {
  return { rejected: { line, column, message } };
}

function readRef(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** Sets the value at a path. Defines the properties, because a column may be named `__proto__`. */
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
