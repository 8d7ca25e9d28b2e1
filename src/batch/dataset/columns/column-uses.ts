import type { BatchColumn, BatchVariable, Remark } from '../../batch';
import { DatasetError } from '../dataset';
import { type ColumnTarget, foldName, matchColumn, refColumn } from './match-column';

/** Maximum columns that are remembered, because in JSON lines each row can have other columns. */
const maxColumns = 500;

/** A column and its use: it can fill a variable, be the label of the row, or both. */
export interface ColumnUse {
  readonly name: string;
  readonly target: ColumnTarget | null;
  readonly isRef: boolean;
}

/** The columns of a dataset, and what the operation uses them for. */
export class ColumnUses {
  private readonly uses = new Map<string, ColumnUse>();

  constructor(private readonly variables: readonly BatchVariable[]) {}

  /** The columns that have been read so far. */
  get columns(): readonly BatchColumn[] {
    return [...this.uses.values()].map(({ name, target, isRef }) => ({
      name,
      variable: target?.path.join('.') ?? (isRef ? refColumn : null),
    }));
  }

  of(name: string): ColumnUse {
    const existing = this.uses.get(name);
    if (existing !== undefined) return existing;
    const target = name === '' ? null : matchColumn(this.variables, name);
    const use = { name, target, isRef: foldName(name) === refColumn };
    if (this.uses.size < maxColumns) this.uses.set(name, use);
    return use;
  }

  /** Throws a `DatasetError` if the columns of a table do not fit the operation, so that every row would be rejected. */
  check(columns: readonly string[]): void {
    const collision = findCollision(columns.map((name) => this.of(name)));
    if (collision !== null) throw new DatasetError(collision);
    const matched = new Set([...this.uses.values()].map(({ target }) => target?.path[0]));
    const missing = this.variables.find(({ name, isRequired }) => isRequired && !matched.has(name));
    if (missing !== undefined) throw new DatasetError(noColumn(missing.name));
    if (this.variables.length > 0 && ![...matched].some((name) => name !== undefined))
      throw new DatasetError(noColumns(this.variables.map(({ name }) => `\`${name}\``).join(', ')));
  }
}

/** Returns why one of two columns would overwrite the other. Returns null if there are no such columns. */
export function findCollision(uses: readonly ColumnUse[]): Remark | null {
  const byPlace = new Map<string, string>();
  for (const { name, target, isRef } of uses) {
    const path = target?.path ?? (isRef ? [refColumn] : []);
    for (const [place, other] of byPlace) {
      const shared = Math.min(path.length, place.split('.').length);
      if (shared > 0 && path.slice(0, shared).join('.') === place.split('.').slice(0, shared).join('.'))
        return explain(other, name, path.slice(0, shared).join('.'));
    }
    if (path.length > 0) byPlace.set(path.join('.'), name);
  }
  return null;
}

/** Returns a message. It may quote the columns, because their names match a variable and are not personal data. */
const explain = (first: string, second: string, place: string): Remark => ({
  english: `The columns \`${first}\` and \`${second}\` both fill \`${place}\`, because case, blanks, dashes and accents are ignored. Remove one of them.`,
  spanish: `Las columnas \`${first}\` y \`${second}\` llenan \`${place}\`, porque no se distinguen mayúsculas, espacios, guiones ni acentos. Quite una de las dos.`,
});

const noColumn = (variable: string): Remark => ({
  english: `No column has the name of the variable \`${variable}\`.`,
  spanish: `Ninguna columna tiene el nombre de la variable \`${variable}\`.`,
});

const noColumns = (names: string): Remark => ({
  english: `No column has the name of a variable of the operation: ${names}.`,
  spanish: `Ninguna columna tiene el nombre de una variable de la operación: ${names}.`,
});
