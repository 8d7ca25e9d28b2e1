import { type Problem, problem } from '../registry/answer/problem';
import type { Caller } from '../registry/caller';
import type { BatchEstimate } from './batch';

/** Scope with which a JWT reaches the batches of all clients of its account. */
export const allBatchesScope = 'padron_batches_all';

/** Owner of batches that belong to their account as a whole: they were created without a JWT. */
export const accountOwner = '';
/** Owner of batches that were created with a JWT which names no client. */
export const namelessOwner = 'no client';

type Asker = { readonly caller: Pick<Caller, 'permissions'>; readonly client: string | null };

/** Returns the owner of what this caller creates. The client of a caller without a JWT is only what it says of itself. */
export function ownerOf({ caller: { permissions }, client }: Asker): string {
  if (permissions === null) return accountOwner;
  return client === null ? namelessOwner : `client ${client}`;
}

/** Returns the one owner whose batches this caller may reach, or null if it may reach all batches of its account. */
export function visibleOwner(asker: Asker): string | null {
  const { permissions } = asker.caller;
  return permissions === null || permissions.has(allBatchesScope) ? null : ownerOf(asker);
}

/** Returns a problem that names the scopes which a caller lacks for the calls of a batch, or null if it has them all. */
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
    spanish: `A quien pregunta le faltan permisos de consultas que hace este lote: ${list.join(', ')}.`,
  });
}
