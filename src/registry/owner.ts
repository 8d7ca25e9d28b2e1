import type { Caller } from './caller';

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
