import type { BatchRow } from '../keep/row-store';

/** A cell of a table: text and numbers as they are, everything else has been taken apart. */
export type Cell = string | number | boolean | null;

/** A row of a batch as one flat row: names joined by dots, places in lists by their number. */
export function flattenRow(row: BatchRow): ReadonlyMap<string, Cell> {
  const cells = new Map<string, Cell>([
    ['ref', row.ref],
    ['row', row.number],
    ['state', row.state],
    ['units', row.units],
    ['uncertainUnits', row.uncertain],
    ['problems', (row.result?.problems ?? []).map(({ code }) => code).join(' ')],
  ]);
  for (const [field, lookup] of lookupsByField(row)) {
    const { outcome, problems, evidence } = lookup;
    cells.set(`${field}.outcome`, outcome);
    cells.set(`${field}.problems`, problems.join(' '));
    for (const [name, value] of Object.entries(evidence)) cells.set(`${field}.evidence.${name}`, value);
  }
  addCells(cells, '', row.result?.data);
  if ((row.result?.errors.length ?? 0) > 0)
    cells.set('errors', (row.result?.errors ?? []).map(({ message }) => message).join(' '));
  return cells;
}

/** A field may ask more than once: an identifier on the way, or a month after the other. */
function lookupsByField({ result }: BatchRow): ReadonlyMap<string, NonNullable<BatchRow['result']>['lookups'][number]> {
  const byField = new Map<string, NonNullable<BatchRow['result']>['lookups'][number]>();
  for (const lookup of result?.lookups ?? []) {
    let name = lookup.field;
    for (let count = 2; byField.has(name); count += 1) name = `${lookup.field} ${count}`;
    byField.set(name, lookup);
  }
  return byField;
}

function addCells(cells: Map<string, Cell>, prefix: string, value: unknown): void {
  if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value))
      addCells(cells, prefix === '' ? name : `${prefix}.${name}`, inner);
  } else if (prefix !== '' && !cells.has(prefix)) cells.set(prefix, isCell(value) ? value : null);
}

const isCell = (value: unknown): value is Cell =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
