import type { EarlierOperations } from '../../../money/answers/operations/lasting-operations';
import type { PayerCalls } from '../../../money/calls/life/call';
import { Savings, UnitMeter } from '../../../money/calls/units/unit-meter';
import { type Problem, problem } from '../../../registry/answer/problem';
import { readReference } from '../../../registry/caller';
import type { RequestScope } from '../../../registry/client/client';
import type { AnyEndpoint, RegistryName } from '../../../registry/endpoint/endpoint';
import { retryUntilAvailable, StatementBatcher } from '../../../store/statement-batcher';
import { times } from '../../../times';
import type { BatchPause, RowResult } from '../batch';
import { batchCodes } from '../codes';
import type { OpenBatch } from '../open-batch';
import type { OperationReader, RowAnswer } from '../operation';
import type { BatchStore } from '../storage/batch-store';
import type { FinishedRow, LeasedRow, RowStore } from '../storage/row-store';
import type { Interruption, LastingFailure, RowServices } from './dependencies';
import { fullNamesOf, RowRecord } from './row-record';
import { isSystemic } from './temporary-failure';

/** Maximum tries of a row with temporary failures that cost nothing. */
const maxTries = 5;
/** Tries that a row uses up when it pauses the batch, so that the same row cannot pause the batch again and again. */
const triesPerPause = 2;

const noResult = { units: null, uncertain: null, savings: [], retryable: false, result: null } as const;

/** Returns the row as WAITING, with its tries reset, because the failure that paused the batch affects many rows. */
function resetTries({ number }: LeasedRow, subjects: readonly string[]): FinishedRow {
  return { number, state: 'WAITING', ...noResult, subjects, delay: null, tries: 0 };
}

/** Returns the row as WAITING, with the people that it has asked about, so that an erasure finds it. */
function toWaiting(row: LeasedRow, interruption: Interruption, subjects: readonly string[]): FinishedRow {
  const waiting = { number: row.number, state: 'WAITING', ...noResult, subjects } as const;
  if (interruption.kind === 'pause') return { ...waiting, delay: null, tries: row.tries + triesPerPause };
  if (interruption.kind !== 'delay') return { ...waiting, delay: null, tries: row.tries };
  return { ...waiting, delay: delayMs(row.tries, interruption.retryAfter), tries: row.tries + 1 };
}

function delayMs(tries: number, retryAfter: number | null): number {
  const { first, max } = times.rowRetry;
  const backoff = first * 2 ** tries * (0.5 + Math.random());
  return Math.min(max, Math.max(backoff, (retryAfter ?? 0) * 1_000));
}

function toPause({ retryAfter, budget, message, spanish = message }: Problem): BatchPause {
  const ms = retryAfter === null ? null : Date.now() + retryAfter * 1_000;
  return {
    // A retry is due after whole seconds.
    until: ms === null ? null : new Date(ms - (ms % 1_000)).toISOString(),
    budget: budget === undefined ? null : { id: budget, message, spanish },
  };
}

export interface RunDependencies extends RowServices {
  readonly worker: string;
  readonly open: OpenBatch;
  /** Scope of all calls of the batch, which therefore takes one turn among the requests of its account. */
  readonly scope: RequestScope;
  /** Earlier batches whose answers the rows use. */
  readonly earlier: EarlierOperations | null;
  /** Maximum units of each row. Null without a limit. */
  readonly rowUnits: number | null;
  readonly operations: OperationReader;
  readonly rows: RowStore;
  readonly batches: BatchStore;
  readonly savings: Pick<PayerCalls, 'recordSavings'>;
  readonly maxRows: () => number;
  readonly hasPricesInForce: () => boolean;
}

/** The limit of a batch is in the store, and a row asks for no retries. */
const noLimit = { retriesUnknown: false, maxUnits: null, left: null } as const;

/** Number of consecutive rows that may fail at a registry, or whose units may be unknown, before the batch is paused. */
const maxFailedRows = 10;

export class BatchRun {
  private readonly active = new Map<number, Promise<void>>();
  private readonly finishedRows: StatementBatcher<FinishedRow, undefined>;
  private onRowEnd: (() => void) | null = null;
  /** Time until which no rows are leased, because a failure affects all of them. */
  private backoffUntil = 0;
  /** Number of consecutive rows that failed at each registry, and the number of its answers at that time. */
  private readonly failedRows = new Map<RegistryName, { readonly count: number; readonly answers: number }>();
  /** Number of consecutive rows with calls whose units are unknown. */
  private unknownRows = 0;
  /** Whether this run has paused its batch because of unknown units. Its rows make no further calls. */
  private hasStopped = false;
  private readonly controllers = new Set<AbortController>();
  readonly ended: Promise<void>;

  constructor(
    private readonly dependencies: RunDependencies,
    private readonly onError: (error: unknown) => void,
  ) {
    this.finishedRows = new StatementBatcher((rows) => this.finishAll(rows));
    const stopRows = (): void => this.stopRows();
    this.signal.addEventListener('abort', stopRows);
    this.ended = this.runRows()
      .catch((error: unknown) => this.onError(error))
      .finally(() => this.signal.removeEventListener('abort', stopRows));
  }

  private get signal(): AbortSignal {
    return this.dependencies.scope.signal;
  }

  /** Ends the calls that are not sent yet. Those that run already are answered and written. */
  private stopRows(): void {
    for (const controller of this.controllers) controller.abort();
  }

  private async runRows(): Promise<void> {
    while (!this.signal.aborted && this.dependencies.hasPricesInForce()) {
      const maxRows = this.dependencies.maxRows();
      const free = maxRows - this.active.size;
      const isBackingOff = performance.now() < this.backoffUntil;
      // Rows are leased in groups, because a statement per row would take longer than the row.
      if (isBackingOff || free * 4 < maxRows) {
        await this.wait(isBackingOff);
        continue;
      }
      const rows = await this.lease(free);
      for (const row of rows) this.start(row);
      if (rows.length > 0) continue;
      if (this.active.size === 0 && !(await this.isRunning())) break;
      if (this.active.size === 0) await this.releaseOrphans();
      await this.wait(true);
    }
    await Promise.all(this.active.values());
  }

  /** Waits until the next look for rows. If `isFixed` is false, the end of a row ends the wait. */
  private wait(isFixed: boolean): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, times.rowPoll);
      this.onRowEnd = isFixed
        ? null
        : () => {
            clearTimeout(timer);
            resolve();
          };
    });
  }

  private lease(count: number): Promise<readonly LeasedRow[]> {
    const { rows, worker, open } = this.dependencies;
    let isFirstTry = true;
    return retryUntilAvailable(async () => {
      if (!isFirstTry) await rows.releaseExcept(worker, [...this.active.keys()]);
      isFirstTry = false;
      return rows.lease(worker, open.batch.run, count);
    }, this.signal);
  }

  /** Releases the rows that the store assigns to this worker although no row is active, for example after a backup was restored. */
  private async releaseOrphans(): Promise<void> {
    const { rows, worker } = this.dependencies;
    await retryUntilAvailable(() => rows.release(worker), this.signal);
  }

  private async isRunning(): Promise<boolean> {
    const { batches, open } = this.dependencies;
    const { id, run } = open.batch;
    const found = await retryUntilAvailable(() => batches.get(id), this.signal);
    return found?.state === 'RUNNING' && found.run === run;
  }

  private start(row: LeasedRow): void {
    const run = this.runRow(row)
      .catch((error: unknown) => this.onError(error))
      .finally(() => {
        this.active.delete(row.number);
        this.onRowEnd?.();
      });
    this.active.set(row.number, run);
  }

  private async runRow(row: LeasedRow): Promise<void> {
    const { open, earlier, scope } = this.dependencies;
    const { batch } = open;
    const payer = `${batch.id} ${row.number}`;
    const lasting = { id: batch.id, key: open.key, run: batch.run, payer, earlier, ...noLimit };
    const isLastTry = row.tries >= maxTries - 1;
    const fullNames = fullNamesOf(open.header, row.input);
    const canAfford = (each: AnyEndpoint): boolean => units.canAfford(scope.prices.costOf(each, scope.caller.sandbox));
    const record = new RowRecord(this.dependencies, isLastTry, canAfford, fullNames);
    const units: UnitMeter = new UnitMeter(this.dependencies.rowUnits, record, null, lasting);
    const { data, errors, savings } = await this.execute(row, units);
    const { interruption, lastingFailure } = record;
    const subjects = [...record.subjects];
    await this.pauseIfUnknown(record);
    if (interruption !== null) return this.requeue(row, interruption, subjects);
    if (lastingFailure !== null && (await this.pauseIfSystemic(lastingFailure)))
      return void (await this.finishedRows.add(resetTries(row, subjects)));
    const { lookups, problems, hasUnknown, hasFailed, maySucceed, isDoubtful } = record;
    const result: RowResult = { data, errors, lookups, problems: [...problems.values()] };
    const state = hasUnknown ? 'UNKNOWN' : hasFailed || errors.length > 0 ? 'FAILED' : 'DONE';
    await this.finishedRows.add({
      number: row.number,
      state,
      delay: null,
      tries: 0,
      units: units.spent,
      uncertain: units.uncertain,
      savings,
      // padron does not know the cause of an error, so the row may succeed.
      retryable: maySucceed || errors.length > 0,
      doubtful: state === 'DONE' && isDoubtful,
      result,
      subjects,
    });
  }

  /** Runs a row as a request. Each has its own signal, because a request leaves a listener on it. */
  private async execute({ input }: LeasedRow, units: UnitMeter): Promise<RowAnswer> {
    const { open, scope, operations } = this.dependencies;
    const { batch, header } = open;
    const { client, tag, purpose, actor, language } = batch;
    const { operation: query, operationName } = header;
    const reference = input.ref === null ? null : readReference(input.ref);
    const controller = new AbortController();
    this.controllers.add(controller);
    if (this.signal.aborted || this.hasStopped) controller.abort();
    try {
      return await operations.runRow({
        query,
        operationName,
        variables: input.variables,
        language,
        scope: { ...scope, signal: controller.signal },
        units,
        // A label that is too long for a reference stays a label of the batch.
        labels: { client, tag, purpose, actor, reference },
        batch: batch.id,
        // Every answer from before is too old if the caller pays again.
        maxAgeMs: header.maxAgeMs !== null && batch.usesEarlier === false ? 0 : header.maxAgeMs,
      });
    } catch (error) {
      // If the operation throws, the row fails. Its paid answers stay in the store.
      this.onError(error);
      return { data: null, errors: [{ message: 'Internal error.' }], savings: [] };
    } finally {
      this.controllers.delete(controller);
    }
  }

  private async requeue(row: LeasedRow, interruption: Interruption, subjects: readonly string[]): Promise<void> {
    const waiting = toWaiting(row, interruption, subjects);
    if (interruption.kind === 'pause') await this.pause(interruption.problem);
    if (interruption.kind === 'delay' && isSystemic(interruption.code))
      this.backoffUntil = performance.now() + Math.min(times.batchPause, waiting.delay ?? 0);
    await this.finishedRows.add(waiting);
  }

  /**
   * Pauses the batch if many consecutive rows failed at a registry that answered nothing in between. Then the cause is the
   * account or the registry, not the rows. Returns whether it paused the batch.
   */
  private async pauseIfSystemic({ problem, registry }: LastingFailure): Promise<boolean> {
    if (!isSystemic(problem.code)) return false;
    const answers = this.dependencies.answerCounts.get(registry) ?? 0;
    const previous = this.failedRows.get(registry);
    const count = previous?.answers === answers ? previous.count + 1 : 1;
    this.failedRows.set(registry, { count, answers });
    if (count < maxFailedRows) return false;
    await this.pause(problem);
    return true;
  }

  /** Pauses the batch if a refusal was charged, or if many consecutive rows have made calls whose units are unknown: each further row may pay for nothing too. */
  private async pauseIfUnknown({ hasUncertainCall, isAnswered, paidRefusal }: RowRecord): Promise<void> {
    if (hasUncertainCall) this.unknownRows += 1;
    else if (isAnswered) this.unknownRows = 0;
    const isUnknown = hasUncertainCall && this.unknownRows === maxFailedRows;
    const reason = paidRefusal ?? (isUnknown ? problem(batchCodes.ROWS_UNKNOWN) : null);
    if (reason === null) return;
    this.hasStopped = true;
    this.stopRows();
    await this.pause(reason);
  }

  private async pause(problem: Problem): Promise<void> {
    const { batches, open } = this.dependencies;
    const { id, run } = open.batch;
    await retryUntilAvailable(() => batches.pause(id, problem.code, run, toPause(problem)), this.signal);
  }

  private async finishAll(rows: readonly FinishedRow[]): Promise<readonly undefined[]> {
    const { rows: store, worker, observer, savings: recorder } = this.dependencies;
    await retryUntilAvailable(() => store.finish(worker, rows), this.signal);
    // One entry sums up many rows, because thousands of rows may share an answer.
    const savings = new Savings();
    for (const saving of rows.flatMap((row) => row.savings)) savings.addSaving(saving);
    recorder.recordSavings(savings.all);
    for (const { state } of rows) if (state !== 'WAITING') observer.recordRow(state);
    return rows.map(() => undefined);
  }
}
