import { Directive, Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { Batch, BatchColumn, BatchState, RefusedRow, RowState } from '../../../batch/batch';
import type { BatchView } from '../../../batch/batches';
import { RegistryEvidence, type RegistryLookup, RegistryProblem } from '../../core/lookup/types';
import { DateTime, Json } from '../../core/scalars/scalars';
import { RegistryBatchState, RegistryRowState } from './states';

@ObjectType({
  description: 'A row of the dataset that was refused. It costs nothing, and the other rows run.',
})
export class RegistryBatchRefusedRow implements Omit<RefusedRow, 'reason'> {
  @Field(() => Int, { description: 'The line of the file where the row begins.' })
  readonly line: number;

  @Field(() => String, {
    nullable: true,
    description: 'The variable whose value is missing or invalid. Null for other reasons.',
  })
  readonly column: string | null;

  @Field(() => String, { description: 'Why the row was refused. Does not quote the value.' })
  readonly message: string;
}

@ObjectType({ description: 'One row of a batch: one run of its operation.' })
export class RegistryBatchRow {
  @Field(() => Int, { description: 'The position in the file, from 1. Refused rows are counted too.' })
  readonly number: number;

  @Field(() => Int, {
    nullable: true,
    description: 'The line of the file where the row begins, or the row of the sheet. Null if the row was erased.',
  })
  readonly line: number | null;

  @Field(() => String, { nullable: true, description: 'Your label of the row: the column `ref` of the dataset.' })
  readonly ref: string | null;

  @Field(() => RegistryRowState, { description: 'State of the row.' })
  readonly state: RowState;

  @Field(() => Int, { description: 'Number of times that the row was run.' })
  readonly attempts: number;

  @Field(() => Int, {
    description: "Units of the row's own calls. Answers to calls of other rows are free.",
  })
  readonly units: number;

  @Field(() => Int, { description: "Price of the row's calls whose billing is unknown." })
  readonly uncertainUnits: number;

  @Field(() => [String], {
    description: 'What padron did to the values of the row when it read them. For a REFUSED row, why it was refused.',
  })
  readonly remarks: readonly string[];

  @Field(() => [RegistryProblem], { description: 'Problems of all fields and calls of the row.' })
  readonly problems: RegistryLookup['problems'];

  @Field(() => Json, {
    nullable: true,
    description: 'The answer of the operation for this row. Null before the row has ended.',
  })
  readonly data: unknown;

  @Field(() => [RegistryEvidence], { description: 'The evidence of each question of the row.' })
  readonly evidence: readonly RegistryEvidence[];
}

@ObjectType({ description: 'A page of rows, in the order of the dataset.' })
export class RegistryBatchRowPage {
  @Field(() => [RegistryBatchRow], { description: 'The rows.' })
  readonly rows: readonly RegistryBatchRow[];

  @Field(() => String, { nullable: true, description: 'Value of `after` for the next page. Null if there is none.' })
  readonly next: string | null;
}

const msPerMinute = 60_000;

@ObjectType({ description: 'The progress and the cost of a batch.' })
class RegistryBatchProgress {
  @Field(() => Int, { description: 'All rows of the batch, without the refused ones.' })
  readonly rows: number;

  @Field(() => Int, { description: 'Rows that are DONE.' })
  readonly done: number;

  @Field(() => Int, { description: 'Rows that FAILED.' })
  readonly failed: number;

  @Field(() => Int, {
    description:
      'Rows that FAILED and may succeed if they are retried. The others would fail again, because their data was rejected or their failure was charged.',
  })
  readonly retryable: number;

  @Field(() => Int, { description: 'Rows that are UNKNOWN.' })
  readonly unknown: number;

  @Field(() => Int, { description: 'Rows that are WAITING or RUNNING.' })
  readonly waiting: number;

  @Field(() => Int, { description: 'Units that were certainly charged.' })
  readonly spentUnits: number;

  @Field(() => Int, {
    description:
      'Price of the calls whose billing is unknown. The service charged at least `spentUnits` and at most the sum of both.',
  })
  readonly uncertainUnits: number;

  @Field(() => Int, {
    description: 'Price of the questions that were answered without a call, because another one had paid.',
  })
  readonly savedUnits: number;

  @Field(() => Float, {
    nullable: true,
    description: 'Rows that ended per minute since the batch last started to run. Null if it does not run.',
  })
  readonly rowsPerMinute: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Estimated seconds to the end, at this rate. Null if no row has ended.',
  })
  readonly secondsLeft: number | null;
}

export function toProgress(batch: Batch, now: Date): RegistryBatchProgress {
  const { total, done, failed, retryable, unknown, canceled, spent, uncertain, saved } = batch;
  const ended = done + failed + unknown + canceled;
  const rate = rowsPerMs(batch, ended, now);
  return {
    rows: total,
    done,
    failed,
    retryable,
    unknown,
    waiting: total - ended,
    spentUnits: spent,
    uncertainUnits: uncertain,
    savedUnits: saved,
    rowsPerMinute: rate === null ? null : Math.round(rate * msPerMinute * 10) / 10,
    secondsLeft: rate === null || rate === 0 ? null : Math.ceil((total - ended) / rate / 1_000),
  };
}

function rowsPerMs({ state, runningSince, runningFrom }: Batch, ended: number, now: Date): number | null {
  if (state !== 'RUNNING' || runningSince === null) return null;
  const ms = now.getTime() - runningSince.getTime();
  return ms <= 0 ? null : Math.max(0, ended - runningFrom) / ms;
}

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
