import { InFlightCalls } from '../../../src/registry/answers/in-flight-calls';
import { MemoryAnswerStore, type MemoryOptions } from '../../../src/registry/answers/memory-answer-store';
import type { Replay } from '../../../src/registry/questions/live-data-source';

/** What one process remembers; nothing, unless told for how long. */
export function memoryReplay({ seconds = 0, now = () => new Date(), ...bounds }: Partial<MemoryOptions> = {}): Replay {
  return { store: new MemoryAnswerStore({ seconds, now, ...bounds }), calls: new InFlightCalls(now) };
}

/** How many questions are held, answered or under way. */
export const sizeOf = ({ store, calls }: Replay): number => store.size + calls.size;
