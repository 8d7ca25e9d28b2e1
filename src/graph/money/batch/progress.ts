import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { Batch } from '../../../batch/batch';

const msPerMinute = 60_000;

@ObjectType({ description: 'The progress and the cost of a batch.' })
export class RegistryBatchProgress {
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
