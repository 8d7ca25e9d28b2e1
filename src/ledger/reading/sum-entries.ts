import type { Store } from '../../store/store';
import { addFilter, isShared, savedUnits, uncertainUnits, withinView } from './conditions';
import { type LedgerFilter, type LedgerView, type Spend, type SpendKey, TooManySumsError } from './ledger-api';

const maxSums = 5_000;

type SumField = Exclude<keyof Spend, 'calls' | 'units' | 'uncertainUnits' | 'savedUnits'>;

const fieldOf: Readonly<Record<SpendKey, SumField>> = {
  DAY: 'day',
  MONTH: 'month',
  CLIENT: 'client',
  TAG: 'tag',
  OPERATION: 'operation',
  ENDPOINT: 'endpoint',
  BATCH: 'batch',
};
const emptySpend: Spend = {
  day: null,
  month: null,
  client: null,
  tag: null,
  operation: null,
  endpoint: null,
  batch: null,
  calls: 0,
  units: 0,
  uncertainUnits: 0,
  savedUnits: 0,
};

interface SumRow extends Readonly<Partial<Record<SumField, string | null>>> {
  readonly calls: number;
  readonly units: number;
  readonly uncertain: number;
  readonly saved: number;
}

/** Returns a sum for each combination of the keys' values, sorted by the keys in the given order. Without keys, returns one sum. */
export async function sumEntries(
  store: Store,
  view: LedgerView,
  filter: LedgerFilter,
  keys: readonly SpendKey[],
  timeZone: string,
): Promise<readonly Spend[]> {
  const conditions = withinView(view);
  addFilter(conditions, filter);
  const zone = keys.some((key) => key === 'DAY' || key === 'MONTH') ? conditions.parameter(timeZone) : '';
  const keyColumns = keys.map((key) => `${expressionOf(key, zone)} AS ${fieldOf[key]}`);
  // Groups by position: PostgreSQL does not treat two expressions with the same parameter as equal.
  const positions = keys.map((_key, index) => index + 1).join(', ');
  const grouping = keys.length === 0 ? '' : `GROUP BY ${positions} ORDER BY ${positions}`;
  const rows = await store.read<SumRow>(
    `SELECT ${[...keyColumns, ...sums].join(', ')} FROM ledger_entries e WHERE ${conditions.sql} ${grouping} LIMIT ${maxSums + 1}`,
    conditions.parameters,
  );
  if (rows.length > maxSums) throw new TooManySumsError(maxSums);
  return rows.map(({ uncertain, saved, ...row }) => ({
    ...emptySpend,
    ...row,
    uncertainUnits: uncertain,
    savedUnits: saved,
  }));
}

const sums = [
  // Shared answers are not calls.
  `count(*) FILTER (WHERE NOT ${isShared})::int AS calls`,
  'coalesce(sum(coalesce(e.settled_units, e.units)), 0)::float8 AS units',
  `coalesce(sum(${uncertainUnits}), 0)::float8 AS uncertain`,
  `coalesce(sum(${savedUnits}), 0)::float8 AS saved`,
];

function expressionOf(key: SpendKey, zone: string): string {
  if (key === 'DAY') return `to_char(e.at AT TIME ZONE ${zone}, 'YYYY-MM-DD')`;
  if (key === 'MONTH') return `to_char(e.at AT TIME ZONE ${zone}, 'YYYY-MM')`;
  return key === 'BATCH' ? 'e.batch_id' : `e.${fieldOf[key]}`;
}
