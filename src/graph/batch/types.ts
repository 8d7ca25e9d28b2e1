import { Directive, Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { BatchColumn, BatchState, RefusedRow, RowState } from '../../batch/batch';
import type { BatchView } from '../../batch/batches';
import { RegistryEvidence, type RegistryLookup, RegistryProblem } from '../lookup/types';
import { DateTime, Json } from '../scalars/scalars';
import { RegistryBatchState, RegistryRowState } from './states';

@ObjectType({ description: 'Progress of a batch.' })
export class RegistryBatchProgress {
  @Field(() => Int, { description: 'Rows of the dataset, without refused ones.' })
  readonly rows: number;

  @Field(() => Int, { description: 'Rows that are DONE.' })
  readonly done: number;

  @Field(() => Int, { description: 'Rows that FAILED.' })
  readonly failed: number;

  @Field(() => Int, { description: 'Rows that are UNKNOWN.' })
  readonly unknown: number;

  @Field(() => Int, { description: 'Rows that have not ended, including running ones.' })
  readonly waiting: number;

  @Field(() => Int, { description: 'Units charged.' })
  readonly spentUnits: number;

  @Field(() => Int, {
    description:
      'Price of the calls whose billing is unknown. The service charged at least `spentUnits` and at most the sum of both.',
  })
  readonly uncertainUnits: number;

  @Field(() => Int, { description: 'Units that repeated questions would have cost.' })
  readonly savedUnits: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Rows that end per minute, since the batch last started to run. Null if it does not run.',
  })
  readonly rowsPerMinute: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Estimated from `rowsPerMinute`. Null if the batch does not run, or no row has ended yet.',
  })
  readonly secondsLeft: number | null;
}

@ObjectType({ description: 'A column of the dataset and the variable that it fills.' })
export class RegistryBatchColumn implements BatchColumn {
  @Field(() => String, { description: 'Name of the column in the file.' })
  readonly name: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The variable, with dots for a field of an input object. `ref` is the label of the row. Null if the column is not used.',
  })
  readonly variable: string | null;
}

@ObjectType({
  description: 'A row of the dataset that was refused. It costs nothing, and the other rows run.',
})
export class RegistryBatchRefusedRow implements RefusedRow {
  @Field(() => Int, { description: 'The line of the file.' })
  readonly line: number;

  @Field(() => String, { nullable: true, description: 'The variable with the error, if it is one variable.' })
  readonly column: string | null;

  @Field(() => String, { description: 'What is wrong, without the value.' })
  readonly message: string;
}

@ObjectType({ description: 'One row of a batch: one run of its operation.' })
export class RegistryBatchRow {
  @Field(() => Int, { description: 'Its position in the file, from 1. Refused rows are counted too.' })
  readonly number: number;

  @Field(() => String, { nullable: true, description: "The caller's own label: the column `ref` of the dataset." })
  readonly ref: string | null;

  @Field(() => RegistryRowState, { description: 'State.' })
  readonly state: RowState;

  @Field(() => Int, { description: 'Number of runs.' })
  readonly attempts: number;

  @Field(() => Int, {
    description: "Units of the row's own calls. Answers to calls of other rows are free.",
  })
  readonly units: number;

  @Field(() => Int, { description: 'Price of the calls of the row whose billing is unknown.' })
  readonly uncertainUnits: number;

  @Field(() => [RegistryProblem], { description: 'Problems and warnings of all its fields.' })
  readonly problems: RegistryLookup['problems'];

  @Field(() => Json, { nullable: true, description: 'Result of the operation for this row.' })
  readonly data: unknown;

  @Field(() => [RegistryEvidence], { description: 'The proof of each of its questions.' })
  readonly evidence: readonly RegistryEvidence[];
}

@ObjectType({ description: 'A page of the rows of a batch, in the order of the dataset.' })
export class RegistryBatchRowPage {
  @Field(() => [RegistryBatchRow], { description: 'The rows.' })
  readonly rows: readonly RegistryBatchRow[];

  @Field(() => String, {
    nullable: true,
    description: 'Pass it as `after` to get the next page. Null on the last page.',
  })
  readonly next: string | null;
}

@Directive('@key(fields: "id")')
@ObjectType({ description: 'An operation of this graph over a dataset.' })
export class RegistryBatch {
  @Field(() => ID, { description: 'The batch.' })
  readonly id: string;

  @Field(() => String, { nullable: true, description: 'The name that the caller gave it.' })
  readonly name: string | null;

  @Field(() => RegistryBatchState, { nullable: true, description: 'State.' })
  readonly state: BatchState;

  @Field(() => RegistryProblem, {
    nullable: true,
    description:
      'Why it is PAUSED: UNIT_BUDGET_EXCEEDED, TOKEN_NEEDED, TOKEN_REFUSED, INSUFFICIENT_UNITS, a missing session, or a registry that does not answer. Null if a caller paused it.',
  })
  readonly reason: RegistryLookup['problems'][number] | null;

  @Field(() => String, { nullable: true, description: 'The document that each row runs. Null once it is erased.' })
  readonly operation: string | null;

  @Field(() => [RegistryBatchColumn], { description: 'The columns of the dataset, matched to variables by name.' })
  readonly columns: readonly BatchColumn[];

  @Field(() => Int, { description: 'Rows of the file that were refused. `refusedRows` has the first 1,000.' })
  readonly refusedCount: number;

  @Field(() => Int, { nullable: true, description: 'The limit of what the batch may spend. Null before its start.' })
  readonly maxUnits: number | null;

  @Field(() => RegistryBatchProgress, { nullable: true, description: 'Progress of the rows, and units spent so far.' })
  readonly progress: RegistryBatchProgress;

  @Field(() => DateTime, { nullable: true, description: 'When it was created.' })
  readonly createdAt: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it was first started.' })
  readonly startedAt: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When its last row ended, or it was canceled.' })
  readonly finishedAt: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When padron erases it.' })
  readonly expiresAt: Date;

  /** Source of the fields that have their own resolver. */
  readonly view: BatchView;
}

@ObjectType({ description: 'Result of a change: the batch as it is now, or why it did not change.' })
export class RegistryBatchChange {
  @Field(() => RegistryBatch, { nullable: true, description: 'Null if this account has no such batch.' })
  readonly batch: RegistryBatch | null;

  @Field(() => [RegistryProblem], { description: 'Empty if the change was made.' })
  readonly problems: RegistryLookup['problems'];
}

@ObjectType({ description: 'A page of the batches of an account, newest first.' })
export class RegistryBatchPage {
  @Field(() => [RegistryBatch], { description: 'The batches.' })
  readonly batches: readonly RegistryBatch[];

  @Field(() => String, {
    nullable: true,
    description: 'Pass it as `after` to get the next page. Null on the last page.',
  })
  readonly next: string | null;
}
