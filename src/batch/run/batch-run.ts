import type { PayerCalls } from '../../money/calls/call';
import { Savings } from '../../money/units/savings';
import type { Problem, ProblemCode } from '../../registry/answer/problem';
import type { RegistryName } from '../../registry/endpoint/endpoint';
import { StatementBatcher, untilAvailable } from '../../store/statement-batcher';
import type { Language } from '../../text/text';
import type { BatchPause, RowResult } from '../batch';
import type { BatchOperation } from '../operation';
import type { BatchStore } from '../storage/batch-store';
import type { FinishedRow, LeasedRow, RowStore } from '../storage/row-store';
import { BatchDataSource } from './batch-data-source';
import type { LastingFailure, RowServices } from './dependencies';

/** Maximum tries of a row with temporary failures that cost nothing. */
const maxTries = 5;
/** Tries that a row uses up when it pauses the batch, so that the same row cannot pause the batch again and again. */
const triesPerPause = 2;
const rowBackoffMs = 1_000;
const maxRowBackoffMs = 60_000;

const noResult = { units: null, uncertain: null, savings: [], retryable: false, result: null, subjects: [] } as const;

/** Returns the row as WAITING, with its tries reset, because the failure that paused the batch affects many rows. */
function resetTries({ number }: LeasedRow): FinishedRow {
  return { number, state: 'WAITING', ...noResult, delay: null, tries: 0 };
}

function toWaiting(row: LeasedRow, source: BatchDataSource): FinishedRow {
  const { interruption } = source;
  const waiting = { number: row.number, state: 'WAITING', ...noResult } as const;
  if (interruption?.kind === 'pause') return { ...waiting, delay: null, tries: row.tries + triesPerPause };
  if (interruption?.kind !== 'delay') return { ...waiting, delay: null, tries: row.tries };
  return { ...waiting, delay: delayMs(row.tries, interruption.retryAfter), tries: row.tries + 1 };
}

function delayMs(tries: number, retryAfter: number | null): number {
  const backoff = rowBackoffMs * 2 ** tries * (0.5 + Math.random());
  return Math.min(maxRowBackoffMs, Math.max(backoff, (retryAfter ?? 0) * 1_000));
}

function toPause({ retryAfter, budget, message, spanish = message }: Problem): BatchPause {
  const ms = retryAfter === null ? null : Date.now() + retryAfter * 1_000;
  return {
    // A retry is due after whole seconds.
    until: ms === null ? null : new Date(ms - (ms % 1_000)).toISOString(),
    budget: budget === undefined ? null : { id: budget, message, spanish },
  };
}

function isSystemic(code: ProblemCode): boolean {
  return systemicProblems.has(code);
}

const systemicProblems: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'RATE_LIMITED',
  'REGISTRY_PAUSED',
  'REGISTRY_UNREACHABLE',
  'TOO_MANY_CALLS',
  'LEDGER_UNAVAILABLE',
]);

export interface RunDependencies extends RowServices {
  readonly worker: string;
  /** Number of the run. Another run of the same batch may have another token, caller and ceiling. */
  readonly run: number;
  readonly operation: BatchOperation;
  readonly language: Language;
  readonly rows: RowStore;
  readonly batches: BatchStore;
  readonly savings: Pick<PayerCalls, 'recordSavings'>;
  readonly maxRows: () => number;
}

const pollMs = 200;
const maxBackoffMs = 10_000;
/** Number of consecutive rows that may fail at a registry before the batch is paused. */
const maxFailedRows = 10;

export class BatchRun {
  private readonly active = new Map<number, Promise<void>>();
  private readonly finishedRows: StatementBatcher<FinishedRow, undefined>;
  private onRowEnd: (() => void) | null = null;
  /** Time until which no rows are leased, because a failure affects all of them. */
  private backoffUntil = 0;
  /** Number of consecutive rows that failed at each registry, and the number of its answers at that time. */
  private readonly failedRows = new Map<RegistryName, { readonly count: number; readonly answers: number }>();
  readonly ended: Promise<void>;

  constructor(
    private readonly dependencies: RunDependencies,
    private readonly onError: (error: unknown) => void,
  ) {
    this.finishedRows = new StatementBatcher((rows) => this.finishAll(rows));
    this.ended = this.runRows().catch((error: unknown) => this.onError(error));
  }

  private async runRows(): Promise<void> {
    const { scope } = this.dependencies;
    while (!scope.signal.aborted) {
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

  /** Waits for `pollMs`. If `isFixed` is false, the end of a row ends the wait. */
  private wait(isFixed: boolean): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      this.onRowEnd = isFixed
        ? null
        : () => {
            clearTimeout(timer);
            resolve();
          };
    });
  }

  private lease(count: number): Promise<readonly LeasedRow[]> {
    const { rows, worker, run, scope } = this.dependencies;
    let isFirstTry = true;
    return untilAvailable(async () => {
      if (!isFirstTry) await rows.releaseExcept(worker, [...this.active.keys()]);
      isFirstTry = false;
      return rows.lease(worker, run, count);
    }, scope.signal);
  }

  /**
   * Releases the rows that the store assigns to this worker although no row is active, for example after a backup was
   * restored.
   */
  private async releaseOrphans(): Promise<void> {
    const { rows, worker, scope } = this.dependencies;
    await untilAvailable(() => rows.release(worker), scope.signal);
  }

  private async isRunning(): Promise<boolean> {
    const { batches, share, run, scope } = this.dependencies;
    const found = await untilAvailable(() => batches.get(share.batch), scope.signal);
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
    const source = new BatchDataSource(this.dependencies, row, row.tries >= maxTries - 1);
    const { data, errors } = await this.execute(row, source);
    // The answers are written before the row, so that a row in the store always has its answers.
    await source.payerCalls.written(this.dependencies.scope.signal);
    if (source.interruption !== null) return await this.requeue(row, source);
    if (source.lastingFailure !== null && (await this.pauseIfSystemic(source.lastingFailure)))
      return void (await this.finishedRows.add(resetTries(row)));
    const { lookups, problems, spent: units, uncertain, savings, hasUnknown, hasFailed, maySucceed } = source.units;
    const result: RowResult = { data, errors, lookups, problems: [...problems.values()] };
    const failed = hasFailed || errors.length > 0;
    const state = hasUnknown ? 'UNKNOWN' : failed ? 'FAILED' : 'DONE';
    const subjects = [...source.subjects];
    await this.finishedRows.add({
      number: row.number,
      state,
      delay: null,
      tries: 0,
      units,
      uncertain,
      savings: savings.all,
      // padron does not know the cause of an error, so the row may succeed.
      retryable: maySucceed || errors.length > 0,
      doubtful: state === 'DONE' && source.units.isDoubtful,
      result,
      subjects,
    });
  }

  private async execute(row: LeasedRow, dataSource: BatchDataSource): Promise<Pick<RowResult, 'data' | 'errors'>> {
    const { operation, scope, language } = this.dependencies;
    try {
      const isInterrupted = (): boolean => dataSource.interruption !== null;
      return await operation.run(row.input.variables, { dataSource, scope, language, isInterrupted });
    } catch (error) {
      // If the operation throws, the row fails. Its paid answers stay in the store.
      this.onError(error);
      return { data: null, errors: [{ message: 'Internal error.' }] };
    }
  }

  private async requeue(row: LeasedRow, source: BatchDataSource): Promise<void> {
    const waiting = toWaiting(row, source);
    const { interruption } = source;
    if (interruption?.kind === 'pause') await this.pause(interruption.problem);
    if (interruption?.kind === 'delay' && isSystemic(interruption.code))
      this.backoffUntil = performance.now() + Math.min(maxBackoffMs, waiting.delay ?? 0);
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

  private async pause(problem: Problem): Promise<void> {
    const { batches, share, run, scope } = this.dependencies;
    await untilAvailable(() => batches.pause(share.batch, problem.code, run, toPause(problem)), scope.signal);
  }

  private async finishAll(rows: readonly FinishedRow[]): Promise<readonly undefined[]> {
    const { rows: store, worker, scope, observer, savings: recorder } = this.dependencies;
    await untilAvailable(() => store.finish(worker, rows), scope.signal);
    // One entry sums up many rows, because thousands of rows may share an answer.
    const savings = new Savings();
    for (const saving of rows.flatMap((row) => row.savings)) savings.addSaving(saving);
    recorder.recordSavings(savings.all);
    for (const { state } of rows) if (state !== 'WAITING') observer.recordRow(state);
    return rows.map(() => undefined);
  }
}
