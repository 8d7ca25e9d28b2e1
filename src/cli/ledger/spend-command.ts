import { amountOf } from '../../identifiers/decimals';
import { exitCodes, type Report } from '../../terminal/command';
import { GraphClient } from '../../terminal/graph-client';
import { type Amount, formatCsv, formatTable, type TableCell } from '../../terminal/table';
import type { SpendArguments } from './ledger-arguments';
import { LedgerClient, type LedgerSum } from './ledger-client';
import { ledgerTextsIn } from './ledger-texts';

export async function reportSpend({ by, interval, csv, url, token, language }: SpendArguments): Promise<Report> {
  const texts = ledgerTextsIn(language);
  const ledger = new LedgerClient(new GraphClient(url, token, language), texts);
  const { sums, unitPrice } = await ledger.spend(interval, by);
  const columns = by.map((column) => texts.columns[column]);
  const hasPrice = unitPrice !== null;
  const withAmounts = (figures: readonly number[]): readonly TableCell[] => [
    ...figures,
    ...amountsOf(figures, unitPrice),
  ];
  // Refusals only have a day and a client.
  const hasRefused = by.every((column) => column === 'day' || column === 'month' || column === 'client');
  const refusedIn = (counted: readonly LedgerSum[]): readonly number[] =>
    hasRefused ? [counted.reduce((sum, { refusedCalls }) => sum + (refusedCalls ?? 0), 0)] : [];
  const withRefused = (headings: readonly string[], last: string) => [...headings, ...(hasRefused ? [last] : [])];
  const rowsWith = (none: string) =>
    sums.map((sum) => [
      ...by.map((column) => sum[column] ?? none),
      ...withAmounts(figuresOf(sum)),
      ...refusedIn([sum]),
    ]);
  if (csv) {
    const headings = [...columns, ...texts.csvHeadings, ...(hasPrice ? texts.csvAmounts : [])];
    return {
      text: formatCsv({ headings: withRefused(headings, texts.csvRefused), rows: rowsWith('') }),
      isData: true,
      code: exitCodes.done,
    };
  }
  const total = [texts.total, ...by.slice(1).map(() => ''), ...withAmounts(totalsOf(sums)), ...refusedIn(sums)];
  const headings = [...columns, ...texts.tableHeadings, ...(hasPrice ? texts.tableAmounts : [])];
  const text = formatTable({
    headings: withRefused(headings, texts.tableRefused),
    rows: [...rowsWith(texts.none), total],
  });
  return { text, isData: false, code: exitCodes.done };
}

const figuresOf = ({ calls, units, uncertainUnits, savedUnits }: LedgerSum): readonly number[] => [
  calls,
  units,
  uncertainUnits,
  savedUnits,
];

/** Returns the amount of each figure but the first, which is the number of calls. Returns none if a unit has no price. */
function amountsOf([, ...units]: readonly number[], unitPrice: string | null): readonly Amount[] {
  return unitPrice === null ? [] : units.map((figure) => ({ amount: amountOf(figure, unitPrice) }));
}

const totalsOf = (sums: readonly LedgerSum[]): readonly number[] =>
  sums.map(figuresOf).reduce((total, row) => total.map((figure, column) => figure + (row[column] ?? 0)), [0, 0, 0, 0]);
