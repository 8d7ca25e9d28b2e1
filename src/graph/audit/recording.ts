import { GraphQLError } from 'graphql';
import type {
  AuditAction,
  AuditDetails,
  AuditedAction,
  AuditReceipt,
  AuditResult,
} from '../../ledger/audit/audit-record';
import type { Subject, SubjectKind } from '../../registry/endpoint/endpoint';
import type { Context } from '../context';
import { type LedgerScope, requireLedger } from '../ledger/access';

/** An action as its resolver names it. */
export interface NamedAction {
  readonly action: AuditAction;
  /** The scope that a JWT needs for it. */
  readonly scope: LedgerScope | 'padron_batch' | 'padron_batches_all';
  readonly details?: AuditDetails;
}

/** Makes a change with its record in the audit trail. If the record cannot be written, the change is not made. */
export async function recordChange<Result>(
  context: Context,
  action: NamedAction,
  make: (receipt: AuditReceipt) => Promise<Result>,
  describe: (result: Result) => AuditDetails,
): Promise<Result> {
  await requireKnownAccount(context);
  return recordKnownChange(context, action, make, describe);
}

/** Does the same for an account that is known already, also while the service cannot be asked. */
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

/** Records a search of proofs. Its caller returns no answer if this rejects. */
export async function recordSearch(context: Context, subjects: readonly Subject[], entries: number): Promise<void> {
  // An account with entries is known.
  if (entries === 0) await requireKnownAccount(context);
  const details = { identifiers: kindsOf(subjects), entries };
  const action = toAction(context, { action: 'SEARCH_PROOFS', scope: 'padron_proofs', details });
  return requireLedger(context).trail.add(action);
}

/** Throws unless the service has accepted the caller's token: an invented token could fill the disk with records. */
async function requireKnownAccount(context: Context): Promise<void> {
  if ((await requireLedger(context).verifyAccount()) === null) return;
  throw new GraphQLError(
    'Nothing was read or changed: padron records this action only for a token that the service accepts, and the service cannot be asked now. Try again later.',
    { extensions: { code: 'LEDGER_UNAVAILABLE' } },
  );
}

/** The kinds of identifiers that were given. They say nothing of the person. */
export const kindsOf = (subjects: readonly Subject[]): readonly SubjectKind[] => [
  ...new Set(subjects.map(({ kind }) => kind)),
];

function toAction({ caller }: Context, { action, scope, details = {} }: NamedAction): AuditedAction {
  return { action, scope: caller.permissions === null ? null : scope, details };
}

function resultOf(details: AuditDetails): AuditResult {
  return { outcome: details.problem === undefined ? 'DONE' : 'REFUSED', details };
}

/** An error made for the caller refuses the action. After any other error the change may have been made or not. */
function failureOf(error: unknown): AuditResult {
  if (!(error instanceof GraphQLError)) return { outcome: 'UNFINISHED', details: {} };
  return { outcome: 'REFUSED', details: { problem: String(error.extensions.code) } };
}
