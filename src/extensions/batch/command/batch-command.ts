import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getOperationAST, parse, print } from 'graphql';
import { withoutDamage } from '../../../identifiers/text';
import { withoutDescriptions } from '../../../identifiers/without-descriptions';
import { type CommandEnvironment, exitCodes, FileError } from '../../../terminal/command';
import { RequestFailedError, UnavailableError } from '../../../terminal/graph-client';
import { toTerminal, toVisible } from '../../../terminal/terminal-text';
import { type BatchArguments, parseBatch } from './batch-arguments';
import { BatchClient, type BatchStatus } from './batch-client';
import { type BatchTexts, textsIn } from './batch-texts';
import { isSameFile } from './result-file';
import { describeEnd, describePrice, describeUpload, maxLines, ProgressBar, type Screen } from './screen';

const screen: Screen = {
  isTerminal: process.stderr.isTTY === true,
  columns: process.stderr.columns ?? 80,
  write: (text) => void process.stderr.write(toTerminal(text)),
  redraw: (line) => void process.stderr.write(`\r\u001b[K${toTerminal(line)}`),
};

export async function runBatch(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  const command = new BatchCommand(parseBatch(args, environment), screen);
  const interrupt = (): void =>
    void command.interrupt().then((isEnding) => isEnding || process.exit(exitCodes.notFinished));
  process.once('SIGINT', interrupt);
  return command.run().finally(() => process.off('SIGINT', interrupt));
}

const pollMs = 500;
const firstPollMs = 50;

/** Prices a dataset, runs the batch within its limit, and downloads the results. If it is run again, it resumes the same batch. */
export class BatchCommand {
  private readonly client: BatchClient;
  private readonly texts: BatchTexts;
  private readonly out: string;
  private readonly reconnection: Reconnection;
  private id: string | null = null;

  constructor(
    private readonly args: BatchArguments,
    private readonly screen: Screen,
  ) {
    this.client = new BatchClient(args.url, args.token, args.language);
    this.texts = textsIn(args.language);
    this.out = args.out ?? defaultOut(args.dataset, this.texts.resultsName);
    this.reconnection = new Reconnection(this.client, args.waitMs, screen, this.texts, args.retry !== null);
  }

  async run(): Promise<number> {
    const { maxUnits, dataset, operation, earlier } = this.args;
    for (const input of [dataset, operation])
      if (isSameFile(this.out, input)) throw new FileError(this.texts.outIsInput(this.out));
    // A second call finds the same batch by its key.
    const ready = await this.reconnection.keepTrying(() => this.prepare());
    const mustChoose = ready.startProblem?.code === 'EARLIER_ANSWERS';
    const isChosen = mustChoose && earlier !== null;
    this.screen.write(describePrice(isChosen ? { ...ready, startProblem: null } : ready, this.texts));
    if (maxUnits === null) {
      if (ready.startProblem !== null && !mustChoose) return exitCodes.requestFailed;
      const { alreadyDone, priced } = this.texts;
      this.screen.write(`${ready.state === 'DONE' ? alreadyDone : priced(this.stateName(ready.state))}\n`);
      return exitCodes.done;
    }
    await this.reconnection.keepTrying(async (isRepeated) =>
      this.begin(isRepeated ? await this.client.get(ready.id) : ready, maxUnits, isRepeated),
    );
    return this.finish(await this.watch(ready.id));
  }

  /** Pauses the batch. Returns whether the command ends automatically when the running calls have ended. */
  async interrupt(): Promise<boolean> {
    if (this.id === null) return false;
    const isPaused = await this.client.pause(this.id).then(
      () => true,
      () => false,
    );
    const { interrupted, continues } = this.texts;
    this.screen.write(`\n${isPaused ? interrupted : continues(this.args.retry !== null)}\n`);
    return isPaused;
  }

  private async prepare(): Promise<BatchStatus> {
    const { dataset, operation: file, name, refColumn, sheet, purpose, maxAge } = this.args;
    const text = await readFile(file, 'utf8').catch(() => {
      throw new FileError(this.texts.cannotRead(file));
    });
    const cannotReadDataset = (): never => {
      throw new FileError(this.texts.cannotRead(dataset));
    };
    await access(dataset).catch(cannotReadDataset);
    const columns = [...this.args.columns].sort((left, right) => (left.column < right.column ? -1 : 1));
    const choices = {
      ...(columns.length === 0 && refColumn === null ? {} : { columns, refColumn }),
      ...(sheet === null ? {} : { sheet }),
    };
    const asWritten = { operation: text, operationName: this.args.operationName };
    // A batch that was created with a chosen key has the operation as it was written.
    const submitted = this.args.key === null ? toCanonical(asWritten) : asWritten;
    const parts = [submitted.operation, submitted.operationName, ...Object.values(choices)];
    const key = this.args.key ?? (await keyOf(parts, dataset).catch(cannotReadDataset));
    const created = await this.client.create({
      ...submitted,
      key,
      name: name ?? withoutDamage(basename(dataset)),
      ...choices,
      ...(purpose === null ? {} : { purpose }),
      ...(maxAge === null ? {} : { maxAge }),
    });
    if (created.uploadUrl !== null)
      this.screen.write(describeUpload(await this.client.upload(created.uploadUrl, dataset), this.texts));
    return this.pollUntil(created.id, ({ state }) => state !== 'WAITING_FOR_ROWS' && state !== 'PRICING');
  }

  private async begin({ id, state, progress }: BatchStatus, maxUnits: number, isRepeated: boolean): Promise<void> {
    // If the response to a retry was lost, the retry may have finished. A second retry could be charged again.
    const retry = isRepeated ? null : this.args.retry;
    if (state === 'DONE' && retry === 'FAILED' && progress.failed > 0 && progress.retryable === 0)
      return this.screen.write(`${this.texts.noRetry}\n`);
    if (state !== 'DONE' || retry !== null) this.id = id;
    if (state === 'READY') await this.client.start(id, maxUnits, this.args.earlier);
    else if (retry !== null && (state === 'PAUSED' || state === 'DONE')) await this.client.retry(id, retry, maxUnits);
    else if (state === 'PAUSED') await this.client.resume(id, maxUnits);
  }

  private async watch(id: string): Promise<BatchStatus> {
    const bar = new ProgressBar(this.screen, this.texts);
    const ended = await this.pollUntil(
      id,
      // The rows that run when the batch is paused or canceled may still spend.
      ({ state, progress }) => state !== 'RUNNING' && progress.running === 0,
      (batch) => bar.show(batch),
    );
    bar.end();
    this.id = null;
    return ended;
  }

  private async finish(batch: BatchStatus): Promise<number> {
    const { state, reason, pausedUntil, progress, estimate } = batch;
    const lines =
      progress.doubtful === 0
        ? []
        : await this.reconnection.keepTrying(() => this.client.doubtfulLines(batch.id, maxLines));
    this.screen.write(describeEnd(batch, lines, this.texts));
    if (state !== 'DONE') {
      const cause = reason === null ? '' : `: ${toVisible(`${reason.message} (${reason.code})`)}`;
      this.screen.write(`${this.texts.stopped(this.stateName(state), cause)}\n`);
      const time = pausedUntil === null ? null : toLocal(pausedUntil);
      const price = estimate?.estimatedUnits ?? 0;
      const needed = reason?.code === 'UNIT_BUDGET_EXCEEDED' && price > (this.args.maxUnits ?? 0) ? price : null;
      if (state === 'PAUSED') this.screen.write(`${this.texts.resumes(time, needed, this.args.retry !== null)}\n`);
    }
    await this.reconnection.keepTrying(async (isRepeated) => {
      const url = urlOf(isRepeated ? await this.client.get(batch.id) : batch, this.out);
      if (url === null) return;
      await this.client.download(url, this.out);
      this.screen.write(`${(state === 'DONE' ? this.texts.results : this.texts.partialResults)(this.out)}\n`);
    });
    if (state !== 'DONE') return exitCodes.notFinished;
    const { rows, done, doubtful } = progress;
    return done === rows && doubtful + batch.refusedCount === 0 ? exitCodes.done : exitCodes.rowsFailed;
  }

  private stateName(state: string): string {
    return this.texts.states[state] ?? state;
  }

  private async pollUntil(
    id: string,
    isDone: (batch: BatchStatus) => boolean,
    onPoll: (batch: BatchStatus) => void = () => undefined,
  ): Promise<BatchStatus> {
    for (let wait = firstPollMs; ; wait = Math.min(pollMs, 2 * wait)) {
      const batch = await this.reconnection.keepTrying(() => this.client.get(id));
      onPoll(batch);
      if (isDone(batch)) return batch;
      await sleep(wait);
    }
  }
}

/** Returns a time in the zone of this machine, to the minute: `2026-11-25 00:00`. */
const toLocal = (time: string): string =>
  new Date(time).toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' });

const defaultOut = (dataset: string, name: string): string =>
  `${dataset.replace(/\.[^./]+$/, '')}.${name}.${/\.xlsx$/i.test(dataset) ? 'xlsx' : 'csv'}`;

function urlOf({ csvUrl, xlsxUrl, jsonlUrl }: BatchStatus, out: string): string | null {
  if (/\.xlsx$/i.test(out)) return xlsxUrl;
  return /\.jsonl$/i.test(out) ? jsonlUrl : csvUrl;
}

interface SubmittedOperation {
  readonly operation: string;
  readonly operationName: string | null;
}

/** Returns the operation without its comments, descriptions and layout, and with its name, as the explorer sends it. padron rejects an invalid one. */
function toCanonical({ operation, operationName }: SubmittedOperation): SubmittedOperation {
  try {
    const document = withoutDescriptions(parse(operation, { noLocation: true }));
    const name = getOperationAST(document, operationName)?.name?.value ?? operationName;
    return { operation: print(document), operationName: name };
  } catch {
    return { operation, operationName };
  }
}

/**
 * Returns the default key of the batch. The same dataset, operation and choices always have the same key. The explorer derives it in
 * the same way (`deriveKey`), so the command and the explorer resume each other's batches instead of paying twice.
 */
async function keyOf(parts: readonly unknown[], dataset: string): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(parts));
  for await (const chunk of createReadStream(dataset)) hash.update(chunk as Buffer);
  return `padron-batch-${hash.digest('base64url').slice(0, 32)}`;
}

const firstPauseMs = 500;
const maxPauseMs = 10_000;

class Reconnection {
  constructor(
    private readonly client: BatchClient,
    private readonly maxWaitMs: number,
    private readonly screen: Screen,
    private readonly texts: BatchTexts,
    private readonly hasRetry: boolean,
  ) {}

  /**
   * Calls `send`, and calls it again while padron is unavailable. `send` must read the state of the batch first, because the lost request
   * may have changed it. If padron has never answered, the first failure is final, because the address may be wrong.
   */
  async keepTrying<Result>(send: (isRepeated: boolean) => Promise<Result>): Promise<Result> {
    let giveUpAt = 0;
    for (let pause = firstPauseMs; ; pause = Math.min(maxPauseMs, 2 * pause)) {
      try {
        return await send(giveUpAt > 0);
      } catch (error) {
        if (!(error instanceof UnavailableError) || !this.client.hasAnswered) throw error;
        if (giveUpAt === 0) {
          giveUpAt = Date.now() + this.maxWaitMs;
          const waiting = this.texts.waiting(error.message, Math.round(this.maxWaitMs / 1_000));
          this.screen.write(`${this.screen.isTerminal ? '\n' : ''}${waiting}\n`);
        }
        if (Date.now() + pause > giveUpAt)
          throw new RequestFailedError(`${error.message}\n${this.texts.continues(this.hasRetry)}`);
        await sleep(pause);
      }
    }
  }
}
