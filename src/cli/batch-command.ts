import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BatchWords, WordsError } from './command-words';
import { type BatchStatus, GraphClient } from './graph-client';
import { describeEnd, describePrice, ProgressBar, type Screen } from './screen';

/** What a shell reads of the end. */
export const exitCodes = { done: 0, rowsFailed: 1, wrongWords: 2, standing: 3, refused: 4 } as const;

const pollMs = 500;
const firstPollMs = 50;

/** Prices a dataset, runs it under its ceiling, and fetches the results. Called again, it goes on where it stands. */
export class BatchCommand {
  private readonly client: GraphClient;
  private id: string | null = null;

  constructor(
    private readonly words: BatchWords,
    private readonly screen: Screen,
  ) {
    this.client = new GraphClient(words.url, words.token);
  }

  async run(): Promise<number> {
    const { maxUnits } = this.words;
    const ready = await this.prepare();
    this.screen.write(describePrice(ready));
    if (maxUnits === null) {
      this.screen.write(`The batch is ${ready.state}. Nothing is spent without --max-units.\n`);
      return exitCodes.done;
    }
    await this.begin(ready, maxUnits);
    const ended = await this.watch(ready.id);
    return this.finish(ended);
  }

  /** Spends no more; what is under way comes back. */
  async interrupt(): Promise<void> {
    if (this.id !== null) await this.client.pause(this.id).catch(() => undefined);
    this.screen.write('\nThe batch is paused. The same command goes on.\n');
  }

  private async prepare(): Promise<BatchStatus> {
    const { dataset, operation: file, operationName, name } = this.words;
    const operation = await readFile(file, 'utf8').catch(() => {
      throw new WordsError(`${file} cannot be read.`);
    });
    const key = this.words.key ?? (await keyOf(operation, operationName, dataset));
    const created = await this.client.create({ operation, operationName, key, name: name ?? basename(dataset) });
    if (created.uploadUrl !== null) await this.client.upload(created.uploadUrl, dataset);
    return this.until(created.id, ({ state }) => state !== 'WAITING_FOR_ROWS' && state !== 'PRICING');
  }

  private async begin({ id, state }: BatchStatus, maxUnits: number): Promise<void> {
    const { retry } = this.words;
    if (state === 'READY') await this.client.start(id, maxUnits);
    else if (state === 'PAUSED') await this.client.resume(id, maxUnits);
    else if (state === 'DONE' && retry !== null) await this.client.retry(id, retry, maxUnits);
    if (state !== 'DONE' || retry !== null) this.id = id;
  }

  private async watch(id: string): Promise<BatchStatus> {
    const bar = new ProgressBar(this.screen);
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
    this.screen.write(describeEnd(batch));
    if (state !== 'DONE') {
      this.screen.write(`The batch is ${state}${reason === null ? '' : `: ${reason.message} (${reason.code})`}\n`);
      return exitCodes.standing;
    }
    const out = this.words.out ?? `${this.words.dataset.replace(/\.[^./]+$/, '')}.results.csv`;
    const url = out.endsWith('.jsonl') ? batch.jsonlUrl : batch.csvUrl;
    if (url !== null) await this.client.download(url, out);
    this.screen.write(`${out}\n`);
    return progress.failed + progress.unknown === 0 ? exitCodes.done : exitCodes.rowsFailed;
  }

  private async until(
    id: string,
    isReached: (batch: BatchStatus) => boolean,
    onLook: (batch: BatchStatus) => void = () => undefined,
  ): Promise<BatchStatus> {
    for (let wait = firstPollMs; ; wait = Math.min(pollMs, 2 * wait)) {
      const batch = await this.client.get(id);
      onLook(batch);
      if (isReached(batch)) return batch;
      await sleep(wait);
    }
  }
}

/** The same files are the same batch. */
async function keyOf(operation: string, operationName: string | null, dataset: string): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([operation, operationName]));
  try {
    for await (const chunk of createReadStream(dataset)) hash.update(chunk as Buffer);
  } catch {
    throw new WordsError(`${dataset} cannot be read.`);
  }
  return `padron-batch-${hash.digest('base64url').slice(0, 32)}`;
}
