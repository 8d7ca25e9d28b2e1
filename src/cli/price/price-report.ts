import { formatTable } from '../table';
import type { PriceArguments } from './price-arguments';

/** An operation with its price. */
export interface PricedOperation {
  readonly name: string;
  /** File of the operation, with its ID if the file has IDs. */
  readonly source: string;
  readonly units: number;
  readonly endpoints: readonly PricedEndpoint[];
  /** Parts that may cost any number of units more. */
  readonly unbounded: readonly string[];
  /** Reasons why the price is not known. */
  readonly unknown: readonly string[];
}

interface PricedEndpoint {
  readonly url: string;
  readonly calls: number;
  readonly unitsPerCall: number;
  readonly subtotal: number;
}

/** The prices of all operations, compared with the ceiling. */
export interface PriceReport {
  readonly operations: readonly (PricedOperation & { readonly isTooExpensive: boolean })[];
  /** Null if there is no ceiling. */
  readonly maxUnits: number | null;
  readonly passes: boolean;
}

type ReportedOperation = PriceReport['operations'][number];

export function formatPrices(report: PriceReport, format: PriceArguments['format']): string {
  if (format === 'json') return `${JSON.stringify(toJson(report), null, 2)}\n`;
  return format === 'markdown' ? formatMarkdown(report) : formatText(report);
}

function toJson({ operations, maxUnits, passes }: PriceReport): object {
  return {
    maxUnits,
    passes,
    operations: operations.map(({ name, source, units, endpoints, unbounded, unknown, isTooExpensive }) => ({
      name,
      source,
      units,
      unbounded,
      unknown,
      isTooExpensive,
      endpoints: endpoints.map(({ url, calls, unitsPerCall, subtotal }) => ({
        url,
        calls,
        unitsPerCall,
        units: subtotal,
      })),
    })),
  };
}

function formatText(report: PriceReport): string {
  const { operations } = report;
  const rows = operations.map((operation) => [
    operation.name,
    formatUnits(operation),
    countCalls(operation),
    describeResult(operation, report),
  ]);
  const reasons = operations.flatMap((operation) => {
    const found = reasonsOf(operation);
    return found.length === 0
      ? []
      : [`\n${operation.name}, in ${operation.source}:\n`, ...found.map((text) => `  ${text}\n`)];
  });
  const table = formatTable({ headings: ['operation', 'units', 'calls', 'result'], rows });
  return [table, ...reasons, `\n${summarize(report)}\n`].join('');
}

function formatMarkdown(report: PriceReport): string {
  const { operations } = report;
  const lines = operations.map((operation) => {
    const endpoints = operation.endpoints.map(({ url, calls }) => `\`${url}\` × ${calls}`).join('<br>');
    const result = [describeResult(operation, report), ...reasonsOf(operation)].filter((text) => text !== '');
    return `| ${operation.name} | ${formatUnits(operation)} | ${endpoints} | ${result.join('<br>')} |`;
  });
  return [
    '### Price of each operation',
    '',
    '| operation | units | calls | result |',
    '|---|--:|---|---|',
    ...lines.map((line) => line.replaceAll('\n', ' ')),
    '',
    summarize(report),
    '',
  ].join('\n');
}

const formatUnits = ({ units, unbounded, unknown }: PricedOperation): string =>
  unknown.length > 0 ? '?' : `${unbounded.length === 0 ? '' : '≥ '}${units}`;

const reasonsOf = ({ unbounded, unknown }: PricedOperation): readonly string[] => [
  ...unknown.map((reason) => `price unknown: ${reason}`),
  ...unbounded.map((part) => `no upper bound: ${part}`),
];

const countCalls = ({ endpoints }: PricedOperation): number => endpoints.reduce((sum, { calls }) => sum + calls, 0);

function describeResult(operation: ReportedOperation, { maxUnits }: PriceReport): string {
  const { units, unbounded, unknown, isTooExpensive } = operation;
  if (unknown.length > 0) return 'UNKNOWN';
  if (maxUnits !== null && units > maxUnits) return `ABOVE ${maxUnits}`;
  if (unbounded.length > 0) return isTooExpensive ? 'NO UPPER BOUND' : 'no upper bound';
  return maxUnits === null ? '' : 'ok';
}

function summarize({ operations, maxUnits, passes }: PriceReport): string {
  const count = operations.length === 1 ? '1 operation' : `${operations.length} operations`;
  if (maxUnits === null) return `${count}. Prices are upper bounds, except those with ≥ or ?.`;
  const ceiling = `the ceiling of ${maxUnits === 1 ? '1 unit' : `${maxUnits} units`}`;
  if (passes) return `${count}, all within ${ceiling}.`;
  const failed = operations.filter(({ isTooExpensive }) => isTooExpensive).map(({ name }) => name);
  return `Not within ${ceiling}: ${failed.join(', ')}.`;
}
