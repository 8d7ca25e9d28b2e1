import type { Language, ProblemCode } from '../../registry/answer/problem';
import type { RegistryName } from '../../registry/endpoint/endpoint';
import { StatementBatcher, untilAvailable } from '../../store/statement-batcher';
import type { BatchOperation, RowResult } from '../batch';
import type { BatchStore } from '../storage/batch-store';
import type { FinishedRow, LeasedRow, RowStore } from '../storage/row-store';
import { BatchDataSource } from './batch-data-source';
import { concernsAccount, maxTries, toUntried, toWaiting } from './row-schedule';
import type { Exhausted, RowServices } from './row-services';

/** Dependencies of a worker's run of a batch. */
export interface RunParts extends RowServices {
  readonly worker: string;
  /** The run of the batch that these serve: another one may have another token, caller and ceiling. */
  readonly run: number;
  readonly operation: BatchOperation;
  readonly language: Language;
  readonly rows: RowStore;
  readonly batches: BatchStore;
  /** Rows that are under way at once. */
  readonly maxRows: number;
}

const pollMs = 200;
const maxHoldMs = 10_000;
/** Rows in a row that gave up on something which concerns them all. */
const maxExhausted = 10;

/** A worker's run of a batch: leases rows, runs them, and writes their results. */
export class BatchRun {
  private readonly active = new Map<number, Promise<void>>();
  private readonly finished: StatementBatcher<FinishedRow, undefined>;
  private onRowEnd: (() => void) | null = null;
  private heldUntil = 0;
  /** Rows in a row that gave up on a registry, and how often that registry had answered by then. */
  private readonly exhausted = new Map<RegistryName, { readonly count: number; readonly answers: number }>();
  readonly ended: Promise<void>;

  constructor(
    private readonly parts: RunParts,
    private readonly onFault: (error: unknown) => void,
  ) {
    this.finished = new StatementBatcher((rows) => this.finishAll(rows));
    this.ended = this.work().catch((error: unknown) => this.onFault(error));
  }

  private async work(): Promise<void> {
    const { maxRows, scope } = this.parts;
    while (!scope.signal.aborted) {
      const free = maxRows - this.active.size;
      const isHeld = performance.now() < this.heldUntil;
      // Rows are taken by the dozen: a statement for each would take longer than the row.
      if (isHeld || free * 4 < maxRows) {
        await this.wait(isHeld);
        continue;
      }
      const rows = await this.lease(free);
      for (const row of rows) this.start(row);
      if (rows.length > 0) continue;
      if (this.active.size === 0 && !(await this.isRunning())) break;
      if (this.active.size === 0) await this.dropForgotten();
      await this.wait(true);
    }
    await Promise.all(this.active.values());
  }

  /** Waits for `pollMs`. Unless `forTime` is true, stops waiting when a row has ended. */
  private wait(forTime: boolean): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      this.onRowEnd = forTime
        ? null
        : () => {
            clearTimeout(timer);
            resolve();
          };
    });
  }

  private lease(count: number): Promise<readonly LeasedRow[]> {
    const { rows, worker, run, scope } = this.parts;
    let isFirst = true;
    return untilAvailable(async () => {
      if (!isFirst) await rows.giveBack(worker, [...this.active.keys()]);
      isFirst = false;
      return rows.lease(worker, run, count);
    }, scope.signal);
  }

  /**
   * Drops the rows that the store still assigns to this worker although none is active, for example after a restored
   * backup.
   */
  private async dropForgotten(): Promise<void> {
    const { rows, worker, scope } = this.parts;
    await untilAvailable(() => rows.drop(worker), scope.signal);
  }

  private async isRunning(): Promise<boolean> {
    const { batches, answers, run, scope } = this.parts;
    const found = await untilAvailable(() => batches.get(answers.batch), scope.signal);
    return found?.state === 'RUNNING' && found.run === run;
  }

  private start(row: LeasedRow): void {
    const run = this.runRow(row)
      .catch((error: unknown) => this.onFault(error))
      .finally(() => {
        this.active.delete(row.number);
        this.onRowEnd?.();
      });
    this.active.set(row.number, run);
  }

  private async runRow(row: LeasedRow): Promise<void> {
    const source = new BatchDataSource(this.parts, row.number, row.tries >= maxTries - 1);
    const { data, errors } = await this.execute(row, source);
    // A row that is written has all its answers written.
    await this.parts.answers.questions.settled();
    if (source.interruption !== null) return await this.putBack(row, source);
    if (source.exhausted !== null && (await this.pauseIfSystemic(source.exhausted)))
      return void (await this.finished.add(toUntried(row)));
    const { lookups, problems, spent: units, uncertain, saved, hasUnknown, hasFailed } = source.units;
    const result: RowResult = { data, errors, lookups, problems: [...problems.values()] };
    const failed = hasFailed || errors.length > 0;
    const state = hasUnknown ? 'UNKNOWN' : failed ? 'FAILED' : 'DONE';
    const subjects = [...source.subjects];
    await this.finished.add({
      number: row.number,
      state,
      delay: null,
      tries: 0,
      units,
      uncertain,
      saved,
      result,
      subjects,
    });
  }

  private async execute(row: LeasedRow, dataSource: BatchDataSource): Promise<Pick<RowResult, 'data' | 'errors'>> {
    const { operation, scope, language } = this.parts;
    try {
      const isInterrupted = (): boolean => dataSource.interruption !== null;
      return await operation.run(row.input.variables, { dataSource, scope, language, isInterrupted });
    } catch (error) {
      // An operation that fails is a failure of the row. Its paid answers are kept.
      this.onFault(error);
      return { data: null, errors: [{ message: 'padron failed on this row.' }] };
    }
  }

  private async putBack(row: LeasedRow, source: BatchDataSource): Promise<void> {
    const waiting = toWaiting(row, source);
    const { interruption } = source;
    if (interruption?.kind === 'pause') await this.pause(interruption.code);
    if (interruption?.kind === 'delay' && concernsAccount(interruption.code))
      this.heldUntil = performance.now() + Math.min(maxHoldMs, waiting.delay ?? 0);
    await this.finished.add(waiting);
  }

  /**
   * Pauses the batch if many rows in a series failed without an answer in between, because then the cause is the
   * account or the registry.
   */
  private async pauseIfSystemic({ code, registry }: Exhausted): Promise<boolean> {
    if (!concernsAccount(code)) return false;
    const answers = this.parts.answers.answered.get(registry) ?? 0;
    const before = this.exhausted.get(registry);
    const count = before?.answers === answers ? before.count + 1 : 1;
    this.exhausted.set(registry, { count, answers });
    if (count < maxExhausted) return false;
    await this.pause(code);
    return true;
  }

  private async pause(code: ProblemCode): Promise<void> {
    const { batches, answers, run, scope } = this.parts;
    await untilAvailable(() => batches.pause(answers.batch, code, run), scope.signal);
  }

  private async finishAll(rows: readonly FinishedRow[]): Promise<readonly undefined[]> {
    const { rows: store, worker, scope, observer } = this.parts;
    await untilAvailable(() => store.finish(worker, rows), scope.signal);
    for (const { state } of rows) if (state !== 'WAITING') observer.recordRow(state);
    return rows.map(() => undefined);
  }
}
