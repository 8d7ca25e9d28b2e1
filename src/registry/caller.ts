import { createHmac, randomBytes } from 'node:crypto';

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

/** Returns an account's name within this process. */
export function accountId(bearer: string | null): string {
  return createHmac('sha256', processKey)
    .update(bearer ?? '')
    .digest('base64url')
    .slice(0, 22);
}
