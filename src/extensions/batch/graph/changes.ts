import { Arg, Ctx, ID, Int, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../graph/core/context';
import { type NamedAction, recordKnownChange } from '../../../graph/money/audit/recording';
import { RegistryRetryScope } from '../../../graph/money/audit/types';
import type { AccountBatches } from '../account-batches';
import type { EarlierChoice, RetryScope } from '../batch';
import type { BatchChange, BatchInput } from '../batches';
import { requireBatches } from './access';
import { RegistryBatchInput } from './inputs';
import { RegistryEarlierChoice } from './states';
import { toChange } from './to-batch';
import { RegistryBatchChange } from './types';

interface AuditedBatchChange {
  readonly action: Extract<NamedAction['action'], `${string}_BATCH`>;
  readonly id?: string;
  readonly input?: BatchInput;
  readonly details?: NamedAction['details'];
}

/** Changes a batch and records the change in the audit trail. If the ledger is off, there is no audit trail and nothing is recorded. */
async function recordBatchChange(
  context: Context,
  batches: AccountBatches,
  { action, id, input, details = {} }: AuditedBatchChange,
  make: (batches: AccountBatches) => Promise<BatchChange>,
): Promise<BatchChange> {
  if (context.ledger === null) return make(batches);
  // An unknown ID may be any text, so it is not recorded. Nothing can change.
  const view = id === undefined ? null : await batches.get(id);
  if (id !== undefined && view === null) return make(batches);
  // Malformed input and a token that the service has not accepted are not recorded.
  const refusal = input === undefined ? null : await batches.findProblem(input);
  if (refusal !== null) return { view: null, problems: [refusal] };
  const named = id === undefined ? details : { ...details, batch: id };
  const scope = view === null ? 'padron_batch' : batches.scopeFor(view);
  return recordKnownChange(context, { action, scope, details: named }, () => make(batches), toDetails);
}

function toDetails({ view, problems }: BatchChange): NonNullable<NamedAction['details']> {
  const [problem] = problems;
  return {
    ...(view === null ? {} : { batch: view.batch.id }),
    ...(problem === undefined ? {} : { problem: problem.code }),
  };
}

@Resolver()
export class BatchChangesResolver {
  @Mutation(() => RegistryBatchChange, {
    nullable: true,
    description: `Creates a batch. Give up to 1,000 rows here, or send a file to \`uploadUrl\`. The same \`key\` returns the same batch.
padron determines the price, and nothing is spent before the batch is started. With a JWT the batch belongs to the client that the JWT names.
If the batch exceeds a quota, the problem is BATCH_QUOTA_EXCEEDED. Free.`,
  })
  createRegistryBatch(
    @Arg('input', () => RegistryBatchInput, { description: 'The operation and its rows.' }) input: RegistryBatchInput,
    @Ctx() context: Context,
  ): Promise<RegistryBatchChange> {
    context.checkTrusted(input.operation);
    const { operation, name = null, key = null, operationName = null } = input;
    const {
      rows = null,
      retentionDays = null,
      tag = null,
      purpose = null,
      maxAge = null,
      columns,
      refColumn = null,
      sheet = null,
    } = input;
    const choices = {
      columns: (columns ?? []).map(({ column, variable = null }) => ({ column, variable })),
      ref: refColumn,
      sheet,
    };
    const wanted = { operation, name, key, operationName, rows, retentionDays, tag, purpose, maxAge, choices };
    const details = { rows: rows?.length ?? 0 };
    return change(context, { action: 'CREATE_BATCH', input: wanted, details }, (batches) => batches.create(wanted));
  }

  @Mutation(() => RegistryBatchChange, {
    nullable: true,
    description:
      'Starts the batch, which spends at most `maxUnits`. Not possible before the price is known. If a call could exceed the limit, it is not made and the batch is PAUSED. The caller needs the scopes of all endpoints that the batch calls, and the ledger records the calls for its client.',
  })
  startRegistryBatch(
    @Arg('id', () => ID, { description: 'The batch.' }) id: string,
    @Arg('maxUnits', () => Int, { description: 'Maximum units that the batch may spend.' }) maxUnits: number,
    @Arg('earlierAnswers', () => RegistryEarlierChoice, {
      nullable: true,
      description:
        'What to do with the questions in `earlierAnswers` of the batch. Required if it has any (EARLIER_ANSWERS), unless it was created with `maxAge`, which uses them.',
    })
    earlierAnswers: EarlierChoice | null,
    @Ctx() context: Context,
  ): Promise<RegistryBatchChange> {
    return change(context, { action: 'START_BATCH', id, details: { units: maxUnits } }, (batches) =>
      batches.start(id, maxUnits, earlierAnswers),
    );
  }

  @Mutation(() => RegistryBatchChange, {
    nullable: true,
    description: 'Stops new calls. Running calls finish, and their answers are stored. Free.',
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
      'Resumes a paused batch with the token and the scopes of the caller. The ledger records the calls for its client. You can give a new limit.',
  })
  resumeRegistryBatch(
    @Arg('id', () => ID, { description: 'The batch.' }) id: string,
    @Arg('maxUnits', () => Int, { nullable: true, description: 'The new limit. If omitted, the old one applies.' })
    maxUnits: number | null,
    @Ctx() context: Context,
  ): Promise<RegistryBatchChange> {
    return change(context, { action: 'RESUME_BATCH', id, details: { units: maxUnits } }, (batches) =>
      batches.resume(id, maxUnits),
    );
  }

  @Mutation(() => RegistryBatchChange, {
    nullable: true,
    description: 'Ends the batch permanently. Its answers stay and can be downloaded. Free.',
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
      'Retries the failed rows that may succeed (`progress.retryable`). Rows whose data was rejected stay FAILED: send them corrected in a new batch. UNKNOWN rows are only retried if you ask for them, because they may be charged twice. `maxUnits` limits the whole batch, including what it has spent. The caller needs the scopes of all endpoints that the batch calls, and the ledger records the calls for its client.',
  })
  retryRegistryBatch(
    @Arg('id', () => ID, { description: 'The batch.' }) id: string,
    @Arg('rows', () => RegistryRetryScope, { defaultValue: 'FAILED', description: 'The rows to retry.' })
    rows: RetryScope,
    @Arg('maxUnits', () => Int, { description: 'Maximum units that the whole batch may spend.' }) maxUnits: number,
    @Ctx() context: Context,
  ): Promise<RegistryBatchChange> {
    return change(context, { action: 'RETRY_BATCH', id, details: { units: maxUnits, retried: rows } }, (batches) =>
      batches.retry(id, rows, maxUnits),
    );
  }

  @Mutation(() => RegistryBatchChange, {
    nullable: true,
    description:
      'Destroys the key of the dataset and the results at once, and then deletes the encrypted data. The sums stay. Running calls may still be charged. Free.',
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
  action: AuditedBatchChange,
  make: (batches: AccountBatches) => Promise<BatchChange>,
): Promise<RegistryBatchChange> {
  const changed = await recordBatchChange(context, requireBatches(context), action, make);
  if (changed.problems.length > 0 && context.refused !== undefined) context.refused.changes += 1;
  return toChange(changed, context.now());
}
