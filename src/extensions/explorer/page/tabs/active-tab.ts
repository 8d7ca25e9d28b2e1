import { useGraphiQL } from '@graphiql/react';
import { type OperationDefinitionNode, parse } from 'graphql';
import { useMemo } from 'react';
import type { Headers } from '../requests/request';
import { useStore } from '../store';
import { token, withToken } from '../token';

/** Returns the operation that Run would send, or null if there is none or the document has a syntax error. */
export function findOperation(query: string, operationName: string | undefined): OperationDefinitionNode | null {
  const operations = parseOperations(query) ?? [];
  return operations.find(({ name }) => name?.value === operationName) ?? operations[0] ?? null;
}

/** Returns the operations of a document, or null if it has a syntax error. */
export function parseOperations(query: string): readonly OperationDefinitionNode[] | null {
  try {
    return parse(query, { noLocation: true }).definitions.filter(
      (definition) => definition.kind === 'OperationDefinition',
    );
  } catch {
    return null;
  }
}

export interface ActiveTab {
  readonly id: string;
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: string;
  /** With the token that the user has entered. Null if the pane is not a JSON object. */
  readonly headers: Headers | null;
}

export function useActiveTab(): ActiveTab {
  const entered = useStore(token);
  const { headers, ...panes } = useGraphiQL(({ tabs, activeTabIndex, operationName }) => {
    const tab = tabs[activeTabIndex];
    return {
      id: tab?.id ?? '',
      query: tab?.query ?? '',
      operationName,
      variables: tab?.variables ?? '',
      headers: tab?.headers ?? '',
    };
  });
  const allHeaders = useMemo(() => {
    const parsed = parseObject(headers);
    return parsed && withToken(parsed, entered);
  }, [headers, entered]);
  return { ...panes, headers: allHeaders };
}

/** Returns the JSON object in a pane, or null if the text is not a JSON object. An empty pane counts as an empty object. */
export function parseObject(pane: string): Readonly<Record<string, unknown>> | null {
  if (pane.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(pane);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}
