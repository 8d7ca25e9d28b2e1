import { type OperationDefinitionNode, parse } from 'graphql';
import { type ActiveTab, objectIn } from '../active-tab';
import type { Estimate } from '../answer';
import { makeCell } from '../cell';
import { send } from '../request';

/** What is known of an operation's price before it runs. */
export type Price =
  | { readonly kind: 'known'; readonly estimate: Estimate; readonly budget: number | null }
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'asking' };

export const price = makeCell<Price>({ kind: 'asking' });

/** Asks the graph what the tab's operation would cost. Nothing is run, and nothing is asked before it can be told. */
export async function askPrice(tab: ActiveTab, signal: AbortSignal): Promise<Price> {
  const operation = operationOf(tab);
  if (typeof operation === 'string') return unknown(operation);
  const headers = objectIn(tab.headers);
  const variables = objectIn(tab.variables);
  if (headers === null) return unknown('The headers are not JSON yet.');
  if (variables === null) return unknown('The variables are not JSON yet.');
  const missing = missingVariables(operation, variables);
  if (missing.length > 0) return unknown(`It needs ${missing.map((name) => `$${name}`).join(', ')}.`);
  const asked = { query: tab.query, operationName: operation.name?.value, variables: withoutSecrets(variables) };
  const { errors, extensions } = await send(asked, { ...headers, 'x-dry-run': 'true' }, { signal });
  if (extensions?.estimate === undefined) return unknown(errors?.[0]?.message ?? 'The graph did not tell it.');
  return { kind: 'known', estimate: extensions.estimate, budget: budgetIn(headers) };
}

function unknown(why: string): Price {
  return { kind: 'unknown', why };
}

function operationOf({ query, operationName }: ActiveTab): OperationDefinitionNode | string {
  if (query.trim() === '') return 'Nothing is asked yet.';
  try {
    const operations = parse(query, { noLocation: true }).definitions.filter(
      (definition): definition is OperationDefinitionNode => definition.kind === 'OperationDefinition',
    );
    const chosen = operations.find(({ name }) => name?.value === operationName) ?? operations[0];
    return chosen ?? 'There is no operation yet.';
  } catch {
    return 'The operation does not parse yet.';
  }
}

function missingVariables(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): readonly string[] {
  return variableDefinitions
    .filter(({ type, defaultValue }) => type.kind === 'NonNullType' && defaultValue === undefined)
    .map(({ variable }) => variable.name.value)
    .filter((name) => variables[name] === undefined || variables[name] === null);
}

/** The price of a check does not depend on the password: it is not sent while it is being typed. */
function withoutSecrets(variables: Readonly<Record<string, unknown>>): unknown {
  return JSON.parse(JSON.stringify(variables, (name, value) => (name === 'password' ? '-' : value)));
}

function budgetIn(headers: Readonly<Record<string, unknown>>): number | null {
  const entry = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-max-units');
  return entry === undefined || !/^\d+$/.test(String(entry[1])) ? null : Number(entry[1]);
}

/** The price in words. */
export function priceInWords(told: Price): string {
  if (told.kind === 'asking') return 'Asking the price…';
  if (told.kind === 'unknown') return `The price cannot be told: ${told.why}`;
  const words = estimateInWords(told.estimate);
  return isTooDear(told) ? `${words}: above the budget of ${told.budget}` : words;
}

function estimateInWords({ estimatedUnits, bounded }: Estimate): string {
  if (!bounded) return `About ${unitsInWords(estimatedUnits)}, unbounded`;
  return estimatedUnits === 0 ? 'Free' : `${unitsInWords(estimatedUnits)} at most`;
}

export function isTooDear(told: Price): boolean {
  return told.kind === 'known' && told.budget !== null && told.estimate.estimatedUnits > told.budget;
}

export function unitsInWords(units: number): string {
  return units === 1 ? '1 unit' : `${units.toLocaleString('en')} units`;
}
