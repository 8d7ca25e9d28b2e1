import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { AuditAction, AuditOutcome, AuditRecord } from '../../../ledger/audit/audit-record';
import type { BudgetPeriod } from '../../../ledger/budgets/budget';
import { DateTime } from '../../core/scalars/scalars';
import { RegistryRetryScope } from '../batch/states';
import { BudgetPeriods } from '../budgets/types';

@InputType({ description: 'Filter of the audit trail. A record has to match all fields.' })
export class RegistryAuditFilter {
  @Field(() => DateTime, {
    nullable: true,
    description: 'Start of the interval, included. A day such as `2026-11-01` begins at midnight in `TIME_ZONE`.',
  })
  readonly from?: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'End of the interval, excluded. A day such as `2026-11-01` begins at midnight in `TIME_ZONE`.',
  })
  readonly to?: string | null;

  @Field(() => AuditActions, { nullable: true, description: 'Records of this action.' })
  readonly action?: AuditAction | null;

  @Field(() => String, { nullable: true, description: 'Records of this client.' })
  readonly client?: string | null;

  @Field(() => ID, { nullable: true, description: 'Records of this batch.' })
  readonly batch?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: "The record with this ID, for example the ID of an erasure's receipt.",
  })
  readonly id?: string | null;
}

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

const AuditOutcomes = { DONE: 'DONE', REFUSED: 'REFUSED', UNFINISHED: 'UNFINISHED' } as const satisfies Record<
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

@ObjectType({
  description:
    'One action in the audit trail: who did what, and when. It contains no identifier of a person and no hash of one. The graph cannot change or delete a record.',
})
export class RegistryAuditRecord {
  @Field(() => ID, { description: 'ID of the record. The receipt of an erasure has the same `id`.' })
  readonly id: string;

  @Field(() => DateTime, { description: 'When the action began.' })
  readonly at: Date;

  @Field(() => AuditActions, { description: 'The action.' })
  readonly action: AuditAction;

  @Field(() => AuditOutcomes, { description: 'Result of the action.' })
  readonly outcome: AuditOutcome;

  @Field(() => String, {
    nullable: true,
    description: 'The client that acted: with JWTs the client that the JWT names, if any; otherwise `x-client-name`.',
  })
  readonly client: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The scope that allowed the action. Null if the caller had no JWT.',
  })
  readonly scope: string | null;

  @Field(() => ID, { description: 'ID of the request, as in `x-request-id` and the log.' })
  readonly requestId: string;

  @Field(() => String, {
    nullable: true,
    description: 'Code of the problem or error for which the action was refused. Null if nothing was refused.',
  })
  readonly problem: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'ID of the batch. Null for actions without a batch, and if no batch was created.',
  })
  readonly batch: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'ID of the budget. Null for other actions, and if no budget was set or removed.',
  })
  readonly budget: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The client whose calls the budget limits, after SET_BUDGET. Null: all clients.',
  })
  readonly budgetClient: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The tag whose calls the budget limits, after SET_BUDGET. Null: all tags.',
  })
  readonly budgetTag: string | null;

  @Field(() => BudgetPeriods, { nullable: true, description: 'Period of the budget, after SET_BUDGET.' })
  readonly budgetPeriod: BudgetPeriod | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'SET_BUDGET: units of the budget. START_BATCH, RESUME_BATCH, RETRY_BATCH: the limit `maxUnits`, null if it did not change. SETTLE_BILLING: units of the calls settled as CHARGED. Null for other actions.',
  })
  readonly units: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'SETTLE_BILLING: entries in the request. SEARCH_PROOFS: entries on the page. ERASE_SUBJECT: entries that can no longer be found by an identifier. Null for other actions.',
  })
  readonly entries: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'CREATE_BATCH: rows in the request; rows sent to `uploadUrl` are not counted. ERASE_SUBJECT: rows of batches whose data was deleted. Null for other actions.',
  })
  readonly rows: number | null;

  @Field(() => RegistryRetryScope, { nullable: true, description: 'RETRY_BATCH: which rows were retried.' })
  readonly retried: 'FAILED' | 'UNKNOWN' | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'SEARCH_PROOFS and ERASE_SUBJECT: which kinds of identifiers were given, as `RegistrySubjectInput` names them, for example `nss`. Never their values.',
  })
  readonly identifiers: readonly string[] | null;
}

@ObjectType({ description: 'A page of the audit trail, newest first.' })
export class RegistryAuditPage {
  @Field(() => [RegistryAuditRecord], { description: 'The records of this page.' })
  readonly actions: readonly RegistryAuditRecord[];

  @Field(() => String, {
    nullable: true,
    description: 'Pass it as `after` to get the next page. Null on the last page.',
  })
  readonly next: string | null;
}

const noDetails = {
  problem: null,
  batch: null,
  budget: null,
  budgetClient: null,
  budgetTag: null,
  budgetPeriod: null,
  units: null,
  entries: null,
  rows: null,
  retried: null,
  identifiers: null,
};

export const toAuditRecord = ({ details, ...record }: AuditRecord): RegistryAuditRecord => ({
  ...noDetails,
  ...record,
  ...details,
});
