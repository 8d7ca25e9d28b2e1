import { readFile } from 'node:fs/promises';
import { FileError, UsageError } from './command-arguments';
import { GraphClient } from './graph-client';
import type { ReconcileArguments } from './ledger-arguments';
import { LedgerClient } from './ledger-client';
import { type Comparison, compare } from './reconciliation';
import { formatTable } from './table';

export interface ReconcileResult {
  readonly report: string;
  readonly agrees: boolean;
}

/** Compares the statement with the ledger. Settles the unknown calls of the endpoints that agree if the arguments say so. */
export async function reconcile({
  statement,
  interval,
  settle,
  url,
  token,
}: ReconcileArguments): Promise<ReconcileResult> {
  const units = await readStatement(statement);
  const ledger = new LedgerClient(new GraphClient(url, token));
  const sums = await ledger.spend(interval, ['endpoint']);
  const comparisons = compare(units, sums, await ledger.unknownCalls(interval));
  const settlements = comparisons.flatMap((comparison) => comparison.settlements);
  if (settle) await ledger.settle(settlements);
  const charged = settlements.filter(({ billing }) => billing === 'CHARGED').length;
  const notCharged = settlements.length - charged;
  const agrees = comparisons.every(({ difference }) => difference === 0);
  const report = [
    tableOf(comparisons),
    '\n',
    describeSettlements(charged, notCharged, settle),
    agrees ? 'The statement agrees with the ledger.\n' : 'The statement DIFFERS from the ledger.\n',
  ];
  return { report: report.join(''), agrees };
}

const statementLine = /^([^,]+),[\s"]*(\d[\d,]*)[\s"]*$/;

/** Reads the units of each endpoint. Lines of the same endpoint are added. */
async function readStatement(file: string): Promise<ReadonlyMap<string, number>> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new FileError(`Cannot read ${file}. Check the path.`);
  });
  const statement = new Map<string, number>();
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === '') continue;
    const [, name = '', units = ''] = statementLine.exec(line) ?? [];
    if (name === '')
      throw new UsageError(`${file}, line ${index + 1}: \`${line}\` is not an endpoint, a comma and its units.`);
    const endpoint = name.trim();
    statement.set(endpoint, (statement.get(endpoint) ?? 0) + Number(units.replaceAll(',', '')));
  }
  return statement;
}

function tableOf(comparisons: readonly Comparison[]): string {
  const total = (figure: 'statement' | 'charged' | 'unknown'): number =>
    comparisons.reduce((sum, comparison) => sum + comparison[figure], 0);
  return formatTable({
    headings: ['endpoint', 'statement', 'ledger', 'unknown', 'result'],
    rows: [
      ...comparisons.map(({ endpoint, statement, charged, unknown, difference }) => [
        endpoint,
        statement,
        charged,
        unknown,
        describeDifference(difference),
      ]),
      ['total', total('statement'), total('charged'), total('unknown'), ''],
    ],
  });
}

function describeDifference(difference: number): string {
  if (difference === 0) return 'agrees';
  const units = `${Math.abs(difference).toLocaleString('en-US')} ${Math.abs(difference) === 1 ? 'unit' : 'units'}`;
  return difference > 0
    ? `DIFFERS: ${units} charged, not in the ledger`
    : `DIFFERS: ${units} in the ledger, not charged`;
}

function describeSettlements(charged: number, notCharged: number, isSettled: boolean): string {
  const calls = charged + notCharged;
  if (calls === 0) return isSettled ? 'No unknown call was settled.\n' : '';
  const noun = calls === 1 ? 'unknown call' : 'unknown calls';
  const parts = `${charged} charged, ${notCharged} not charged`;
  if (isSettled) return `Settled ${calls} ${noun}: ${parts}.\n`;
  return `${calls} ${noun} can be settled: ${parts}. Add --settle to settle.\n`;
}
