import { type Problem, problem } from '../registry/answer/problem';
import type { Caller } from '../registry/caller';
import type { BatchEstimate } from './batch';

/** Scope with which a JWT gives access to the batches of all clients of its account. */
export const allBatchesScope = 'padron_batches_all';

/** Owner of batches that belong to their account as a whole: they were created without a JWT. */
export const accountOwner = '';
/** Owner of batches that were created with a JWT which names no client. */
export const namelessOwner = 'no client';
const clientPrefix = 'client ';

type CallerIdentity = { readonly caller: Pick<Caller, 'permissions'>; readonly client: string | null };

/** Returns the owner of the batches that this caller creates. Without a JWT anyone can claim to be a client, so the account is the owner. */
export function ownerOf({ caller: { permissions }, client }: CallerIdentity): string {
  if (permissions === null) return accountOwner;
  return client === null ? namelessOwner : `${clientPrefix}${client}`;
}

/** Returns the client that owns a batch, or null if the batch belongs to its account or to no client. */
export function clientOf(owner: string): string | null {
  return owner.startsWith(clientPrefix) ? owner.slice(clientPrefix.length) : null;
}

/** Returns the owner whose batches this caller may access, or null if it may access all batches of its account. */
export function visibleOwner(identity: CallerIdentity): string | null {
  const { permissions } = identity.caller;
  return permissions === null || permissions.has(allBatchesScope) ? null : ownerOf(identity);
}

/** Returns a problem that names the scopes that the caller lacks for the calls of a batch, or null if it has all of them. */
export function findMissingScopes(
  { permissions }: Pick<Caller, 'permissions'>,
  estimate: BatchEstimate | null,
  scopeOf: (route: string | null) => string | null,
): Problem | null {
  if (permissions === null || estimate === null) return null;
  const scopes = new Set(estimate.endpoints.map(({ route }) => scopeOf(route)));
  const missing = [...scopes].filter((scope): scope is string => scope !== null && !permissions.has(scope));
  if (missing.length === 0) return null;
  const list = missing.sort().map((scope) => `\`${scope}\``);
  return problem('MISSING_PERMISSION', {
    message: `The caller lacks scopes of endpoints that this batch calls: ${list.join(', ')}.`,
    spanish: `El token no tiene los permisos de estas consultas del lote: ${list.join(', ')}.`,
  });
}
