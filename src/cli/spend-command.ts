import { GraphClient } from './graph-client';
import type { SpendArguments } from './ledger-arguments';
import { LedgerClient, type LedgerSum } from './ledger-client';
import { formatCsv, formatTable } from './table';

const csvHeadings = ['calls', 'units', 'uncertain_units', 'saved_units'];
const tableHeadings = ['calls', 'units charged', 'units unknown', 'units saved'];

/** Returns the sums of the ledger as a table or as CSV. */
export async function reportSpend({ by, interval, csv, url, token }: SpendArguments): Promise<string> {
  const sums = await new LedgerClient(new GraphClient(url, token)).spend(interval, by);
  const rowsWith = (none: string) => sums.map((sum) => [...by.map((column) => sum[column] ?? none), ...figures(sum)]);
  if (csv) return formatCsv({ headings: [...by, ...csvHeadings], rows: rowsWith('') });
  const total = ['total', ...by.slice(1).map(() => ''), ...totals(sums)];
  return formatTable({ headings: [...by, ...tableHeadings], rows: [...rowsWith('(none)'), total] });
}

const figures = ({ calls, units, uncertainUnits, savedUnits }: LedgerSum): number[] => [
  calls,
  units,
  uncertainUnits,
  savedUnits,
];

const totals = (sums: readonly LedgerSum[]): number[] =>
  sums.map(figures).reduce(
    (total, row) => total.map((figure, column) => figure + (row[column] ?? 0)),
    csvHeadings.map(() => 0),
  );
