import { isRecord } from '../dataset/text/read-jsonl';

/** Value of a cell before it is written: an answer's text, number or boolean. Null for an empty cell. */
export type Cell = string | number | boolean | null;

/** Separators of the values of a list, and of the values of a list within a list. */
const separators = ['; ', ', '] as const;

/**
 * Returns the value at a path of an answer, in words if there are any. Values of a list are joined. A record of a list without a value has an empty place,
 * so that the values of one record have the same place in all columns. A list without any value is an empty cell.
 */
export function readAnswer(data: unknown, path: readonly string[], translate: (value: Cell) => Cell): Cell {
  const value = valueAt(data, path, 0);
  return Array.isArray(value) ? join(value, 0, translate) || null : translate(toCell(value));
}

function valueAt(value: unknown, path: readonly string[], depth: number): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => valueAt(item, path, depth));
  const name = path[depth];
  if (name === undefined) return value ?? null;
  return isRecord(value) && Object.hasOwn(value, name) ? valueAt(value[name], path, depth + 1) : null;
}

function join(values: readonly unknown[], level: number, translate: (value: Cell) => Cell): string {
  const texts = values.map((value) =>
    Array.isArray(value) ? join(value, level + 1, translate) : String(translate(toCell(value)) ?? ''),
  );
  return texts.every((text) => text === '') ? '' : texts.join(separators[level] ?? separators[1]);
}

function toCell(value: unknown): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  return JSON.stringify(value);
}
