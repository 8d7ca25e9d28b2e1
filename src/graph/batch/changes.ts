import { Arg, Ctx, ID, Int, Mutation, Resolver } from 'type-graphql';
import type { BatchChange, CallerBatches, RetryScope } from '../../batch/batches';
import { type BatchAction, recordBatchChange } from '../audit/batch-changes';
import type { Context } from '../context';
import { requireBatches } from './access';
import { RegistryBatchInput } from './inputs';
import { RegistryRetryScope } from './states';
import { toChange } from './to-batch';
import { RegistryBatchChange } from './types';

@Resolver()
export class BatchChangesResolver {
  @Mutation(() => RegistryBatchChange, {
    nullable: true,
    description: `A batch that waits for its rows: send them to \`uploadUrl\`, or give up to 1,000 here. The same \`key\` gives the same batch.
Nothing is spent: its price is counted, and then it waits to be started. With a JWT it belongs to the client that the JWT names.
BATCH_QUOTA_EXCEEDED if it would keep more than is allowed. Free.`,
  })
  createRegistryBatch(
    @Arg('input', () => RegistryBatchInput, { description: 'The operation and its rows.' }) input: RegistryBatchInput,
    @Ctx() context: Context,
  ): Promise<RegistryBatchChange> {
    const { operation, name = null, key = null, operationName = null } = input;
    const { rows = null, retentionDays = null, tag = null } = input;
    const wanted = { operation, name, key, operationName, rows, retentionDays, tag };
    const details = { rows: rows?.length ?? 0 };
    return change(context, { action: 'CREATE_BATCH', input: wanted, details }, (batches) => batches.create(wanted));
  }

  @Mutation(() => RegistryBatchChange, {
    nullable: true,
    description:
      'Begins to spend, at most `maxUnits` in all. Refused before its price is there. No call leaves that could go above the ceiling: the batch is then PAUSED. The caller needs the scopes of all endpoints that the batch calls, and these calls are booked to its client.',
  })
  startRegistryBatch(
    @Arg('id', () => ID, { description: 'The batch.' }) id: string,
    @Arg('maxUnits', () => Int, { description: 'The ceiling of all that it may spend.' }) maxUnits: number,
    @Ctx() context: Context,
  ): Promise<RegistryBatchChange> {
    return change(context, { action: 'START_BATCH', id, details: { units: maxUnits } }, (batches) =>
      batches.start(id, maxUnits),
    );
  }

  @Mutation(() => RegistryBatchChange, {
    nullable: true,
    description: 'Asks nothing more. What has left is still answered and kept. Free.',
  })
  pauseRegistryBatch(
    @Arg('id', () => ID, { description: 'The batch.' }) id: string,
    @Ctx() context: Context,
  ): Promise<RegistryBatchChange> {
    return change(context, { action: 'PAUSE_BATCH', id }, (batches) => batches.pause(id));
  }

  @Mutation(() => RegistryBatchChange, {
    nullable: true,
    description:
      'Continues a paused batch with the token, the scopes and the client of the caller, which the calls are booked to; a new ceiling of all that it may spend may be given.',
  })
  resumeRegistryBatch(
    @Arg('id', () => ID, { description: 'The batch.' }) id: string,
    @Arg('maxUnits', () => Int, { nullable: true, description: 'The new ceiling; omitted: the old one.' })
    maxUnits: number | null,
    @Ctx() context: Context,
  ): Promise<RegistryBatchChange> {
    return change(context, { action: 'RESUME_BATCH', id, details: { units: maxUnits ?? null } }, (batches) =>
      batches.resume(id, maxUnits ?? null),
    );
  }

  @Mutation(() => RegistryBatchChange, {
    nullable: true,
    description: 'Gives the batch up, for good. What was answered until then stays and can be downloaded. Free.',
  })
  cancelRegistryBatch(
    @Arg('id', () => ID, { description: 'The batch.' }) id: string,
    @Ctx() context: Context,
  ): Promise<RegistryBatchChange> {
    return change(context, { action: 'CANCEL_BATCH', id }, (batches) => batches.cancel(id));
  }

  @Mutation(() => RegistryBatchChange, {
    nullable: true,
    description:
      'Asks rows again that failed. UNKNOWN ones may be paid a second time: only when named. `maxUnits` is the ceiling of all, with what was spent before. The caller needs the scopes of all endpoints that the batch calls, and these calls are booked to its client.',
  })
  retryRegistryBatch(
    @Arg('id', () => ID, { description: 'The batch.' }) id: string,
    @Arg('rows', () => RegistryRetryScope, { defaultValue: 'FAILED', description: 'Which rows.' }) rows: RetryScope,
    @Arg('maxUnits', () => Int, { description: 'The ceiling of all that the batch may spend.' }) maxUnits: number,
    @Ctx() context: Context,
  ): Promise<RegistryBatchChange> {
    return change(context, { action: 'RETRY_BATCH', id, details: { units: maxUnits, retried: rows } }, (batches) =>
      batches.retry(id, rows, maxUnits),
    );
  }

  @Mutation(() => RegistryBatchChange, {
    nullable: true,
    description:
      'Destroys the key of dataset and results at once, and then what it has sealed. Sums stay. What has left is still paid. Free.',
  })
  eraseRegistryBatch(
    @Arg('id', () => ID, { description: 'The batch.' }) id: string,
    @Ctx() context: Context,
  ): Promise<RegistryBatchChange> {
    return change(context, { action: 'ERASE_BATCH', id }, (batches) => batches.erase(id));
  }
}

async function change(
  context: Context,
  action: BatchAction,
  make: (batches: CallerBatches) => Promise<BatchChange>,
): Promise<RegistryBatchChange> {
  return toChange(await recordBatchChange(context, requireBatches(context), action, make), context.now());
}
