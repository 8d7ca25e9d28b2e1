import { readFileSync } from 'node:fs';
import { readConfig } from '../../config/config';
import { checkDocument } from '../../documents/check-document';
import { DocumentFileError } from '../../documents/published-document';
import { readDocuments } from '../../documents/read-documents';
import { OperationLimiter } from '../../graph/operations/operation-limits';
import { OfflinePricing } from '../../graph/pricing/offline/offline-pricing';
import { buildGraph } from '../../graph/schema/build-schema';
import type { PriceArguments } from './price-arguments';
import { formatPrices, type PricedOperation } from './price-report';

type Variables = Readonly<Record<string, unknown>>;

export interface PriceResult {
  readonly report: string;
  /** Whether no operation is above the ceiling. */
  readonly passes: boolean;
}

/** Determines the price of each operation, and compares it with the ceiling. */
export async function reportPrices(args: PriceArguments): Promise<PriceResult> {
  const { paths, maxUnits, allowUnbounded, format } = args;
  const priced = await priceOperations(paths, readVariables(args.variables));
  const operations = priced
    .map((operation) => ({ ...operation, isTooExpensive: exceeds(operation, maxUnits, allowUnbounded) }))
    .sort((left, right) => right.units - left.units || left.name.localeCompare(right.name));
  const passes = operations.every(({ isTooExpensive }) => !isTooExpensive);
  return { report: formatPrices({ operations, maxUnits, passes }, format), passes };
}

function exceeds(operation: PricedOperation, maxUnits: number | null, allowUnbounded: boolean): boolean {
  if (maxUnits === null) return false;
  const { units, unbounded, unknown } = operation;
  return units > maxUnits || unknown.length > 0 || (unbounded.length > 0 && !allowUnbounded);
}

async function priceOperations(
  paths: readonly string[],
  variables: ReadonlyMap<string, Variables>,
): Promise<readonly PricedOperation[]> {
  // The limits of a server without settings.
  const { limits } = readConfig({});
  const graph = buildGraph();
  const limiter = new OperationLimiter(graph, limits);
  const pricing = new OfflinePricing(graph, limiter, limits);
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

/** Reads the variables by operation. */
function readVariables(file: string | null): ReadonlyMap<string, Variables> {
  if (file === null) return new Map();
  const content = parseJson(file);
  if (!isObject(content) || !Object.values(content).every(isObject))
    throw new DocumentFileError(`${file}: it must be a JSON object of operation names and their variables.`);
  return new Map(Object.entries(content) as [string, Variables][]);
}

const isObject = (value: unknown): value is Variables =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new DocumentFileError(
      error instanceof SyntaxError ? `${file}: it is not JSON.` : `Cannot read ${file}. Check the path.`,
    );
  }
}
