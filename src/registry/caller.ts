import { createHmac, randomBytes } from 'node:crypto';

export interface Caller {
  readonly bearer: string | null;
  /** Keyed hash of the bearer. It names the account in memory and in logs without revealing the token. */
  readonly account: string;
  /** Account with the client or the subject of its JWT, which may be a person. Tenants share the memory fairly. */
  readonly tenant: string;
  readonly sandbox: boolean;
  /** True if this server holds the token: then only the operator can fix its rejection. */
  readonly usesServerToken: boolean;
  /** Scopes of the caller's JWT. Null if only the service checks permissions. */
  readonly permissions: ReadonlySet<string> | null;
}

const processKey = randomBytes(32);

export function accountId(bearer: string | null): string {
  return createHmac('sha256', processKey)
    .update(bearer ?? '')
    .digest('base64url')
    .slice(0, 22);
}

/** Returns the tenant of a caller. The client counts only if a JWT names it, because any other caller may choose its name. */
export function tenantOf(account: string, jwtHolder: string | null): string {
  return jwtHolder === null ? account : `${account} ${jwtHolder}`;
}

/** Owner of what belongs to an account as a whole: it was stored without a JWT. */
export const accountOwner = '';
/** Owner of what was stored with a JWT that names no client. */
export const namelessOwner = 'no client';
const clientPrefix = 'client ';

export type CallerIdentity = { readonly caller: Pick<Caller, 'permissions'>; readonly client: string | null };

/** Returns the owner of what this caller stores. Without a JWT anyone can claim to be a client, so the account is the owner. */
export function ownerOf({ caller: { permissions }, client }: CallerIdentity): string {
  if (permissions === null) return accountOwner;
  return client === null ? namelessOwner : `${clientPrefix}${client}`;
}

export function clientOf(owner: string): string | null {
  return owner.startsWith(clientPrefix) ? owner.slice(clientPrefix.length) : null;
}
