import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { clientError, invalidInput } from '../../../graph/core/client-error';
import type { Context } from '../../../graph/core/context';
import { RegistryProblem } from '../../../graph/core/lookup/types';
import { UnitEstimate } from '../../../graph/core/pricing/types';
import { Url } from '../../../graph/core/scalars/scalars';
import { recordReading } from '../../../graph/money/audit/recording';
import { amountOf } from '../../../identifiers/decimals';
import { say } from '../../../identifiers/text';
import { inLanguage, type Problem } from '../../../registry/answer/problem';
import { type BatchState, chosenEstimate, type RowState } from '../batch';
import { requireBatches } from './access';
import { RegistryBatchState, RegistryRowState } from './states';
import { toBatch, toRow } from './to-batch';
import {
  RegistryBatch,
  RegistryBatchPage,
  RegistryBatchRefusedRow,
  RegistryBatchRowPage,
  RegistryEarlierAnswers,
} from './types';

const maxBatches = 100;
const maxRows = 500;

@Resolver(() => RegistryBatch)
export class BatchResolver {
  @Query(() => RegistryBatch, {
    nullable: true,
    description:
      'A batch of this account, or with a JWT of the client that the JWT names. The scope `padron_batches_all` gives access to the batches of all clients. Null if the caller has no batch with this ID. Free.',
  })
  async registryBatch(
    @Arg('id', () => ID, { description: 'The batch.' }) id: string,
    @Ctx() context: Context,
  ): Promise<RegistryBatch | null> {
    const view = await requireBatches(context).get(id);
    return view === null ? null : toBatch(view, context.now());
  }

  @Query(() => RegistryBatchPage, {
    nullable: true,
    description:
      'The batches of this account, or with a JWT of the client that the JWT names, newest first. A batch is listed when it has its rows, or if `state` is WAITING_FOR_ROWS. The scope `padron_batches_all` lists the batches of all clients. Free.',
  })
  async registryBatches(
    @Arg('state', () => RegistryBatchState, { nullable: true, description: 'Only batches in this state.' })
    state: BatchState | null,
    @Arg('first', () => Int, { defaultValue: 20, description: 'Page size, 100 at most.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: '`next` of the previous page.' }) after: string | null,
    @Ctx() context: Context,
  ): Promise<RegistryBatchPage> {
    checkFirst(first, maxBatches);
    const views = await requireBatches(context).list(state, first, after);
    const batches = views.map((view) => toBatch(view, context.now()));
    return { batches, next: batches.length < first ? null : (batches.at(-1)?.id ?? null) };
  }

  @FieldResolver(() => UnitEstimate, {
    nullable: true,
    description:
      'Price of the whole batch, with each distinct question counted once. If its caller has chosen to use `earlierAnswers`, these are free. Null until the price is known, or if padron cannot determine it.',
  })
  estimate(@Root() { view, name }: RegistryBatch, @Ctx() { language, unitPrice }: Context): UnitEstimate | null {
    const estimate = chosenEstimate(view.batch);
    if (estimate === null) return null;
    const problems = estimate.problems.map((problem) => inLanguage(problem, language));
    const amount = amountOf(estimate.estimatedUnits, unitPrice);
    const unknown = { unitsWithPermission: null, currentBalance: null, sufficient: null };
    return { ...estimate, ...unknown, problems, dataset: name, amount };
  }

  @FieldResolver(() => RegistryEarlierAnswers, {
    nullable: true,
    description:
      'Questions of the batch that earlier batches of its client have answered for its purpose, as found when it was priced. With `maxAge`, only answers that are not older count. If it is not null, `startRegistryBatch` needs `earlierAnswers`. Null if there are none, if the price is not known, or in sandbox mode.',
  })
  async earlierAnswers(
    @Root() { view }: RegistryBatch,
    @Ctx() context: Context,
  ): Promise<RegistryEarlierAnswers | null> {
    const { earlier, reusing, estimatedUnits = 0 } = view.batch.estimate ?? {};
    const batches = await requireBatches(context).earlierBatches(view);
    if (!earlier || batches.length === 0) return null;
    const { count: questions, latest } = earlier;
    return {
      questions,
      latestAt: new Date(latest),
      batches,
      estimatedUnits: reusing?.estimatedUnits ?? estimatedUnits,
    };
  }

  @FieldResolver(() => RegistryProblem, {
    nullable: true,
    description:
      'Why this caller cannot start the batch although it is READY: `startRegistryBatch` would return this problem. Examples are endpoints that are not allowed in batches, an unknown price, a row that costs more than the limit, a missing scope, or a choice about `earlierAnswers`. Null if the caller can start it, and in every other state.',
  })
  startProblem(@Root() { view }: RegistryBatch, @Ctx() context: Context): Promise<Problem | null> {
    return requireBatches(context).findStartProblem(view);
  }

  @FieldResolver(() => [String], {
    description:
      'Endpoints that the batch calls and the service does not allow in batches. If there are any, the batch cannot start.',
  })
  barredEndpoints(@Root() { view }: RegistryBatch): readonly string[] {
    return view.batch.disallowedEndpoints;
  }

  @FieldResolver(() => [RegistryBatchRefusedRow], { description: 'Refused rows of the file, the first 1,000.' })
  refusedRows(@Root() { view }: RegistryBatch, @Ctx() context: Context): readonly RegistryBatchRefusedRow[] {
    return requireBatches(context)
      .refusedRows(view)
      .map(({ reason, ...row }) => ({ ...row, message: say(reason, context.language) }));
  }

  @FieldResolver(() => RegistryBatchRowPage, {
    nullable: true,
    description:
      'The rows, in the order of the dataset. Without `state`, refused rows are left out. A page ends before `first` rows when it reaches LIMIT_ANSWER_BYTES: continue from `next`.',
  })
  async rows(
    @Root() { view }: RegistryBatch,
    @Arg('state', () => RegistryRowState, { nullable: true, description: 'Only rows in this state.' })
    state: RowState | null,
    @Arg('doubtful', () => Boolean, {
      defaultValue: false,
      description: 'True: only rows that `progress.doubtful` counts, instead of those in a `state`.',
    })
    doubtful: boolean,
    @Arg('first', () => Int, { defaultValue: 100, description: 'Page size, 500 at most.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: '`next` of the previous page.' }) after: string | null,
    @Ctx() context: Context,
  ): Promise<RegistryBatchRowPage> {
    checkFirst(first, maxRows);
    const batches = requireBatches(context);
    const filter = doubtful ? 'DOUBTFUL' : (state ?? 'ACCEPTED');
    const page = await batches.rows(view, filter, first, parseAfter(after));
    if (page === null)
      throw clientError(
        'OPERATION_TOO_LARGE',
        'The rows of this answer exceed LIMIT_ANSWER_BYTES. Read fewer pages in one request.',
        { limit: 'bytes', value: null },
      );
    const record = () => recordReading(context, batches.scopeFor(view), view.batch.id);
    return {
      rows: page.rows.map((row) => toRow(row, context.language, record)),
      next: page.next === null ? null : String(page.next),
    };
  }

  @FieldResolver(() => Url, {
    nullable: true,
    description:
      'Address to which you POST the rows as CSV, as an Excel workbook (.xlsx) or as JSON lines, as the raw body or in a multipart form. The link works for an hour, for anyone who has it, until the batch has rows or is erased (`expiresAt`). It gives no other access. After a rejected file, send the corrected one to the same address.',
  })
  uploadUrl(@Root() { view }: RegistryBatch, @Ctx() context: Context): string | null {
    return view.batch.state === 'WAITING_FOR_ROWS' ? (requireBatches(context).links(view)?.upload ?? null) : null;
  }

  @FieldResolver(() => Url, {
    nullable: true,
    description:
      'Download of all rows as JSON lines, for programs. Refused rows are included. The link works for ten minutes, for anyone who has it, and gives no other access. Null until there are results.',
  })
  jsonlUrl(@Root() { view }: RegistryBatch, @Ctx() context: Context): string | null {
    return hasResults(view.batch.state) ? (requireBatches(context).links(view)?.jsonl ?? null) : null;
  }

  @FieldResolver(() => Url, {
    nullable: true,
    description:
      'Download of all rows as a CSV table: the columns of the dataset, then the state, the problem and the answers. No cell is run as a formula. Excel removes leading zeros when it opens CSV: use `xlsxUrl`. The link works like that of `jsonlUrl`.',
  })
  csvUrl(@Root() { view }: RegistryBatch, @Ctx() context: Context): string | null {
    return hasResults(view.batch.state) ? (requireBatches(context).links(view)?.csv ?? null) : null;
  }

  @FieldResolver(() => Url, {
    nullable: true,
    description:
      'Download of all rows as an Excel workbook (`.xlsx`) with the same table as `csvUrl`. Identifiers are text, with their leading zeros. The link works like that of `jsonlUrl`.',
  })
  xlsxUrl(@Root() { view }: RegistryBatch, @Ctx() context: Context): string | null {
    return hasResults(view.batch.state) ? (requireBatches(context).links(view)?.xlsx ?? null) : null;
  }
}

export async function resolveBatchReference(
  key: { readonly id?: unknown },
  context: Context,
): Promise<RegistryBatch | null> {
  if (typeof key.id !== 'string') return null;
  const view = await requireBatches(context).get(key.id);
  return view === null ? null : toBatch(view, context.now());
}

const hasResults = (state: BatchState): boolean =>
  state === 'RUNNING' || state === 'PAUSED' || state === 'DONE' || state === 'CANCELED';

function checkFirst(first: number, allowed: number): void {
  if (first >= 1 && first <= allowed) return;
  throw invalidInput(`\`first\` must be between 1 and ${allowed}.`);
}

function parseAfter(after: string | null): number {
  if (after === null) return 0;
  if (!/^\d{1,9}$/.test(after)) throw invalidInput('`after` is not a cursor. Use `next` of the previous page.');
  return Number(after);
}
