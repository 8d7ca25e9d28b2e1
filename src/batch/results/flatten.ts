import type { BatchRow } from '../storage/row-store';

/** A cell of a table: text and numbers as they are, everything else has been taken apart. */
export type Cell = string | number | boolean | null;

/** Prefix of the columns of an answer whose alias is also the name of one of padron's own columns. */
const dataPrefix = 'data';
/** Columns that every table may have, whatever its operation selects. */
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
 * Returns a row as cells by column: padron's own columns, then the answer's. Names are joined by dots, and items of lists are named by their
 * index. The calls of a row are left out: a field may make several, and the outcome of one of them is not the outcome of the field.
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
