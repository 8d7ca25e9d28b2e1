import { useGraphiQL } from '@graphiql/react';
import { createStore, useStore } from '../store';
import type { GraphqlResponse } from './request';

export interface Run {
  readonly response: GraphqlResponse;
  readonly ms: number;
}

/** The last run of each tab, by the tab's id. Runs are kept in memory only. */
export const runs = createStore<ReadonlyMap<string, Run>>(new Map());
export const openTab = createStore('');

export function recordRun(tab: string, run: Run): void {
  runs.set(new Map([...runs.get(), [tab, run]]));
}

export function useLastRun(): Run | null {
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.id ?? '');
  return useStore(runs).get(tab) ?? null;
}
