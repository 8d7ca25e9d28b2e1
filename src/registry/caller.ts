import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** On whose account a request asks. */
export interface Caller {
  readonly bearer: string | null;
  /** Keyed hash of the bearer: names the account in memory and in logs, and tells nothing of the token. */
  readonly account: string;
  readonly sandbox: boolean;
  /** The token is held by this server: its rejection is the operator's to mend, not the caller's. */
  readonly usesServerToken: boolean;
  /** What the caller may ask by this server's own judgement; null where only the service judges. */
  readonly permissions: ReadonlySet<string> | null;
}

const processKey = randomBytes(32);

/**
 * The names of those who asked in the last minute: hashing costs as much as the rest of finding out who asks. Few and short, since
 * strangers' tokens cost nothing to make up; a longer one is hashed each time.
 */
const names = new LRUCache<string, string>({ max: 1_000, ttl: 60_000, ttlAutopurge: true, ttlResolution: 1_000 });
const maxCachedLength = 1_000;

/** An account's name within this process. */
export function accountId(bearer: string | null): string {
  const token = bearer ?? '';
  const cached = names.get(token);
  if (cached !== undefined) return cached;
  const name = createHmac('sha256', processKey).update(token).digest('base64url').slice(0, 22);
  if (token.length <= maxCachedLength) names.set(token, name);
  return name;
}
