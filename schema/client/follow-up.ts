/**
 * Result of `retryFailed`.
 * - `complete`: no lookup is running, and what could be retried was retried once.
 * - `pending`: after 60 seconds something is still running, or the query was not answered. Ask the user whether to try again.
 * - `expired`: nothing was sent, because the server would charge again for the answers of the query. Set `payAgain` to send it.
 * - `aborted`: `signal` has ended it.
 */
export type RetryResult = 'complete' | 'pending' | 'expired' | 'aborted';

/** Options of `retryFailed`. */
export interface RetryOptions {
  /** Ends it, for example when the component unmounts. */
  readonly signal?: AbortSignal;
  /** `REPLAY_SECONDS` of the server: 30 by default. Answers that are older are paid again. */
  readonly replaySeconds?: number;
  /**
   * The `x-max-age` that the query was sent with, such as `30d`, which is sent with it again. An answer that is not older is free, even if
   * it is older than `replaySeconds`.
   */
  readonly maxAge?: string;
  /** Whether to send the query even if all its answers are paid again. */
  readonly payAgain?: boolean;
}

/** A query in the cache and on the network of a client. */
export interface FollowedQuery {
  /** Returns the data of the query in the cache. Returns null if it is not complete. */
  read(): unknown;
  /** Passes this data to the listener, now and whenever it changes. Returns a function that ends this. */
  watch(listener: (data: unknown) => void): () => void;
  /** Sends the query, and writes its answer to the cache. `rejected` is a response with errors, `lost` means that none arrived. */
  send(): Promise<'answered' | 'rejected' | 'lost'>;
}

/** Fields of a lookup that decide whether to ask again. */
interface Lookup {
  readonly outcome: string;
  readonly problems: readonly {
    readonly code: string;
    readonly retryable?: boolean;
    readonly retryAfter?: number | null;
  }[];
  readonly evidence?: { readonly checkedAt?: string | null };
}

/** Maximum time until the first response, and time after an early response in which the server charges for no answer again. */
const windowMs = 60_000;
/** Time that a request may take to arrive. */
const marginMs = 1_000;
/** Pause before a request without an answer is sent again. Each further pause is twice as long. */
const firstPauseMs = 1_000;

/**
 * Waits for the first response of a query, and sends the query again, as it is, while one of its lookups is still running. If the cache had
 * the query before, a lookup that had failed for a reason that passes is retried once. A failure of this response has only just happened,
 * so it is left to the next call.
 */
export function followUp(query: FollowedQuery, options: RetryOptions): Promise<RetryResult> {
  const { signal } = options;
  const aborted = new Promise<RetryResult>((resolve) => {
    if (signal?.aborted) resolve('aborted');
    signal?.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
  return Promise.race([aborted, run(query, options)]);
}

async function run(
  query: FollowedQuery,
  { signal, replaySeconds = 30, maxAge, payAgain = false }: RetryOptions,
): Promise<RetryResult> {
  const freeSeconds = maxAge === undefined ? replaySeconds : secondsOf(maxAge);
  /** Whether the response in the cache arrived after the call. */
  let isFresh = query.read() === null;
  if (isFresh && !(await hasArrived(query, signal))) return 'pending';
  const freeMs = isFresh || payAgain ? windowMs : replayedMs(findLookups(query.read()), freeSeconds);
  let sendUntil = performance.now() + freeMs;
  /** Pause after a request without an answer. */
  let lostMs = 0;
  while (!signal?.aborted) {
    const lookups = findLookups(query.read());
    const runningMs = msUntilAnswer(lookups);
    if (runningMs === null && (isFresh || !lookups.some(isDue))) return 'complete';
    const leftMs = sendUntil - performance.now() - marginMs;
    if (leftMs <= 0) return isFresh || lostMs > 0 ? 'pending' : 'expired';
    await pause(Math.min(leftMs, Math.max(runningMs ?? 0, lostMs)), signal);
    if (signal?.aborted) break;
    const response = await query.send();
    // Lookups may have been retried and charged. While lookups are running, no answer is charged twice.
    const isPaidAgain = response === 'rejected' || (response === 'lost' && freeSeconds === 0);
    if (isPaidAgain && runningMs === null) return 'pending';
    lostMs = response === 'answered' ? 0 : 2 * lostMs || firstPauseMs;
    if (response === 'answered' && !isFresh) {
      isFresh = true;
      sendUntil = performance.now() + windowMs;
    }
  }
  return 'aborted';
}

/** Waits for the first response. Returns whether it has arrived. */
function hasArrived(query: FollowedQuery, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isThere: boolean): void => {
      clearTimeout(timer);
      // Clients may call the listener while they still subscribe it.
      queueMicrotask(() => stop());
      resolve(isThere);
    };
    const timer = setTimeout(end, windowMs, false);
    // In Node it does not keep the process running.
    Object(timer).unref?.();
    signal?.addEventListener('abort', () => end(false), { once: true });
    const stop = query.watch((data) => {
      if (data !== null && data !== undefined) end(true);
    });
    if (signal?.aborted) end(false);
  });
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
  });
}

/** Returns all lookups in the data of a query. */
function findLookups(data: unknown): readonly Lookup[] {
  if (typeof data !== 'object' || data === null) return [];
  const inner = Object.values(data).flatMap(findLookups);
  const { outcome, problems } = Object(data);
  return typeof outcome === 'string' && Array.isArray(problems) ? [data as Lookup, ...inner] : inner;
}

/** Returns the time until the first answer that is still running is expected. Returns null if none is running. */
function msUntilAnswer(lookups: readonly Lookup[]): number | null {
  const running = lookups.flatMap(({ problems }) => problems.filter(({ code }) => code === 'STILL_RUNNING'));
  return running.length === 0 ? null : 1_000 * Math.min(...running.map(({ retryAfter }) => retryAfter ?? 1));
}

/** Returns the seconds of an age such as `30d`. */
function secondsOf(age: string): number {
  const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
  return Number.parseInt(age, 10) * (seconds[age.slice(-1)] ?? 0) || 0;
}

/** Whether a lookup failed for a reason that passes, and the wait that the server named is over. */
function isDue({ outcome, problems, evidence }: Lookup): boolean {
  // An identifier is missing because the lookup that would have found it failed. The problem of that lookup decides.
  const causes = problems.filter(({ code }) => code !== 'MISSING_IDENTIFIER');
  if (outcome === 'FOUND' || causes.length === 0 || !causes.every(({ retryable }) => retryable === true)) return false;
  const seconds = Math.max(...causes.map(({ retryAfter }) => retryAfter ?? 0));
  // Without `checkedAt` no call was sent, so a retry costs nothing before its time either.
  return seconds === 0 || !(Date.parse(evidence?.checkedAt ?? '') + 1_000 * seconds > Date.now());
}

/**
 * Returns the time for which the server replays all paid answers of a response in the cache: for a minute if the response was early,
 * and for `freeSeconds`, but then no answer about somebody else.
 */
function replayedMs(lookups: readonly Lookup[], freeSeconds: number): number {
  const earlyMs = msUntilAnswer(lookups) === null ? 0 : windowMs;
  const paid = lookups.filter(({ outcome }) => outcome === 'FOUND' || outcome === 'NOT_FOUND');
  const times = paid.map(({ problems, evidence }) => {
    const isMismatch = problems.some(({ code }) => code === 'ANSWER_MISMATCH');
    const freeMs = isMismatch ? earlyMs : Math.max(earlyMs, 1_000 * freeSeconds);
    // The clocks of the server and of this machine may differ.
    const ageMs = Math.abs(Date.now() - Date.parse(evidence?.checkedAt ?? ''));
    return Number.isNaN(ageMs) ? 0 : freeMs - ageMs;
  });
  return Math.min(windowMs, ...times);
}
