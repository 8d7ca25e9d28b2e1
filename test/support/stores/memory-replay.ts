import { EarlyAnswers } from '../../../src/calls/answers/early-answers';
import { InFlightCalls } from '../../../src/calls/answers/in-flight-calls';
import { MemoryAnswerStore, type MemoryOptions } from '../../../src/calls/answers/memory-answer-store';
import type { Replay } from '../../../src/calls/live-data-source';

/** The answers that one process keeps. It keeps none without a duration. */
export function memoryReplay({ seconds = 0, now = () => new Date(), ...bounds }: Partial<MemoryOptions> = {}): Replay {
  const store = new MemoryAnswerStore({ seconds, now, ...bounds });
  return { store, calls: new InFlightCalls(now), early: new EarlyAnswers(store, now) };
}

/** Number of questions in the store, answered or in progress. */
export const sizeOf = ({ store, calls }: Replay): number => store.size + calls.size;
