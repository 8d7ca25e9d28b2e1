import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyRing, KeyVersion } from '../store/key-ring';

/** What a link lets its holder do. */
export type LinkPurpose = 'rows' | 'results.jsonl' | 'results.csv';

const lifetimeSeconds = { rows: 3_600, 'results.jsonl': 600, 'results.csv': 600 } as const;

/** Paths that are their own permission, for a time: a browser opens them without a header. */
export class SignedPaths {
  constructor(
    private readonly ring: KeyRing,
    private readonly now: () => Date,
  ) {}

  create(batch: string, purpose: LinkPurpose): string {
    const expires = Math.floor(this.now().getTime() / 1_000) + lifetimeSeconds[purpose];
    const signature = sign(this.ring.newest, batch, purpose, expires);
    return `/batches/${batch}/${purpose}?expires=${expires}&signature=${signature}`;
  }

  verify(batch: string, purpose: LinkPurpose, expires: unknown, signature: unknown): boolean {
    if (typeof expires !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(expires)) return false;
    if (Number(expires) * 1_000 < this.now().getTime()) return false;
    return this.ring.versions.some((version) => isEqual(signature, sign(version, batch, purpose, Number(expires))));
  }
}

function sign({ signing }: KeyVersion, batch: string, purpose: LinkPurpose, expires: number): string {
  return createHmac('sha256', signing).update(`batch ${batch} ${purpose} ${expires}`).digest('base64url');
}

function isEqual(left: string, right: string): boolean {
  const [first, second] = [Buffer.from(left), Buffer.from(right)];
  return first.length === second.length && timingSafeEqual(first, second);
}
