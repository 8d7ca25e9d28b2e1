import { type OperationDefinitionNode, parse } from 'graphql';
import type { Estimate } from '../requests/graphql-response';
import { send } from '../requests/request';
import { createStore } from '../store';
import { type ActiveTab, parseObject } from '../tabs/active-tab';

/** What an operation would cost, field by field, and why some of it is free. */
export interface OperationEstimate extends Estimate {
  /** Null where nothing bounds it. */
  readonly atMost: number | null;
  readonly endpoints: readonly (Estimate['endpoints'][number] & { readonly fields: readonly string[] })[];
  readonly problems: readonly {
    readonly code: string;
    readonly message: string;
    readonly path: readonly string[] | null;
  }[];
}

/** What is known of an operation's price before it runs. */
export type Price =
  | { readonly kind: 'known'; readonly estimate: OperationEstimate; readonly budget: number | null }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'asking' };

export const priceStore = createStore<Price>({ kind: 'asking' });

/** Asks the graph what the tab's operation would cost. Nothing is run, and nothing is sent while the operation or its variables are incomplete. */
export async function fetchPrice(tab: ActiveTab, signal: AbortSignal): Promise<Price> {
  const operation = parseOperation(tab);
  if (typeof operation === 'string') return unknownPrice(operation);
  const headers = parseObject(tab.headers);
  const variables = parseObject(tab.variables);
  if (headers === null) return unknownPrice('The headers are not JSON yet.');
  if (variables === null) return unknownPrice('The variables are not JSON yet.');
  const missing = findMissingVariables(operation, variables);
  if (missing.length > 0) return unknownPrice(`It needs ${missing.map((name) => `$${name}`).join(', ')}.`);
  const request = { query: tab.query, operationName: operation.name?.value, variables: redactSecrets(variables) };
  const { errors, extensions } = await send(request, { ...headers, 'x-dry-run': 'true' }, { signal });
  if (extensions?.estimate === undefined) return unknownPrice(errors?.[0]?.message ?? 'The graph did not tell it.');
  return { kind: 'known', estimate: extensions.estimate as OperationEstimate, budget: parseBudget(headers) };
}

function unknownPrice(reason: string): Price {
  return { kind: 'unknown', reason };
}

function parseOperation({ query, operationName }: ActiveTab): OperationDefinitionNode | string {
  if (query.trim() === '') return 'Nothing is asked yet.';
  try {
    const operations = parse(query, { noLocation: true }).definitions.filter(
      (definition): definition is OperationDefinitionNode => definition.kind === 'OperationDefinition',
    );
    const operation = operations.find(({ name }) => name?.value === operationName) ?? operations[0];
    return operation ?? 'There is no operation yet.';
  } catch {
    return 'The operation does not parse yet.';
  }
}

function findMissingVariables(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): readonly string[] {
  return variableDefinitions
    .filter(({ type, defaultValue }) => type.kind === 'NonNullType' && defaultValue === undefined)
    .map(({ variable }) => variable.name.value)
    .filter((name) => variables[name] === undefined || variables[name] === null);
}

/** The price of a check does not depend on the password: it is not sent while it is being typed. */
function redactSecrets(variables: Readonly<Record<string, unknown>>): unknown {
  return JSON.parse(JSON.stringify(variables, (name, value) => (name === 'password' ? '-' : value)));
}

function parseBudget(headers: Readonly<Record<string, unknown>>): number | null {
  const entry = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-max-units');
  return entry === undefined || !/^\d+$/.test(String(entry[1])) ? null : Number(entry[1]);
}

/** The price in words. */
export function formatPrice(price: Price): string {
  if (price.kind === 'asking') return 'Asking the price…';
  if (price.kind === 'unknown') return `The price cannot be told: ${price.reason}`;
  const words = formatEstimate(price.estimate);
  return isOverBudget(price) ? `${words}: above the budget of ${price.budget}` : words;
}

function formatEstimate({ estimatedUnits, atMost }: OperationEstimate): string {
  if (atMost === null) return `About ${formatUnits(estimatedUnits)}, unbounded`;
  return atMost === 0 ? 'Free' : `${formatUnits(atMost)} at most`;
}

export function isOverBudget(price: Price): boolean {
  return price.kind === 'known' && price.budget !== null && price.estimate.estimatedUnits > price.budget;
}

export function formatUnits(units: number): string {
  return units === 1 ? '1 unit' : `${units.toLocaleString('en')} units`;
}
