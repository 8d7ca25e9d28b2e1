import type { AuditActor, AuditedAction } from '../../money/ledger/audit/audit-record';
import { type Problem, problem } from '../../registry/answer/problem';
import { type Caller, type CallerIdentity, ownerOf } from '../../registry/caller';
import type { SealedLinks } from '../../store/sealed-box';
import type { BatchEstimate } from './batch';

/** Lifetime of a link. People may need time to prepare an upload, while a download starts at once. */
const lifetimeMs = {
  rows: 3_600_000,
  'results.jsonl': 600_000,
  'results.csv': 600_000,
  'results.xlsx': 600_000,
} as const;

export type LinkResource = keyof typeof lifetimeMs;

const contextOf = (batch: string, resource: LinkResource): string => `batch ${batch} ${resource}`;

export interface BatchLinks {
  readonly upload: string;
  readonly jsonl: string;
  readonly csv: string;
  readonly xlsx: string;
}

/** Caller that asked for a link. The audit trail names it for each download. */
export interface LinkHolder extends Omit<AuditActor, 'requestId'>, Pick<AuditedAction, 'scope'> {}

export function createBatchLinks(links: SealedLinks, batch: string, origin: string, holder: LinkHolder): BatchLinks {
  const link = (resource: LinkResource): string =>
    `${origin}/batches/${batch}/${resource}?link=${links.create(contextOf(batch, resource), lifetimeMs[resource], holder)}`;
  return { upload: link('rows'), jsonl: link('results.jsonl'), csv: link('results.csv'), xlsx: link('results.xlsx') };
}

/** Returns the holder of a link, or null if the link does not open the batch. */
export function openLink(links: SealedLinks, batch: string, resource: LinkResource, link: unknown): LinkHolder | null {
  return links.open(contextOf(batch, resource), link) as LinkHolder | null;
}

/** Scope that gives a JWT access to the batches of all clients of its account. */
export const allBatchesScope = 'padron_batches_all';

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
