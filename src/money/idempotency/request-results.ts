import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { times } from '../../times';
import type { KeyedRequest, RequestName, SharedNames } from '../answers/shared-names';

const dayMs = 86_400_000;
/** Maximum bytes of results without a store. */
const maxBytes = 64_000_000;

/** Maximum bytes of a result. If a result is larger, padron only stores that its request has run. */
const maxResultBytes = 64_000;

export interface RunningRequest extends Pick<KeyedRequest, 'isErasure' | 'owner'> {
  readonly id: string;
  readonly account: string;
  readonly names: readonly RequestName[];
}

/** LOST: the request has run, or may have, but its result is not available. REUSED: the key was sent with another input. */
export type Verdict =
  | { readonly kind: 'RUN' | 'WAIT' | 'LOST' | 'REUSED' }
  | { readonly kind: 'KEPT'; readonly result: string };

/** The results of requests with an idempotency key, which are kept for a day. */
export interface ResultStore {
  open(request: RunningRequest): Promise<Verdict>;
  /**
   * Keeps the result of a request, with the IDs of the batches that it shows. Null forgets the request, because it had no effect.
   * Returns whether the result is kept. Otherwise other requests with the key do not run: the verdict is LOST.
   */
  close(request: RunningRequest, result: string | null, batches: readonly string[]): Promise<boolean>;
}

/** The request of this process that asks the store for the others with its key, by name. It resolves when it has its verdict. */
const polling = new Map<string, Promise<void>>();

/** Returns the request if it is to run, or what became of the first one. Waits while the first one runs, until `signal` aborts. */
export async function openRequest(
  store: ResultStore,
  names: SharedNames,
  keyed: KeyedRequest,
  signal: AbortSignal,
): Promise<RunningRequest | Verdict> {
  const { caller, isErasure, owner } = keyed;
  const account = names.accountOf(caller);
  const request = { id: randomUUID(), account, names: names.ofRequest(keyed), isErasure, owner };
  const name = request.names[0]?.name ?? request.id;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  try {
    for (;;) {
      const verdict = await store.open(request);
      if (verdict.kind === 'RUN') return request;
      if (verdict.kind !== 'WAIT' || signal.aborted) return verdict;
      const poller = polling.get(name) ?? ended;
      polling.set(name, poller);
      if (poller === ended) await sleep(times.requestPoll, undefined, { signal }).catch(() => undefined);
      else await Promise.race([poller, untilAborted(signal)]);
    }
  } finally {
    if (polling.get(name) === ended) polling.delete(name);
    end();
  }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

export const isTooLarge = (result: string): boolean => Buffer.byteLength(result) > maxResultBytes;

export class MemoryResults implements ResultStore {
  private readonly verdicts = new LRUCache<string, readonly [digest: string, verdict: Verdict]>({
    maxSize: maxBytes,
    ttl: dayMs,
    sizeCalculation: ([, verdict]) => 500 + ('result' in verdict ? 2 * verdict.result.length : 0),
  });

  async open({ names }: RunningRequest): Promise<Verdict> {
    for (const { name, digest } of names) {
      const [existing, verdict] = this.verdicts.get(name) ?? [];
      if (verdict !== undefined) return existing === digest ? verdict : { kind: 'REUSED' };
      this.verdicts.set(name, [digest, { kind: 'WAIT' }]);
    }
    return { kind: 'RUN' };
  }

  async close({ names }: RunningRequest, result: string | null): Promise<boolean> {
    // The other half is for requests whose result is lost, so that they do not run again either.
    const isKept = result !== null && !isTooLarge(result) && this.verdicts.calculatedSize < maxBytes / 2;
    for (const { name, digest } of names) {
      const ttl = this.verdicts.getRemainingTTL(name);
      if (result === null) this.verdicts.delete(name);
      else this.verdicts.set(name, [digest, isKept ? { kind: 'KEPT', result } : { kind: 'LOST' }], { ttl });
    }
    return isKept;
  }
}
