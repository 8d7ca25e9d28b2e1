import { registerEnumType } from 'type-graphql';
import type { AuditAction, AuditOutcome } from '../../../ledger/audit/audit-record';

const descriptions: Readonly<Record<AuditAction, string>> = {
  SET_BUDGET: 'A budget was set or changed: `setRegistryBudget`.',
  REMOVE_BUDGET: 'A budget was removed: `removeRegistryBudget`.',
  SETTLE_BILLING: 'Calls whose billing was UNKNOWN were settled: `settleRegistryBilling`.',
  SEARCH_PROOFS: 'The proofs on a person or employer were searched: `registryProofs`. Each page is a search.',
  ERASE_SUBJECT: 'A person or employer was erased: `eraseRegistrySubject`.',
  CREATE_BATCH: 'A batch was created, or an existing batch with the same key was returned: `createRegistryBatch`.',
  START_BATCH: 'A batch was started: `startRegistryBatch`.',
  PAUSE_BATCH: 'A batch was paused by a caller: `pauseRegistryBatch`.',
  RESUME_BATCH: 'A paused batch was resumed: `resumeRegistryBatch`.',
  RETRY_BATCH: 'Rows of a batch were retried: `retryRegistryBatch`.',
  CANCEL_BATCH: 'A batch was canceled: `cancelRegistryBatch`.',
  ERASE_BATCH: 'The dataset and the results of a batch were destroyed: `eraseRegistryBatch`.',
};

export const AuditActions = Object.fromEntries(Object.keys(descriptions).map((name) => [name, name])) as {
  readonly [Name in AuditAction]: Name;
};

registerEnumType(AuditActions, {
  name: 'RegistryAuditAction',
  description: 'Actions that the audit trail records.',
  valuesConfig: Object.fromEntries(Object.entries(descriptions).map(([name, description]) => [name, { description }])),
});

export const AuditOutcomes = { DONE: 'DONE', REFUSED: 'REFUSED', UNFINISHED: 'UNFINISHED' } as const satisfies Record<
  AuditOutcome,
  AuditOutcome
>;

registerEnumType(AuditOutcomes, {
  name: 'RegistryAuditOutcome',
  description: 'Result of a recorded action.',
  valuesConfig: {
    DONE: { description: 'The action was carried out.' },
    REFUSED: { description: 'The action, or a part of it, was refused. `problem` says why.' },
    UNFINISHED: {
      description:
        'padron recorded the action, then stopped or lost its store before it could record the result. The change may have been made or not: repeat it if it is missing.',
    },
  },
});
