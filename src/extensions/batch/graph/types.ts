import { Directive, Float, ID, Int } from 'type-graphql';
import { fields, nonNull, nullable, Output } from '../../../graph/core/fields';
import { RegistryEvidence, type RegistryLookup, RegistryProblem } from '../../../graph/core/lookup/types';
import { DateTime, Json } from '../../../graph/core/scalars/scalars';
import type { Batch, BatchColumn, RefusedRow } from '../batch';
import type { BatchView } from '../batches';
import { RegistryBatchState, RegistryRowState } from './states';

@Output('A row of the dataset that was refused. It costs nothing, and the other rows run.')
export class RegistryBatchRefusedRow
  extends fields({
    line: nonNull(Int, 'The line of the file where the row begins.'),
    column: nullable(String, 'The variable whose value is missing or invalid. Null for other reasons.'),
    message: nonNull(String, 'Why the row was refused. Does not quote the value.'),
  })
  implements Omit<RefusedRow, 'reason'> {}

@Output('One row of a batch: one run of its operation.')
export class RegistryBatchRow extends fields({
  number: nonNull(Int, 'The position in the file, from 1. Refused rows are counted too.'),
  line: nullable(
    Int,
    'The line of the file where the row begins, or the row of the sheet. Null if the row was erased.',
  ),
  ref: nullable(String, 'Your label of the row: the column `ref` of the dataset.'),
  state: nonNull(RegistryRowState, 'State of the row.'),
  attempts: nonNull(Int, 'Number of times that the row was run.'),
  units: nonNull(Int, "Units of the row's own calls. Answers to calls of other rows are free."),
  uncertainUnits: nonNull(Int, "Price of the row's calls whose billing is unknown."),
  remarks: nonNull(
    [String],
    'What padron did to the values of the row when it read them. For a REFUSED row, why it was refused.',
  ),
  problems: nonNull<RegistryLookup['problems']>([RegistryProblem], 'Problems of all fields and calls of the row.'),
  data: nullable(Json, 'The answer of the operation for this row. Null before the row has ended.'),
  evidence: nonNull([RegistryEvidence], 'The evidence of each question of the row.'),
}) {}

@Output('A page of rows, in the order of the dataset.')
export class RegistryBatchRowPage extends fields({
  rows: nonNull([RegistryBatchRow], 'The rows.'),
  next: nullable(String, 'Value of `after` for the next page. Null if there is none.'),
}) {}

@Output('An earlier batch.')
class RegistryEarlierBatch extends fields({
  id: nonNull(ID, 'The ID of the batch.'),
  name: nullable(String, 'The name that its caller chose.'),
}) {}

@Output('Questions of a batch that earlier batches have answered, and whose answers padron still has.')
export class RegistryEarlierAnswers extends fields({
  questions: nonNull(Int, 'Number of distinct questions that cost units.'),
  latestAt: nonNull<Date>(DateTime, 'When the latest of them was answered.'),
  batches: nonNull([RegistryEarlierBatch], 'The batches that have answered them.'),
  estimatedUnits: nonNull(Int, 'Price of the batch if it uses these answers.'),
}) {}

const msPerMinute = 60_000;

@Output('The progress and the cost of a batch.')
class RegistryBatchProgress extends fields({
  rows: nonNull(Int, 'All rows of the batch, without the refused ones.'),
  done: nonNull(Int, 'Rows that are DONE.'),
  failed: nonNull(Int, 'Rows that FAILED.'),
  retryable: nonNull(
    Int,
    'Rows that FAILED and may succeed if they are retried. The others would fail again, because their data was rejected or their failure was charged.',
  ),
  unknown: nonNull(Int, 'Rows that are UNKNOWN.'),
  canceled: nonNull(Int, 'Rows that are CANCELED.'),
  erased: nonNull(Int, 'Rows that are ERASED.'),
  doubtful: nonNull(
    Int,
    'DONE rows whose answer may be about another person or employer: its problems have IDENTITY_CONFLICT or ANSWER_MISMATCH. `rows(doubtful: true)` lists them. Do not rely on them before a person has compared them.',
  ),
  waiting: nonNull(Int, 'Rows that are WAITING or RUNNING.'),
  running: nonNull(
    Int,
    'Rows that are RUNNING. A batch that was paused or canceled finishes them, so its units are final when this is 0.',
  ),
  spentUnits: nonNull(Int, 'Units that were charged, by the price list in force at the time of each call.'),
  uncertainUnits: nonNull(
    Int,
    'Price of the calls whose billing is unknown. If the price list is that of the contract, the service charged at least `spentUnits` and at most the sum of both.',
  ),
  savedUnits: nonNull(Int, 'Price of the questions that were answered without a call, because another one had paid.'),
  rowsPerMinute: nullable(
    Float,
    'Rows that ended per minute since the batch last started to run. Null if it does not run.',
  ),
  secondsLeft: nullable(Int, 'Estimated seconds to the end, at this rate. Null if no row has ended.'),
}) {}

export function toProgress(batch: Batch, now: Date): RegistryBatchProgress {
  const { total, done, failed, retryable, unknown, canceled, erased, doubtful, running, spent, uncertain, saved } =
    batch;
  const ended = done + failed + unknown + canceled + erased;
  const rate = rowsPerMs(batch, ended, now);
  return {
    rows: total,
    done,
    failed,
    retryable,
    unknown,
    canceled,
    erased,
    doubtful,
    waiting: total - ended,
    running,
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

@Output('A column of the dataset and the variable that it fills.')
export class RegistryBatchColumn
  extends fields({
    name: nonNull(String, 'The name of the column in the file.'),
    variable: nullable(
      String,
      'The variable that the column fills. Dots separate the fields of an input object. `ref` is the label of the row, and `fullName` a name that is only compared with those of the registries. Null if the column is not used.',
    ),
  })
  implements BatchColumn {}

@Directive('@key(fields: "id")')
@Output('An operation of this graph that runs once for each row of a dataset.')
export class RegistryBatch extends fields({
  id: nonNull(ID, 'The ID of the batch.'),
  name: nullable(String, 'The name that its caller chose. Null once the batch is erased.'),
  client: nullable(
    String,
    'The client that the batch belongs to: the one that the JWT of its creator names. Null without JWTs, or if the JWT named none.',
  ),
  state: nullable(RegistryBatchState, 'State of the batch.'),
  reason: nullable<RegistryLookup['problems'][number]>(
    RegistryProblem,
    'Why the batch is PAUSED, such as UNIT_BUDGET_EXCEEDED, BUDGET_EXHAUSTED, TOKEN_REFUSED, INSUFFICIENT_UNITS, ROWS_UNKNOWN, or the problem of a registry that does not answer. The message of BUDGET_EXHAUSTED names the budget. Null if its caller paused it.',
  ),
  pausedUntil: nullable<Date>(
    DateTime,
    'When the reason of the pause ends: the budget resets, or the service accepts calls again. padron does not resume the batch: resume it then. Null if the time is unknown, or if the batch is not PAUSED.',
  ),
  operation: nullable(String, 'The document that each row runs. Null once the batch is erased.'),
  operationName: nullable(
    String,
    'The name of the operation. Null if the operation has no name, or if the batch is erased.',
  ),
  columns: nonNull<readonly BatchColumn[]>(
    [RegistryBatchColumn],
    'The columns of the dataset, and the variables that they fill.',
  ),
  sheet: nullable(String, 'The sheet of the workbook that was read. Null if the rows are not from a workbook.'),
  sheets: nonNull(
    [String],
    'The visible sheets of the workbook, in their order. `sheet` of a new batch can choose one of them.',
  ),
  refusedCount: nonNull(Int, 'Number of rows of the file that were refused. `refusedRows` has the first 1,000.'),
  maxUnits: nullable(Int, 'Maximum units that the batch may spend. Null before its start.'),
  progress: nullable(RegistryBatchProgress, 'Ended rows and spent units.'),
  createdAt: nullable<Date>(DateTime, 'When the batch was created.'),
  startedAt: nullable<Date>(DateTime, 'When the batch was first started.'),
  finishedAt: nullable<Date>(DateTime, 'When the last row ended, or the batch was canceled.'),
  expiresAt: nullable<Date>(
    DateTime,
    'When padron erases the batch. A batch without rows is erased an hour after the last attempt to send them.',
  ),
}) {
  /** Source of the fields that have a resolver. It is not in the schema. */
  readonly view: BatchView;
}

@Output('Result of a change: the batch as it is now, or why it did not change.')
export class RegistryBatchChange extends fields({
  batch: nullable(RegistryBatch, 'The batch as it is now. Null if the caller has no batch with this ID.'),
  problems: nonNull<RegistryLookup['problems']>(
    [RegistryProblem],
    'Why the change was not made. Empty if it was made.',
  ),
}) {}

@Output('A page of batches, newest first.')
export class RegistryBatchPage extends fields({
  batches: nonNull([RegistryBatch], 'The batches.'),
  next: nullable(String, 'Value of `after` for the next page. Null if there is none.'),
}) {}
