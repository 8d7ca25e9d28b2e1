import type { FirstSeen } from './failed-lookups';

/** When failures without a time of their own were seen first: in memory, and for as long as the client lives. */
const memories = new WeakMap<object, Map<string, Map<string, number>>>();

/** A view on what a client has seen fail with some variables. */
export interface RetryMemory {
  readonly firstSeen: FirstSeen;
  /** What is asked again counts anew. */
  forget(): void;
}

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
