import { ID, Int } from 'type-graphql';
import type { AuditAction, AuditOutcome, AuditRecord } from '../../../money/ledger/audit/audit-record';
import { enumType, fields, Input, nonNull, nullable, Output, optional } from '../../core/fields';
import { DateTime } from '../../core/scalars/scalars';
import { BudgetPeriods } from '../budgets/types';

export const RegistryRetryScope = enumType<'FAILED' | 'UNKNOWN'>('RegistryRetryScope', 'The rows to retry.', {
  FAILED:
    'Failed rows that may succeed (`progress.retryable`). Rows whose data was rejected stay FAILED. Calls that were charged are not repeated.',
  UNKNOWN: 'Rows whose billing is unknown. They may be charged twice.',
});

export const AuditActions = enumType<AuditAction>('RegistryAuditAction', 'Actions that the audit trail records.', {
  SET_BUDGET: 'A budget was set or changed: `setRegistryBudget`.',
  REMOVE_BUDGET: 'A budget was removed: `removeRegistryBudget`.',
  SETTLE_BILLING: 'Calls whose billing was UNKNOWN were settled: `settleRegistryBilling`.',
  SEARCH_PROOFS:
    'The entries about a person or employer, under a reference or of an actor were searched: `registryProofs`, or `registryLedger` or `registrySpend` with a reference or an actor. Each page is a search.',
  MAKE_PROOF: 'A proof was made as a document: `registryProofDocument`.',
  ERASE_SUBJECT: 'A person or employer was erased: `eraseRegistrySubject`.',
  CREATE_BATCH: 'A batch was created, or an existing batch with the same key was returned: `createRegistryBatch`.',
  START_BATCH: 'A batch was started: `startRegistryBatch`.',
  PAUSE_BATCH: 'A batch was paused by a caller: `pauseRegistryBatch`.',
  RESUME_BATCH: 'A paused batch was resumed: `resumeRegistryBatch`.',
  RETRY_BATCH: 'Rows of a batch were retried: `retryRegistryBatch`.',
  CANCEL_BATCH: 'A batch was canceled: `cancelRegistryBatch`.',
  ERASE_BATCH: 'The dataset and the results of a batch were destroyed: `eraseRegistryBatch`.',
  READ_RESULTS:
    'Results of a batch were read (`data` of its rows) or downloaded. A request leaves one record for each batch, and each download one.',
  RESEND_EVENT: 'An event was sent to the webhook again: `resendRegistryEvent`.',
  END_OPERATION: 'An operation was ended, and the answers that it kept were deleted: `endRegistryOperation`.',
  PRICE_KEPT_ANSWERS:
    'A price counted answers as free that another client has paid for, so it showed that the client had asked: `x-dry-run`, `unitEstimate`, or the price that is compared with a limit. The first one a day (UTC) of each client and person.',
});

@Input('Filter of the audit trail. A record has to match all fields.')
export class RegistryAuditFilter extends fields({
  from: optional(
    DateTime,
    'Start of the interval, included. A day such as `2026-11-01` begins at midnight in `TIME_ZONE`.',
  ),
  to: optional(
    DateTime,
    'End of the interval, excluded. A day such as `2026-11-01` begins at midnight in `TIME_ZONE`.',
  ),
  action: optional(AuditActions, 'Records of this action.'),
  client: optional(String, 'Records of this client.'),
  batch: optional(ID, 'Records of this batch.'),
  id: optional(ID, "The record with this ID, for example the ID of an erasure's receipt."),
}) {}

const AuditOutcomes = enumType<AuditOutcome>('RegistryAuditOutcome', 'Result of a recorded action.', {
  DONE: 'The action was carried out.',
  REFUSED: 'The action, or a part of it, was refused. `problem` says why.',
  UNFINISHED:
    'padron recorded the action, then stopped or lost its store before it could record the result. The change may have been made or not: repeat it if it is missing.',
});

@Output(
  'One action in the audit trail: who did what, and when. It contains no identifier of a person and no hash of one. The graph cannot change or delete a record.',
)
export class RegistryAuditRecord extends fields({
  id: nonNull(ID, 'ID of the record. The receipt of an erasure has the same `id`.'),
  at: nonNull<Date>(DateTime, 'When the action began.'),
  action: nonNull(AuditActions, 'The action.'),
  outcome: nonNull(AuditOutcomes, 'Result of the action.'),
  client: nullable(
    String,
    'The client that acted: with JWTs the client that the JWT names, if any; otherwise `x-client-name`.',
  ),
  scope: nullable(String, 'The scope that allowed the action. Null if the caller had no JWT.'),
  requestId: nonNull(ID, 'ID of the request, as in `x-request-id` and the log.'),
  problem: optional(
    String,
    'Code of the problem or error for which the action was refused. Null if nothing was refused.',
  ),
  batch: optional(ID, 'ID of the batch. Null for actions without a batch, and if no batch was created.'),
  event: optional(ID, 'ID of the event, after RESEND_EVENT. Null for other actions.'),
  budget: optional(ID, 'ID of the budget. Null for other actions, and if no budget was set or removed.'),
  budgetClient: optional(String, 'The client whose calls the budget limits, after SET_BUDGET. Null: all clients.'),
  budgetTag: optional(String, 'The tag whose calls the budget limits, after SET_BUDGET. Null: all tags.'),
  budgetPeriod: optional(BudgetPeriods, 'Period of the budget, after SET_BUDGET.'),
  units: optional(
    Int,
    'SET_BUDGET: units of the budget. START_BATCH, RESUME_BATCH, RETRY_BATCH: the limit `maxUnits`, null if it did not change. SETTLE_BILLING: units of the calls settled as CHARGED. END_OPERATION: units that the operation had spent. Null for other actions.',
  ),
  entries: optional(
    Int,
    'SETTLE_BILLING: entries in the request. SEARCH_PROOFS: entries on the page. MAKE_PROOF: entries in the document. ERASE_SUBJECT: entries that can no longer be found by an identifier. Null for other actions.',
  ),
  rows: optional(
    Int,
    'CREATE_BATCH: rows in the request; rows sent to `uploadUrl` are not counted. ERASE_SUBJECT: rows of batches whose data was deleted. Null for other actions.',
  ),
  retried: optional(RegistryRetryScope, 'RETRY_BATCH: which rows were retried.'),
  identifiers: optional(
    [String],
    'SEARCH_PROOFS, MAKE_PROOF and ERASE_SUBJECT: which kinds of identifiers were given, as `RegistrySubjectInput` names them, for example `nss`, or `reference` or `actor`. Never their values.',
  ),
  keysNotSearched: optional(
    [String],
    'ERASE_SUBJECT: IDs of keys that `DATA_KEYS` lacked, if the erasure was made despite them. Null for other actions, and if no key was missing.',
  ),
}) {}

@Output('A page of the audit trail, newest first.')
export class RegistryAuditPage extends fields({
  actions: nonNull([RegistryAuditRecord], 'The records of this page.'),
  next: nullable(String, 'Pass it as `after` to get the next page. Null on the last page.'),
}) {}

export const toAuditRecord = ({ details, ...record }: AuditRecord): RegistryAuditRecord => ({ ...record, ...details });
