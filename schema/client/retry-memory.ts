import type { FirstSeen } from './failed-lookups';

/** Times when failures without `checkedAt` were first seen, by client and variables. They are kept in memory. */
const memories = new WeakMap<object, Map<string, Map<string, number>>>();

/** The failures that a client has seen with some variables. */
export interface RetryMemory {
  readonly firstSeen: FirstSeen;
  /** Forgets the failures, because their lookups are asked for again. */
  forget(): void;
}

/** Returns the memory of a client for some variables. */
export function retryMemory(client: object, variables: unknown, now: number): RetryMemory {
  const memory = memories.get(client) ?? new Map<string, Map<string, number>>();
  memories.set(client, memory);
  const key = JSON.stringify(variables ?? {});
  return {
    firstSeen: (path, lookup) => {
      const instants = memory.get(key) ?? new Map<string, number>();
      memory.set(key, instants);
      const failure = JSON.stringify([path, lookup]);
      const instant = instants.get(failure) ?? now;
      instants.set(failure, instant);
      return instant;
    },
    forget: () => void memory.delete(key),
  };
}
