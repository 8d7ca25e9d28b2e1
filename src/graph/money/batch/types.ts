import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import type { BatchColumn, BatchState } from '../../../batch/batch';
import type { BatchView } from '../../../batch/batches';
import { type RegistryLookup, RegistryProblem } from '../../core/lookup/types';
import { DateTime } from '../../core/scalars/scalars';
import { RegistryBatchProgress } from './progress';
import { RegistryBatchState } from './states';

@ObjectType({ description: 'A column of the dataset and the variable that it fills.' })
export class RegistryBatchColumn implements BatchColumn {
  @Field(() => String, { description: 'The name of the column in the file.' })
  readonly name: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The variable that the column fills. Dots separate the fields of an input object. `ref` is the label of the row. Null if the column is not used.',
  })
  readonly variable: string | null;
}

@Directive('@key(fields: "id")')
@ObjectType({ description: 'An operation of this graph that runs once for each row of a dataset.' })
export class RegistryBatch {
  @Field(() => ID, { description: 'The ID of the batch.' })
  readonly id: string;

  @Field(() => String, {
    nullable: true,
    description: 'The name that its caller chose. Null once the batch is erased.',
  })
  readonly name: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The client that the batch belongs to: the one that the JWT of its creator names. Null without JWTs, or if the JWT named none.',
  })
  readonly client: string | null;

  @Field(() => RegistryBatchState, { nullable: true, description: 'State of the batch.' })
  readonly state: BatchState;

  @Field(() => RegistryProblem, {
    nullable: true,
    description:
      'Why the batch is PAUSED, such as UNIT_BUDGET_EXCEEDED, TOKEN_NEEDED, TOKEN_REFUSED, INSUFFICIENT_UNITS, or the problem of a registry that does not answer. Null if its caller paused it.',
  })
  readonly reason: RegistryLookup['problems'][number] | null;

  @Field(() => String, {
    nullable: true,
    description: 'The document that each row runs. Null once the batch is erased.',
  })
  readonly operation: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The name of the operation. Null if the operation has no name, or if the batch is erased.',
  })
  readonly operationName: string | null;

  @Field(() => [RegistryBatchColumn], { description: 'The columns of the dataset, and the variables that they fill.' })
  readonly columns: readonly BatchColumn[];

  @Field(() => String, {
    nullable: true,
    description: 'The sheet of the workbook that was read. Null if the rows are not from a workbook.',
  })
  readonly sheet: string | null;

  @Field(() => [String], {
    description: 'The visible sheets of the workbook, in their order. `sheet` of a new batch can choose one of them.',
  })
  readonly sheets: readonly string[];

  @Field(() => Int, { description: 'Number of rows of the file that were refused. `refusedRows` has the first 1,000.' })
  readonly refusedCount: number;

  @Field(() => Int, { nullable: true, description: 'Maximum units that the batch may spend. Null before its start.' })
  readonly maxUnits: number | null;

  @Field(() => RegistryBatchProgress, { nullable: true, description: 'Ended rows and spent units.' })
  readonly progress: RegistryBatchProgress;

  @Field(() => DateTime, { nullable: true, description: 'When the batch was created.' })
  readonly createdAt: Date;

  @Field(() => DateTime, { nullable: true, description: 'When the batch was first started.' })
  readonly startedAt: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When the last row ended, or the batch was canceled.' })
  readonly finishedAt: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When padron erases the batch. A batch without rows is erased an hour after the last attempt to send them.',
  })
  readonly expiresAt: Date;

  /** Source of the fields that have a resolver. It is not in the schema. */
  readonly view: BatchView;
}

@ObjectType({ description: 'Result of a change: the batch as it is now, or why it did not change.' })
export class RegistryBatchChange {
  @Field(() => RegistryBatch, {
    nullable: true,
    description: 'The batch as it is now. Null if the caller has no batch with this ID.',
  })
  readonly batch: RegistryBatch | null;

  @Field(() => [RegistryProblem], { description: 'Why the change was not made. Empty if it was made.' })
  readonly problems: RegistryLookup['problems'];
}

@ObjectType({ description: 'A page of batches, newest first.' })
export class RegistryBatchPage {
  @Field(() => [RegistryBatch], { description: 'The batches.' })
  readonly batches: readonly RegistryBatch[];

  @Field(() => String, { nullable: true, description: 'Value of `after` for the next page. Null if there is none.' })
  readonly next: string | null;
}
