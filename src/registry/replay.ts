import { LRUCache } from 'lru-cache';
import type { Answer } from './answer';
import type { AnyEndpoint } from './endpoint';
import { Gone } from './gone';
import { speaksOfAnother } from './verdict';

export interface ReplayOptions {
  /** How long an answer serves again; 0 shares only calls under way. */
  readonly seconds: number;
  readonly now: () => Date;
  /** What is remembered at most; beyond it, the answer that was used longest ago goes first. */
  readonly mostEntries?: number;
  readonly mostBytes?: number;
}

/** What an answer takes beside its own bytes, roughly. */
const overhead = 1_000;

/** A question under way, and who still waits for it. */
interface Flight {
  readonly endpoint: AnyEndpoint;
  /** Null once it has landed. */
  answer: Promise<Answer<unknown>> | null;
  readonly gone: Gone;
  waiting: number;
}

interface Remembered {
  readonly answer: Answer<unknown>;
  readonly endpoint: AnyEndpoint;
}

/**
 * What this process has just been answered, by account and question. Gateways split one operation into several requests and
 * repeat what they think has failed: each would be paid again. In memory only, bounded, and gone when its window is over.
 */
export class Replay {
  private readonly flights = new Map<string, Flight>();
  private readonly answers: LRUCache<string, Remembered> | null;

  constructor(private readonly options: ReplayOptions) {
    const { seconds, mostEntries = 20_000, mostBytes = 64_000_000 } = options;
    this.answers =
      seconds === 0
        ? null
        : new LRUCache<string, Remembered>({
            max: mostEntries,
            maxSize: mostBytes,
            sizeCalculation: ({ answer }) => answer.bytes + overhead,
            ttl: seconds * 1_000,
            // Nothing personal outlives its window, asked for again or not.
            ttlAutopurge: true,
          });
  }

  /** How many questions are held, answered or under way. */
  get size(): number {
    return this.flights.size + (this.answers?.size ?? 0);
  }

  /** An answer that is there, or on its way; undefined when the question must be put, null when that turns out later. */
  find(key: string, gone: Gone | null): Promise<Answer<unknown> | null> | Answer<unknown> | undefined {
    const flight = this.flights.get(key);
    if (flight !== undefined) return this.join(flight, gone);
    const remembered = this.answers?.get(key);
    return remembered !== undefined && this.isGood(remembered) ? remembered.answer : undefined;
  }

  /** Puts a question that others may share. It goes on while anyone waits; what was sent is remembered even if nobody does. */
  put(
    key: string,
    endpoint: AnyEndpoint,
    gone: Gone | null,
    ask: (gone: Gone) => Promise<Answer<unknown>>,
  ): Promise<Answer<unknown>> {
    const allGone = new Gone();
    // Known before the question is put: the rest of a chain is not bought for a caller who has gone meanwhile.
    if (gone?.happened) allGone.tell();
    const comes = ask(allGone);
    const flight: Flight = { endpoint, answer: comes, gone: allGone, waiting: 0 };
    this.flights.set(key, flight);
    const leave = board(flight, gone);
    const land = (): void => {
      this.flights.delete(key);
      // A Map leaves dead tables behind in which the flight stands for long: let it hold on to nothing.
      flight.answer = null;
      gone?.forget(leave);
    };
    return comes.then(
      (answer) => {
        land();
        if (mayServeAgain(answer)) this.answers?.set(key, { answer, endpoint });
        return answer;
      },
      (error: unknown) => {
        land();
        throw error;
      },
    );
  }

  clear(): void {
    this.answers?.clear();
  }

  private async join(flight: Flight, gone: Gone | null): Promise<Answer<unknown> | null> {
    const leave = board(flight, gone);
    try {
      const answer = await flight.answer;
      // Dropped in the moment before this one came: nobody was waiting then.
      if (answer === null || (wasDropped(answer) && !gone?.happened)) return null;
      return this.isGood({ answer, endpoint: flight.endpoint }) ? answer : null;
    } finally {
      gone?.forget(leave);
    }
  }

  /** Some answers are good for less than the window. */
  private isGood({ answer, endpoint }: Remembered): boolean {
    const { checkedAt } = answer.evidence;
    return checkedAt === null || endpoint.staysGood?.(checkedAt, this.options.now()) !== false;
  }
}

/** Joins those who wait for a call, which is dropped when the last of them has left; gives what to forget when it is over. */
function board(flight: Flight, gone: Gone | null): () => void {
  flight.waiting += 1;
  const leave = (): void => {
    flight.waiting -= 1;
    if (flight.waiting === 0) flight.gone.tell();
  };
  if (gone?.happened) leave();
  else gone?.whenGone(leave);
  return leave;
}

/** Answers only, never failures; and none that speaks of somebody else. */
function mayServeAgain(answer: Answer<unknown>): boolean {
  return (answer.outcome === 'FOUND' || answer.outcome === 'NOT_FOUND') && !speaksOfAnother(answer);
}

function wasDropped({ problems }: Answer<unknown>): boolean {
  return problems.some(({ code }) => code === 'CALLER_GONE');
}

/** An answer as those see it who did not pay for it. */
export function replayed<Payload>(answer: Answer<Payload>): Answer<Payload> {
  const { evidence } = answer;
  if (evidence.servedFrom !== 'LIVE') return answer;
  return { ...answer, evidence: { ...evidence, servedFrom: 'REPLAY', units: 0, billing: 'NOT_CHARGED' } };
}
