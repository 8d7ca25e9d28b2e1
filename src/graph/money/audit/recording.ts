import { GraphQLError } from 'graphql';
import type {
  AuditAction,
  AuditDetails,
  AuditedAction,
  AuditReceipt,
  AuditResult,
} from '../../../money/ledger/audit/audit-record';
import type { Subject, SubjectKind } from '../../../registry/endpoint/endpoint';
import { clientError } from '../../core/client-error';
import type { Context } from '../../core/context';
import { type LedgerScope, requireLedger } from '../ledger/access';

export interface NamedAction {
  readonly action: AuditAction;
  readonly scope: LedgerScope | 'padron_batch' | 'padron_batches_all' | null;
  readonly details?: AuditDetails;
}

/** Makes a change and records it in the audit trail. If the record cannot be written, the change is not made. */
export async function recordChange<Result>(
  context: Context,
  action: NamedAction,
  make: (receipt: AuditReceipt) => Promise<Result>,
  describe: (result: Result) => AuditDetails,
): Promise<Result> {
  await requireKnownAccount(context);
  return recordKnownChange(context, action, make, describe);
}

/** Makes and records a change for an account that has been verified before. It does not call the service. */
export function recordKnownChange<Result>(
  context: Context,
  action: NamedAction,
  make: (receipt: AuditReceipt) => Promise<Result>,
  describe: (result: Result) => AuditDetails,
): Promise<Result> {
  return requireLedger(context).trail.around(toAction(context, action), make, (settled) =>
    settled.status === 'fulfilled' ? resultOf(describe(settled.value)) : failureOf(settled.reason),
  );
}

/**
 * Records a search by identifiers or by a reference. If this rejects, the caller must not return the result. A JWT without the scope of a
 * search finds its own entries. It writes one record of each kind in a request, because it could fill the disk free of charge.
 */
export async function recordSearch(
  context: Context,
  scope: NamedAction['scope'],
  identifiers: NonNullable<AuditDetails['identifiers']>,
  entries: number,
): Promise<void> {
  // An account that has entries has been verified before.
  if (entries === 0) await requireKnownAccount(context);
  const action = toAction(context, { action: 'SEARCH_PROOFS', scope, details: { identifiers, entries } });
  return requireLedger(context).trail.add(action, scope === null ? identifiers.join() : undefined);
}

/** Records once in a request that results of a batch are read. If this rejects, the caller must not return them. */
export async function recordReading(context: Context, scope: NamedAction['scope'], batch: string): Promise<void> {
  await context.ledger?.trail.add(toAction(context, { action: 'READ_RESULTS', scope, details: { batch } }), batch);
}

/** Throws unless the service has accepted the caller's token. Otherwise invented tokens could fill the disk with records, or read events. */
export async function requireKnownAccount(context: Context): Promise<void> {
  if ((await requireLedger(context).verifyAccount()) === null) return;
  throw clientError(
    'LEDGER_UNAVAILABLE',
    'Nothing was read or changed. This needs a token that the service accepts, and the service cannot be reached now. Try again later.',
  );
}

export const kindsOf = (subjects: readonly Subject[]): readonly SubjectKind[] => [
  ...new Set(subjects.map(({ kind }) => kind)),
];

function toAction({ caller }: Context, { action, scope, details = {} }: NamedAction): AuditedAction {
  return { action, scope: caller.permissions === null ? null : scope, details };
}

function resultOf(details: AuditDetails): AuditResult {
  return { outcome: details.problem === undefined ? 'DONE' : 'REFUSED', details };
}

/** A GraphQLError means that the action was refused. After any other error it is unknown whether the change was made. */
function failureOf(error: unknown): AuditResult {
  if (!(error instanceof GraphQLError)) return { outcome: 'UNFINISHED', details: {} };
  return { outcome: 'REFUSED', details: { problem: String(error.extensions.code) } };
}
