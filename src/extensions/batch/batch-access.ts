import type { AuditActor, AuditedAction } from '../../money/audit/audit-record';
import { type Problem, problem } from '../../registry/answer/problem';
import type { Caller } from '../../registry/caller';
import type { SealedLinks } from '../../store/sealed-links';
import type { BatchEstimate } from './batch';

/** Lifetime of a link. People may need time to prepare an upload, while a download starts at once. */
const lifetimeMs = {
  rows: 3_600_000,
  'results.jsonl': 600_000,
  'results.csv': 600_000,
  'results.xlsx': 600_000,
} as const;

export type LinkPurpose = keyof typeof lifetimeMs;

const placeOf = (batch: string, purpose: LinkPurpose): string => `batch ${batch} ${purpose}`;

export interface BatchLinks {
  readonly upload: string;
  readonly jsonl: string;
  readonly csv: string;
  readonly xlsx: string;
}

/** Caller that asked for a link. The audit trail names it for each download. */
export interface LinkHolder extends Omit<AuditActor, 'requestId'>, Pick<AuditedAction, 'scope'> {}

export function createBatchLinks(links: SealedLinks, batch: string, origin: string, holder: LinkHolder): BatchLinks {
  const link = (purpose: LinkPurpose): string =>
    `${origin}/batches/${batch}/${purpose}?link=${links.create(placeOf(batch, purpose), lifetimeMs[purpose], holder)}`;
  return { upload: link('rows'), jsonl: link('results.jsonl'), csv: link('results.csv'), xlsx: link('results.xlsx') };
}

/** Returns the holder of a link, or null if the link does not open the batch. */
export function openLink(links: SealedLinks, batch: string, purpose: LinkPurpose, link: unknown): LinkHolder | null {
  return links.open(placeOf(batch, purpose), link) as LinkHolder | null;
}

/** With this scope a JWT gives access to the batches of all clients of its account. */
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

export function clientOf(owner: string): string | null {
  return owner.startsWith(clientPrefix) ? owner.slice(clientPrefix.length) : null;
}

/** Returns the owner whose batches this caller may access, or null if it may access all batches of its account. */
export function visibleOwner(identity: CallerIdentity): string | null {
  const { permissions } = identity.caller;
  return permissions === null || permissions.has(allBatchesScope) ? null : ownerOf(identity);
}

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
