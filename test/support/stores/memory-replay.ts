import { MemoryAnswerStore, type MemoryOptions } from '../../../src/registry/replay/answer-store';
import { ReplayCache } from '../../../src/registry/replay/replay-cache';

/** What one process remembers; nothing, unless told for how long. */
export function memoryReplay({
  seconds = 0,
  now = () => new Date(),
  ...bounds
}: Partial<MemoryOptions> = {}): ReplayCache {
  return new ReplayCache(new MemoryAnswerStore({ seconds, now, ...bounds }), now);
}
