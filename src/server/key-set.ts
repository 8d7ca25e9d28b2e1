import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { request } from 'undici';
import { z } from 'zod';

/** What a token says of the key that signed it. */
export interface KeyName {
  readonly kid?: unknown;
  readonly alg?: unknown;
}

interface Times {
  /** How long the keys serve before they are fetched again. */
  readonly freshMs: number;
  /** How long they serve while they cannot be fetched. */
  readonly keptMs: number;
  readonly patienceMs: number;
}

const ordinary: Times = { freshMs: 60_000, keptMs: 600_000, patienceMs: 5_000 };

/** A set is fetched for names that are not in it, but callers may invent those. */
const mostFetches = 10;
const withinMs = 60_000;
const mostBytes = 1_000_000;

const Keys = z.object({
  keys: z.array(
    z.looseObject({
      kty: z.string(),
      kid: z.string().optional(),
      alg: z.string().optional(),
      use: z.string().optional(),
    }),
  ),
});
type Key = z.output<typeof Keys>['keys'][number];

/**
 * The public keys of an identity provider. Fetched whole, so that a key which was taken out is gone with the next fetch.
 * Our own, since get-jwks waits without end, fetches for every invented name and revives keys that were taken out.
 */
export class KeySet {
  private keys: readonly Key[] = [];
  private fetchedAt: number | null = null;
  private fetching: Promise<void> | null = null;
  private fetches: readonly number[] = [];
  private readonly times: Times;

  constructor(
    private readonly url: string,
    private readonly failed: () => void,
    times: Partial<Times> = {},
  ) {
    this.times = { ...ordinary, ...times };
  }

  /** The key of that name; rejects where there is none. */
  async pemOf(name: KeyName): Promise<string> {
    if (this.age() > this.times.freshMs || this.find(name) === undefined) await this.refresh();
    const key = this.find(name);
    if (key === undefined) throw new Error('no such key');
    return createPublicKey({ key: key as JsonWebKey, format: 'jwk' })
      .export({ type: 'spki', format: 'pem' })
      .toString();
  }

  private find({ kid, alg }: KeyName): Key | undefined {
    return this.keys.find(
      (key) => key.kid === kid && (key.alg ?? alg) === alg && (key.use ?? 'sig') === 'sig' && key.kty !== 'oct',
    );
  }

  private age(): number {
    return this.fetchedAt === null ? Number.POSITIVE_INFINITY : performance.now() - this.fetchedAt;
  }

  private async refresh(): Promise<void> {
    this.fetching ??= this.fetchUnlessTooOften().finally(() => {
      this.fetching = null;
    });
    await this.fetching;
  }

  private async fetchUnlessTooOften(): Promise<void> {
    const now = performance.now();
    const recent = this.fetches.filter((at) => now - at < withinMs);
    if (recent.length >= mostFetches) return;
    this.fetches = [...recent, now];
    try {
      this.keys = await fetchKeys(this.url, this.times.patienceMs);
      this.fetchedAt = performance.now();
    } catch {
      if (this.age() > this.times.keptMs) this.keys = [];
      this.failed();
    }
  }
}

/** No redirect is followed: what is trusted is the address in the settings. */
async function fetchKeys(url: string, patienceMs: number): Promise<readonly Key[]> {
  const { statusCode, body } = await request(url, { signal: AbortSignal.timeout(patienceMs) });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error('too large');
    chunks.push(chunk);
  }
  if (statusCode !== 200) throw new Error('refused');
  return Keys.parse(JSON.parse(Buffer.concat(chunks).toString('utf8'))).keys;
}
