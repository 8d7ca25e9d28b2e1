import type { BatchChange, BatchInput, CallerBatches } from '../../batch/batches';
import type { AuditAction, AuditDetails } from '../../ledger/audit/audit-record';
import type { Context } from '../context';
import { recordKnownChange } from './recording';

/** A change of a batch as its resolver names it: by the id of the batch, or by the input that creates one. */
export interface BatchAction {
  readonly action: Extract<AuditAction, `${string}_BATCH`>;
  readonly id?: string;
  readonly input?: BatchInput;
  readonly details?: AuditDetails;
}

/** Makes a change of a batch with its record in the audit trail. Without a ledger there is no trail, and the change is only made. */
export async function recordBatchChange(
  context: Context,
  batches: CallerBatches,
  { action, id, input, details = {} }: BatchAction,
  make: (batches: CallerBatches) => Promise<BatchChange>,
): Promise<BatchChange> {
  if (context.ledger === null) return make(batches);
  // An id that names no batch of the caller may be any text, and nothing can change.
  const view = id === undefined ? null : await batches.get(id);
  if (id !== undefined && view === null) return make(batches);
  // Malformed input and a token that the service has not accepted leave no record.
  const refusal = input === undefined ? null : await batches.findRefusal(input);
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
