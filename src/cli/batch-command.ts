import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BatchTexts, textsIn } from './batch-texts';
import { type BatchArguments, FileError } from './command-arguments';
import { type BatchStatus, GraphClient, UnavailableError } from './graph-client';
import { Reconnection } from './reconnection';
import { isSameFile } from './result-file';
import { describeEnd, describePrice, describeUpload, ProgressBar, type Screen } from './screen';
import { toVisible } from './terminal-text';

export const exitCodes = {
  done: 0,
  rowsFailed: 1,
  differs: 1,
  tooExpensive: 1,
  invalidArguments: 2,
  notFinished: 3,
  requestFailed: 4,
} as const;

const pollMs = 500;
const firstPollMs = 50;

/** Prices a dataset, runs the batch within its limit, and downloads the results. If it is run again, it resumes the same batch. */
export class BatchCommand {
  private readonly client: GraphClient;
  private readonly texts: BatchTexts;
  private readonly out: string;
  private readonly reconnection: Reconnection;
  private id: string | null = null;

  constructor(
    private readonly args: BatchArguments,
    private readonly screen: Screen,
  ) {
    this.client = new GraphClient(args.url, args.token, args.language);
    this.texts = textsIn(args.language);
    this.out = args.out ?? defaultOut(args.dataset);
    this.reconnection = new Reconnection(this.client, args.waitMs, screen, this.texts, args.retry !== null);
  }

  async run(): Promise<number> {
    const { maxUnits, dataset, operation } = this.args;
    for (const input of [dataset, operation])
      if (isSameFile(this.out, input)) throw new FileError(this.texts.outIsInput(this.out));
    // A second call finds the same batch by its key.
    const ready = await this.reconnection.keepTrying(() => this.prepare());
    this.screen.write(describePrice(ready, this.texts));
    if (maxUnits === null) {
      if (ready.startProblem !== null) return exitCodes.requestFailed;
      const { alreadyDone, priced } = this.texts;
      this.screen.write(`${ready.state === 'DONE' ? alreadyDone : priced(this.nameOf(ready.state))}\n`);
      return exitCodes.done;
    }
    await this.reconnection.keepTrying(async (isRepeated) =>
      this.begin(isRepeated ? await this.client.get(ready.id) : ready, maxUnits, isRepeated),
    );
    const ended = await this.watch(ready.id);
    return this.finish(ended);
  }

  /** Pauses the batch. Running calls still finish. */
  async interrupt(): Promise<void> {
    const { interrupted, continues } = this.texts;
    const isReached = this.id === null || (await this.client.pause(this.id).catch(isNotUnavailable)) !== false;
    this.screen.write(`\n${isReached ? interrupted : continues(this.args.retry !== null)}\n`);
  }

  private async prepare(): Promise<BatchStatus> {
    const { dataset, operation: file, operationName, name, columns, refColumn } = this.args;
    const operation = await readFile(file, 'utf8').catch(() => {
      throw new FileError(this.texts.cannotRead(file));
    });
    const cannotReadDataset = (): never => {
      throw new FileError(this.texts.cannotRead(dataset));
    };
    await access(dataset).catch(cannotReadDataset);
    const chosen = columns.length === 0 && refColumn === null ? [] : [columns, refColumn];
    const key = this.args.key ?? (await keyOf([operation, operationName, ...chosen], dataset).catch(cannotReadDataset));
    const input = { operation, operationName, key, name: name ?? basename(dataset) };
    const created = await this.client.create(chosen.length === 0 ? input : { ...input, columns, refColumn });
    if (created.uploadUrl !== null)
      this.screen.write(describeUpload(await this.client.upload(created.uploadUrl, dataset), this.texts));
    return this.until(created.id, ({ state }) => state !== 'WAITING_FOR_ROWS' && state !== 'PRICING');
  }

  private async begin({ id, state, progress }: BatchStatus, maxUnits: number, isRepeated: boolean): Promise<void> {
    // A lost retry may have run to its end. Another one could pay again.
    const retry = isRepeated ? null : this.args.retry;
    if (state === 'DONE' && retry === 'FAILED' && progress.failed > 0 && progress.retryable === 0)
      return this.screen.write(`${this.texts.noRetry}\n`);
    if (state !== 'DONE' || retry !== null) this.id = id;
    if (state === 'READY') await this.client.start(id, maxUnits);
    else if (state === 'PAUSED') await this.client.resume(id, maxUnits);
    else if (state === 'DONE' && retry !== null) await this.client.retry(id, retry, maxUnits);
  }

  private async watch(id: string): Promise<BatchStatus> {
    const bar = new ProgressBar(this.screen, this.texts);
    const ended = await this.until(
      id,
      ({ state }) => state !== 'RUNNING',
      (batch) => bar.show(batch),
    );
    bar.end();
    this.id = null;
    return ended;
  }

  private async finish(batch: BatchStatus): Promise<number> {
    const { state, reason, progress } = batch;
    this.screen.write(describeEnd(batch, this.texts));
    if (state !== 'DONE') {
      const because = reason === null ? '' : `: ${toVisible(`${reason.message} (${reason.code})`)}`;
      this.screen.write(`${this.texts.stopped(this.nameOf(state), because)}\n`);
      return exitCodes.notFinished;
    }
    await this.reconnection.keepTrying(async (isRepeated) => {
      const url = urlOf(isRepeated ? await this.client.get(batch.id) : batch, this.out);
      if (url !== null) await this.client.download(url, this.out);
    });
    this.screen.write(`${this.texts.results(this.out)}\n`);
    const { failed, unknown } = progress;
    return failed + unknown + batch.refusedCount === 0 ? exitCodes.done : exitCodes.rowsFailed;
  }

  private nameOf(state: string): string {
    return this.texts.states[state] ?? state;
  }

  private async until(
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

const isNotUnavailable = (error: unknown): boolean => !(error instanceof UnavailableError);

/** Returns the file of the results beside the dataset. A dataset from a spreadsheet gets results for a spreadsheet. */
const defaultOut = (dataset: string): string =>
  `${dataset.replace(/\.[^./]+$/, '')}.results.${/\.xlsx$/i.test(dataset) ? 'xlsx' : 'csv'}`;

function urlOf({ csvUrl, xlsxUrl, jsonlUrl }: BatchStatus, out: string): string | null {
  if (/\.xlsx$/i.test(out)) return xlsxUrl;
  return /\.jsonl$/i.test(out) ? jsonlUrl : csvUrl;
}

/** Returns the default key of the batch. The same dataset, operation and choices always have the same key. */
async function keyOf(parts: readonly unknown[], dataset: string): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(parts));
  for await (const chunk of createReadStream(dataset)) hash.update(chunk as Buffer);
  return `padron-batch-${hash.digest('base64url').slice(0, 32)}`;
}
