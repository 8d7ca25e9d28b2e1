import { useGraphiQL } from '@graphiql/react';
import { createStore, useStore } from '../store';
import type { GraphqlResponse } from './graphql-response';

/** What became of the operation of a tab when it was run last. */
export interface Run {
  readonly response: GraphqlResponse;
  readonly ms: number;
}

/** The last run of each tab, by the tab's id. In memory only, like the answers themselves. */
export const runs = createStore<ReadonlyMap<string, Run>>(new Map());
/** The id of the tab that is open, for what runs outside of GraphiQL. */
export const openTab = createStore('');

export function recordRun(tab: string, run: Run): void {
  runs.set(new Map([...runs.get(), [tab, run]]));
}

/** The last run of the tab that is open; its answer is what the page shows. */
export function useLastRun(): Run | null {
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.id ?? '');
  return useStore(runs).get(tab) ?? null;
}
