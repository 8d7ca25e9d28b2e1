import { Tooltip, UnStyledButton } from '@graphiql/react';
import type { OperationDefinitionNode } from 'graphql';
import { useEffect } from 'react';
import type { Estimate } from '../../../../../schema/client/price-of';
import type { ExplorerSettings } from '../../../../../schema/explorer-settings';
import { unitWord } from '../language/money-texts';
import { texts } from '../language/texts';
import { openPanel } from '../layout/panels';
import type { GraphqlError } from '../requests/request';
import { describeError, send } from '../requests/request';
import { openTab, useLastRun, useReplayEnds } from '../requests/run';
import { maxAge, withRunHeaders } from '../requests/run-headers';
import { useVisibleTime } from '../requests/visible-time';
import { createStore, useStore } from '../store';
import { type ActiveTab, findOperation, parseObject, parseOperations, useActiveTab } from '../tabs/active-tab';

type Price =
  | { readonly kind: 'known'; readonly estimate: Estimate; readonly budget: number | null }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'loading' };

export const priceStore = createStore<Price>({ kind: 'loading' });

/** Fetches the estimated price of the tab's operation. Sends no request while the operation or its variables are incomplete. */
async function fetchPrice(tab: ActiveTab, signal: AbortSignal): Promise<Price> {
  if (tab.query.trim() === '') return unknownPrice(texts.price.emptyDocument);
  if (parseOperations(tab.query) === null) return unknownPrice(texts.price.unparsed);
  const operation = findOperation(tab.query, tab.operationName);
  if (operation === null) return unknownPrice(texts.price.noOperation);
  const { headers } = tab;
  const variables = parseObject(tab.variables);
  if (headers === null) return unknownPrice(texts.price.headersUnread);
  if (variables === null) return unknownPrice(texts.price.variablesUnread);
  const missing = findMissingVariables(operation, variables);
  if (missing.length > 0) return unknownPrice(texts.price.needs(missing));
  const request = { query: tab.query, operationName: operation.name?.value, variables: redactSecrets(variables) };
  const { errors, extensions } = await send(request, { ...withRunHeaders(headers), 'x-dry-run': 'now' }, { signal });
  if (extensions?.estimate === undefined) return unknownPrice(explain(errors?.[0]));
  return { kind: 'known', estimate: extensions.estimate, budget: parseBudget(headers) };
}

const explain = (error: GraphqlError | undefined): string =>
  error === undefined ? texts.price.missing : describeError(error);

function unknownPrice(reason: string): Price {
  return { kind: 'unknown', reason };
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

/** Replaces passwords, because the price does not depend on them and the user may still be typing. */
function redactSecrets(variables: Readonly<Record<string, unknown>>): unknown {
  return JSON.parse(JSON.stringify(variables, (name, value) => (name === 'password' ? '-' : value)));
}

function parseBudget(headers: Readonly<Record<string, unknown>>): number | null {
  const entry = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-max-units');
  return entry === undefined || !/^\d+$/.test(String(entry[1])) ? null : Number(entry[1]);
}

export function formatPrice(price: Price): string {
  if (price.kind === 'loading') return texts.price.loading;
  if (price.kind === 'unknown') return texts.price.unknown(price.reason);
  const barred = findBarredPrice(price);
  const words = barred === null ? formatEstimate(price.estimate) : texts.price.notPermitted(texts.units(barred));
  return isOverBudget(price) ? texts.price.aboveBudget(words, price.budget ?? 0) : words;
}

/** The price of an operation that the caller may not run, for callers who may. Null if the caller may run some of it. */
export const findBarredPrice = (price: Price): number | null =>
  price.kind === 'known' && price.estimate.estimatedUnits === 0 ? price.estimate.unitsWithPermission : null;

function formatEstimate({ estimatedUnits, atMost }: Estimate): string {
  if (atMost === null) return texts.price.unbounded(texts.units(estimatedUnits));
  return atMost === 0 ? texts.price.free : texts.price.atMost(texts.units(atMost));
}

function isOverBudget(price: Price): boolean {
  return price.kind === 'known' && price.budget !== null && price.estimate.estimatedUnits > price.budget;
}

const debounceMs = 350;
/** Interval after which replays of other clients are noticed. */
const refreshMs = 15_000;

/**
 * The price of a run at this moment, below the Run button. It is fetched again after each pause in typing, after each run, and when an answer can
 * no longer be replayed. A click opens the Money panel.
 */
export function PriceTag({ replaySeconds }: Pick<ExplorerSettings, 'replaySeconds'>) {
  const { id, query, operationName, variables, headers } = useActiveTab();
  const price = useStore(priceStore);
  const age = useStore(maxAge);
  const lastRun = useLastRun();
  const replayEnd = useReplayEnds(replaySeconds);
  const now = useVisibleTime(refreshMs);
  useEffect(() => {
    openTab.set(id);
    priceStore.set({ kind: 'loading' });
  }, [id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a run has paid for is free for a time, also one of another client.
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      fetchPrice({ id, query, operationName, variables, headers }, controller.signal).then(
        (newPrice) => controller.signal.aborted || priceStore.set(newPrice),
        () => undefined,
      );
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [id, query, operationName, variables, headers, age, lastRun, replayEnd, now]);
  const words = formatPrice(price);
  const figure = formatFigure(price);
  const ownUnit = unitWord(price.kind === 'known' ? price.estimate.estimatedUnits : 0);
  const unit = findBarredPrice(price) === null ? ownUnit : texts.price.withPermission;
  return (
    <Tooltip label={words}>
      <UnStyledButton
        type="button"
        className={`padron-price${isOverBudget(price) ? ' padron-warning' : ''}`}
        aria-label={`${figure} ${unit}. ${texts.price.label(words)}`}
        onClick={() => openPanel(texts.panels.money)}
      >
        <strong>{figure}</strong> <span>{unit}</span>
      </UnStyledButton>
    </Tooltip>
  );
}

function formatFigure(price: Price): string {
  if (price.kind === 'loading') return '…';
  if (price.kind === 'unknown') return '?';
  const { estimatedUnits, atMost } = price.estimate;
  if (atMost === null) return `~${estimatedUnits}`;
  return atMost === 0 ? String(findBarredPrice(price) ?? 0) : `≤${atMost}`;
}
