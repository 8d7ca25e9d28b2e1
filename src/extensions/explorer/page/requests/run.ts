import { useGraphiQL } from '@graphiql/react';
import { useEffect, useState } from 'react';
import { createStore, useStore } from '../store';
import type { GraphqlResponse } from './request';

export interface Run {
  readonly response: GraphqlResponse;
  readonly ms: number;
}

/** The last run of each tab, by the tab's id. Runs are kept in memory only. */
export const runs = createStore<ReadonlyMap<string, Run>>(new Map());
export const openTab = createStore('');

/** When the answers of this page's runs arrived at the latest, in seconds of `performance.now()`. */
const arrivals = createStore<ReadonlySet<number>>(new Set());

export function recordRun(tab: string, run: Run): void {
  const ends = run.response.extensions?.units?.calls.map(({ at, ms }) => at + ms) ?? [];
  const seconds = ends.map((end) => Math.ceil((performance.now() - Math.max(...ends) + end) / 1_000));
  arrivals.set(new Set([...arrivals.get(), ...seconds]));
  runs.set(new Map([...runs.get(), [tab, run]]));
}

export function useLastRun(): Run | null {
  const tab = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.id ?? '');
  return useStore(runs).get(tab) ?? null;
}

/** Seconds for which the caller of an early response gets its answers again, whatever `REPLAY_SECONDS` is. */
const earlySeconds = 60;

/** Returns a number that changes each time an answer of this page's runs can no longer be replayed. */
export function useReplayEnds(replaySeconds: number): number {
  const arrived = useStore(arrivals);
  const [ended, setEnded] = useState(0);
  useEffect(() => {
    const now = performance.now() / 1_000;
    const ends = [...arrived].flatMap((second) => [second + replaySeconds, second + earlySeconds]);
    const next = Math.min(...ends.filter((end) => end > Math.max(now, ended)));
    if (next === Number.POSITIVE_INFINITY) return;
    const timer = setTimeout(() => setEnded(next), 1_000 * (next - now));
    return () => clearTimeout(timer);
  }, [arrived, replaySeconds, ended]);
  return ended;
}
