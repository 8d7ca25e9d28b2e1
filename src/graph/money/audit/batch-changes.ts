import type { AccountBatches } from '../../../batch/account-batches';
import type { BatchChange, BatchInput } from '../../../batch/batches';
import type { AuditAction, AuditDetails } from '../../../ledger/audit/audit-record';
import type { Context } from '../../core/context';
import { recordKnownChange } from './recording';

export interface AuditedBatchChange {
  readonly action: Extract<AuditAction, `${string}_BATCH`>;
  readonly id?: string;
  readonly input?: BatchInput;
  readonly details?: AuditDetails;
}

/** Changes a batch and records the change in the audit trail. If the ledger is off, there is no audit trail and nothing is recorded. */
export async function recordBatchChange(
  context: Context,
  batches: AccountBatches,
  { action, id, input, details = {} }: AuditedBatchChange,
  make: (batches: AccountBatches) => Promise<BatchChange>,
): Promise<BatchChange> {
  if (context.ledger === null) return make(batches);
  // An unknown ID may be any text, so it is not recorded. Nothing can change.
  const view = id === undefined ? null : await batches.get(id);
  if (id !== undefined && view === null) return make(batches);
  // Malformed input and a token that the service has not accepted are not recorded.
  const refusal = input === undefined ? null : await batches.findProblem(input);
  if (refusal !== null) return { view: null, problems: [refusal] };
  const named = id === undefined ? details : { ...details, batch: id };
  const scope = view === null ? 'padron_batch' : batches.scopeFor(view);
  return recordKnownChange(context, { action, scope, details: named }, () => make(batches), toDetails);
}

function toDetails({ view, problems }: BatchChange): AuditDetails {
  const [problem] = problems;
  return {
    ...(view === null ? {} : { batch: view.batch.id }),
    ...(problem === undefined ? {} : { problem: problem.code }),
  };
}
