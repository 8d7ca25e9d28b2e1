import { readFileSync } from 'node:fs';
import { readConfig } from '../../config/config';
import type { Environment } from '../../config/settings';
import { extensions } from '../../extensions';
import { OperationLimiter } from '../../graph/core/operations/operation-limits';
import { checkDocument, DocumentFileError, readDocuments } from '../../graph/core/operations/read-documents';
import { buildGraph, type Graph } from '../../graph/schema/build-schema';
import { OfflinePricing, type WorstCase } from '../../graph/schema/offline-pricing';
import { isObject } from '../../identifiers/json-value';
import { loadPriceList, type PriceList, PriceListError } from '../../registry/endpoint/price-list';
import { extensionsFor } from '../../server/extension';
import { exitCodes, type Report } from '../../terminal/command';
import { formatTable } from '../../terminal/table';
import type { PriceArguments } from './price-arguments';

type Variables = Readonly<Record<string, unknown>>;

export async function reportPrices(
  args: Omit<PriceArguments, 'prices'> & { readonly prices: string | null },
  environment: Environment,
): Promise<Report> {
  const { paths, maxUnits, allowUnbounded, format } = args;
  const priced = await priceOperations(paths, readVariables(args.variables), args.prices, environment);
  const operations = priced
    .map((operation) => ({ ...operation, isTooExpensive: exceeds(operation, maxUnits, allowUnbounded) }))
    .sort((left, right) => right.units - left.units || left.name.localeCompare(right.name));
  const passes = operations.every(({ isTooExpensive }) => !isTooExpensive);
  const text = formatPrices({ operations, maxUnits, passes }, format);
  return { text, isData: format === 'json', code: passes ? exitCodes.done : exitCodes.tooExpensive };
}

function exceeds(operation: PricedOperation, maxUnits: number | null, allowUnbounded: boolean): boolean {
  if (maxUnits === null) return false;
  const { units, unbounded, unknown } = operation;
  return units > maxUnits || unknown.length > 0 || (unbounded.length > 0 && !allowUnbounded);
}

async function priceOperations(
  paths: readonly string[],
  variables: ReadonlyMap<string, Variables>,
  priceList: string | null,
  environment: Environment,
): Promise<readonly PricedOperation[]> {
  // The default limits of a server.
  const { limits } = readConfig({}, []);
  const graph = await buildGraphFor(environment);
  const limiter = new OperationLimiter(graph, limits);
  const pricing = new OfflinePricing(graph, limiter, limits, readPrices(priceList, graph));
  const unused = new Set(variables.keys());
  const priced: PricedOperation[] = [];
  for (const published of readDocuments(paths, limits.tokens)) {
    const rules = { schema: graph.schema, limiter, maxTokens: limits.tokens };
    const { document, operation } = checkDocument(published, rules);
    const name = operation.name?.value ?? 'anonymous';
    unused.delete(name);
    const worstCase = await pricing.price(document, operation, variables.get(name) ?? {});
    priced.push({ ...worstCase, name, source: published.source });
  }
  if (unused.size > 0)
    throw new DocumentFileError(`--variables: there is no operation ${[...unused].join(', ')}. Check the name.`);
  return priced;
}

/** Builds the graph with the endpoints of `EXTENSIONS`. */
async function buildGraphFor(environment: Environment): Promise<Graph> {
  const all = await extensionsFor(environment, extensions);
  const { EXTENSIONS, NSS_FINDER } = environment;
  readConfig({ EXTENSIONS, NSS_FINDER }, all);
  return buildGraph(all.flatMap(({ graph }) => graph ?? []));
}

/** Returns the price list of a file. Throws a `DocumentFileError` with each of its mistakes. */
export function readPrices(file: string | null, { catalogue }: Pick<Graph, 'catalogue'>): PriceList {
  try {
    return loadPriceList(file, catalogue);
  } catch (error) {
    if (!(error instanceof PriceListError)) throw error;
    throw new DocumentFileError(error.mistakes.map((mistake) => `${file}: ${mistake}`).join('\n'));
  }
}

/** Prints the terms of a list, or of this version of padron, as a list to begin with. */
export async function printPrices(environment: Environment): Promise<string> {
  const graph = await buildGraphFor(environment);
  return readPrices(environment.PRICE_LIST || null, graph).print(graph.catalogue.map(({ endpoint }) => endpoint));
}

function readVariables(file: string | null): ReadonlyMap<string, Variables> {
  if (file === null) return new Map();
  const content = parseJson(file);
  if (!isObject(content) || !Object.values(content).every(isObject))
    throw new DocumentFileError(`${file}: it must be a JSON object of operation names and their variables.`);
  return new Map(Object.entries(content) as [string, Variables][]);
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new DocumentFileError(
      error instanceof SyntaxError ? `${file}: it is not JSON.` : `Cannot read ${file}. Check the path.`,
    );
  }
}

interface PricedOperation extends WorstCase {
  readonly name: string;
  /** File of the operation, with its ID if the file has IDs. */
  readonly source: string;
}

interface PriceReport {
  readonly operations: readonly (PricedOperation & { readonly isTooExpensive: boolean })[];
  /** Ceiling of each operation, from `--max-units`. Null without a ceiling. */
  readonly maxUnits: number | null;
  readonly passes: boolean;
}

type ReportedOperation = PriceReport['operations'][number];

function formatPrices(report: PriceReport, format: PriceArguments['format']): string {
  if (format === 'json') return `${JSON.stringify(toJson(report), null, 2)}\n`;
  return format === 'markdown' ? formatMarkdown(report) : formatText(report);
}

function toJson({ operations, ...report }: PriceReport): object {
  return {
    ...report,
    operations: operations.map(({ name, source, units, endpoints, unbounded, unknown, isTooExpensive }) => ({
      ...{ name, source, units, unbounded, unknown, isTooExpensive },
      endpoints: endpoints.map(({ url, calls, unitsPerCall, subtotal: units }) => ({
        url,
        calls,
        unitsPerCall,
        units,
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
