import type { BatchRow } from '../storage/row-store';

export type Cell = string | number | boolean | null;

/** Prefix of columns of the answer whose alias is also the name of a column of padron. */
const dataPrefix = 'data';
/** Columns of padron, which a table may have in addition to those of the answer. */
const ownColumns: ReadonlySet<string> = new Set([
  'ref',
  'row',
  'state',
  'units',
  'uncertainUnits',
  'problems',
  'errors',
  dataPrefix,
]);

/**
 * Returns the cells of a row by column: first the columns of padron, then those of the answer. A column of the answer is named
 * by its path, joined by dots, with the indexes of lists. The calls of the row are not included, because the outcome of a call
 * may differ from the outcome of its field.
 */
export function flattenRow({ ref, number, state, units, uncertain, result }: BatchRow): ReadonlyMap<string, Cell> {
  const { problems = [], errors = [], data = null } = result ?? {};
  const cells = new Map<string, Cell>([
    ['ref', ref],
    ['row', number],
    ['state', state],
    ['units', units],
    ['uncertainUnits', uncertain],
    ['problems', problems.map(({ code }) => code).join(' ')],
  ]);
  if (errors.length > 0) cells.set('errors', errors.map(({ message }) => message).join(' '));
  for (const [alias, value] of Object.entries(data ?? {}))
    addCells(cells, ownColumns.has(alias) ? `${dataPrefix}.${alias}` : alias, value);
  return cells;
}

function addCells(cells: Map<string, Cell>, column: string, value: unknown): void {
  if (isCell(value)) cells.set(column, value);
  else for (const [name, inner] of Object.entries(value ?? {})) addCells(cells, `${column}.${name}`, inner);
}

const isCell = (value: unknown): value is Cell =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
