import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { amountOf } from '../../identifiers/decimals';
import { exitCodes, FileError, type Report } from '../../terminal/command';
import { GraphClient } from '../../terminal/graph-client';
import { formatTable, type TableCell } from '../../terminal/table';
import { toVisible } from '../../terminal/terminal-text';
import type { ReconcileArguments } from './ledger-arguments';
import { type CallSettlement, LedgerClient, type LedgerSum, type UnknownCall } from './ledger-client';
import { type LedgerTexts, ledgerTextsIn } from './ledger-texts';
import { findPriceLine } from './price-line';

/** Compares the statement with the ledger. Settles unknown calls of the endpoints that agree, as the arguments say. */
export async function reconcile(args: ReconcileArguments): Promise<Report> {
  const { statement, interval, settle, url, token, language } = args;
  const texts = ledgerTextsIn(language);
  const { units, ignored } = await readStatement(statement, texts);
  const ledger = new LedgerClient(new GraphClient(url, token, language), texts);
  const { sums, unitPrice } = await ledger.spend(interval, ['endpoint', 'outcome']);
  const { calls, limitedToClient } = await ledger.unknownCalls(interval);
  const comparisons = compare(units, sums, calls);
  const describe = (part: readonly string[]): string =>
    `${[tableOf(comparisons, unitPrice, limitedToClient, texts), ...ignored.map(texts.ignoredTotal), ...part].join('\n')}\n`;
  // A statement of the whole account proves nothing about one client.
  if (limitedToClient !== null)
    return { text: describe([texts.limited(limitedToClient)]), isData: false, code: exitCodes.invalidArguments };
  // The sum of a statement does not say which of the calls were charged.
  const describeUnproven = ({ endpoint, settlements, clients }: Comparison): string =>
    texts.unknownWhich(endpoint, countCharged(settlements), settlements.length, clients.map(toVisible).join(', '));
  const unproven = comparisons.filter(({ isProven, settlements }) => settlements.length > 0 && !isProven);
  const settlements = comparisons
    .filter(({ isProven }) => isProven || settle === 'any')
    .flatMap(({ isProven, settlements }) =>
      settlements.map((settlement) => ({ ...settlement, note: isProven ? null : texts.assignedNote })),
    );
  const agrees = comparisons.every(({ difference }) => difference === 0);
  const lines = agrees ? [] : await findLines(comparisons, sums, ledger);
  if (settle !== 'none') await ledger.settle(settlements);
  const text = describe([
    ...(settle === 'any' ? [] : unproven.map(describeUnproven)),
    ...describeSettlements(settlements, settle !== 'none', texts),
    ...lines.map(texts.priceLine),
    agrees ? texts.statementAgrees : texts.statementDiffers,
  ]);
  return { text, isData: false, code: agrees ? exitCodes.done : exitCodes.differs };
}

/** Returns the lines of the price list that would each explain the difference of an endpoint. */
async function findLines(comparisons: readonly Comparison[], sums: readonly LedgerSum[], ledger: LedgerClient) {
  const differing = comparisons.filter(({ difference }) => difference !== 0);
  // The lines are a hint, without which the comparison is complete.
  const terms = await ledger.terms().catch(() => []);
  return differing.flatMap(({ endpoint, statement }) => {
    const own = terms.find((each) => each.endpoint === endpoint);
    const ofEndpoint = sums.filter((sum) => sum.endpoint === endpoint);
    return (own && findPriceLine(own, ofEndpoint, statement)) ?? [];
  });
}

const endpointName = /^[A-Z]+ \/\S+$/;
const totalName = /^(?:gran |grand )?total\b/i;
/** Words of a heading or a total whose figures are pesos. */
const moneyNames = ['importe', 'monto', 'peso', 'mxn', '$', 'amount'];
const mentionsMoney = (row: string): boolean => moneyNames.some((name) => row.toLowerCase().includes(name));
/** Units as a spreadsheet writes them: 1204, 1,204 or 1204.00. */
const unitsText = /^(\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.0+)?$/;
/** A decimal separator before three digits, or a thousands separator: 5.000 is 5 or 5000, and 0,005 is 0.005 or 5. */
const ambiguousUnits = /^(?:\d{1,3}(?:\.\d{3})+|0\d{0,2}(?:,\d{3})+)$/;

interface StatementRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
  readonly raw: string;
}

interface Statement {
  readonly units: ReadonlyMap<string, number>;
  /** Numbers of the lines that only repeat the sum. */
  readonly ignored: readonly number[];
}

/** Reads the units of each endpoint. Lines of the same endpoint are added. The first line may be a heading. */
async function readStatement(file: string, texts: LedgerTexts): Promise<Statement> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new FileError(texts.cannotRead(file));
  });
  const statement = new Map<string, number>();
  const totals: { readonly line: number; readonly quoted: string; readonly units: number }[] = [];
  for (const [index, { record, info, raw }] of parseRows(file, text, texts).entries()) {
    const [endpoint = '', ...cells] = record;
    // A thousands separator outside quotes splits a number into cells.
    const figure = cells.filter((cell) => cell !== '').join(',');
    const [, text] = unitsText.exec(figure) ?? [];
    const isAmbiguous = ambiguousUnits.test(figure);
    const quoted = texts.line(file, info.lines, toVisible(raw.trim()));
    if (!endpointName.test(endpoint) && mentionsMoney(raw)) throw new FileError(texts.money(quoted));
    if (index === 0 && text === undefined && !isAmbiguous && !endpointName.test(endpoint)) continue;
    if (isAmbiguous) throw new FileError(texts.ambiguous(quoted, Number(figure.replace(/[.,]/g, ''))));
    const units = Number(text?.replaceAll(',', ''));
    const isTotal = totalName.test(endpoint);
    if (text === undefined || !(isTotal || endpointName.test(endpoint)))
      throw new FileError(texts.notAnEndpoint(quoted));
    if (isTotal) totals.push({ line: info.lines, quoted, units });
    else statement.set(endpoint, (statement.get(endpoint) ?? 0) + units);
  }
  const sum = [...statement.values()].reduce((total, units) => total + units, 0);
  const wrong = totals.find(({ units }) => units !== sum);
  if (wrong !== undefined) throw new FileError(texts.wrongTotal(wrong.quoted, sum));
  return { units: statement, ignored: totals.map(({ line }) => line) };
}

function parseRows(file: string, text: string, texts: LedgerTexts): readonly StatementRow[] {
  try {
    const options = {
      bom: true,
      delimiter: [',', ';', '\t'],
      info: true,
      raw: true,
      relax_column_count: true,
      trim: true,
    };
    const rows = parse(text, { ...options, skip_records_with_empty_values: true });
    return rows as unknown as readonly StatementRow[];
  } catch (error) {
    throw new FileError(texts.notCsv(file, error instanceof Error ? error.message : ''));
  }
}

function tableOf(
  comparisons: readonly Comparison[],
  unitPrice: string | null,
  limitedToClient: string | null,
  texts: LedgerTexts,
): string {
  const totals = (['statement', 'charged', 'unknown'] as const).map((figure) =>
    comparisons.reduce((sum, comparison) => sum + comparison[figure], 0),
  );
  return formatTable({
    headings: texts.statementHeadings,
    rows: [
      ...comparisons.map(({ endpoint, statement, charged, unknown, difference }) => [
        endpoint,
        statement,
        charged,
        unknown,
        limitedToClient === null ? describeDifference(difference, unitPrice, texts) : texts.only(limitedToClient),
      ]),
      [texts.total, ...totals, ''],
      ...amountRow(totals, unitPrice, texts),
    ],
  });
}

/** Returns the row with the totals in pesos. Returns no row if a unit has no price. */
function amountRow(
  totals: readonly number[],
  unitPrice: string | null,
  texts: LedgerTexts,
): readonly (readonly TableCell[])[] {
  if (unitPrice === null) return [];
  return [[texts.totalAmount, ...totals.map((units) => ({ amount: amountOf(units, unitPrice) })), '']];
}

function describeDifference(difference: number, unitPrice: string | null, texts: LedgerTexts): string {
  if (difference === 0) return texts.agrees;
  const count = Math.abs(difference);
  return texts.differs(count, amountOf(count, unitPrice), difference > 0);
}

/** Returns one line, or none if there is no unknown call to settle. */
function describeSettlements(settlements: readonly CallSettlement[], isSettled: boolean, texts: LedgerTexts) {
  if (settlements.length === 0) return isSettled ? [texts.nothingSettled] : [];
  const charged = countCharged(settlements);
  const describe = isSettled ? texts.settled : texts.canSettle;
  return [describe(charged, settlements.length - charged)];
}

const countCharged = (settlements: readonly Pick<CallSettlement, 'billing'>[]): number =>
  settlements.filter(({ billing }) => billing === 'CHARGED').length;

type Comparison = ReturnType<typeof compare>[number];

function compare(statement: ReadonlyMap<string, number>, sums: readonly LedgerSum[], calls: readonly UnknownCall[]) {
  const ledger = sumByEndpoint(sums);
  const endpoints = [...new Set([...statement.keys(), ...ledger.keys()])].sort();
  return endpoints.map((endpoint) => {
    const { charged = 0, unknown = 0 } = ledger.get(endpoint) ?? {};
    const units = statement.get(endpoint) ?? 0;
    const endpointCalls = calls.filter((call) => call.endpoint === endpoint);
    const clients = [...new Set(endpointCalls.flatMap(({ client }) => client ?? []))].sort();
    return {
      endpoint,
      statement: units,
      charged,
      unknown,
      clients,
      ...assignCharges(units - charged, unknown, endpointCalls),
    };
  });
}

function sumByEndpoint(sums: readonly LedgerSum[]) {
  const ledger = new Map<string, { readonly charged: number; readonly unknown: number }>();
  for (const { endpoint, units, uncertainUnits } of sums) {
    const { charged = 0, unknown = 0 } = ledger.get(endpoint ?? '') ?? {};
    ledger.set(endpoint ?? '', { charged: charged + units, unknown: unknown + uncertainUnits });
  }
  return ledger;
}

/**
 * Assigns the units that the statement has and the ledger lacks to the unknown calls, the most expensive calls first. Returns the difference
 * that remains, which is negative if the ledger has more units than the statement. The calls are settled if no difference remains. The
 * statement proves the settlements if all of the calls were charged, or none.
 */
function assignCharges(units: number, unknown: number, calls: readonly UnknownCall[]) {
  let left = units;
  const settlements = [...calls]
    .sort((first, second) => second.units - first.units)
    .map(({ id, units: price }) => {
      if (left < price) return { id, billing: 'NOT_CHARGED' as const };
      left -= price;
      return { id, billing: 'CHARGED' as const };
    });
  const difference = units > unknown ? units - unknown : left;
  return { difference, settlements: difference === 0 ? settlements : [], isProven: units === 0 || units === unknown };
}
