import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { z } from 'zod';
import type { Language } from '../../../identifiers/text';
import { FileError } from '../../../terminal/command';
import { GraphClient, RequestFailedError, UnavailableError } from '../../../terminal/graph-client';
import { toVisible } from '../../../terminal/terminal-text';
import { type BatchTexts, textsIn } from './batch-texts';
import { replaceFile } from './result-file';

const problem = z.object({ code: z.string(), message: z.string() });
const link = z.url().nullable();

const batchShape = z.object({
  id: z.string(),
  state: z.string(),
  reason: problem.nullable(),
  pausedUntil: z.iso.datetime().nullable(),
  uploadUrl: link,
  csvUrl: link,
  xlsxUrl: link,
  jsonlUrl: link,
  startProblem: problem.nullable(),
  refusedCount: z.number(),
  refusedRows: z.array(z.object({ line: z.number(), message: z.string() })),
  columns: z.array(z.object({ name: z.string(), variable: z.string().nullable() })),
  sheet: z.string().nullable(),
  sheets: z.array(z.string()),
  estimate: z
    .object({
      estimatedUnits: z.number(),
      bounded: z.boolean(),
      invalidRows: z.number(),
      endpoints: z.array(z.object({ url: z.string(), calls: z.number(), subtotal: z.number() })),
    })
    .nullable(),
  progress: z.object({
    rows: z.number(),
    done: z.number(),
    failed: z.number(),
    retryable: z.number(),
    unknown: z.number(),
    canceled: z.number(),
    erased: z.number(),
    doubtful: z.number(),
    waiting: z.number(),
    running: z.number(),
    spentUnits: z.number(),
    uncertainUnits: z.number(),
    savedUnits: z.number(),
    rowsPerMinute: z.number().nullable(),
    secondsLeft: z.number().nullable(),
  }),
});

export type BatchStatus = Readonly<z.infer<typeof batchShape>>;

const uploadShape = z.object({ encoding: z.string().nullable(), headerLine: z.number().nullable() });

export type UploadResult = Readonly<z.infer<typeof uploadShape>>;

const changeShape = z.object({ change: z.object({ batch: batchShape.nullable(), problems: z.array(problem) }) });

const status = `id state reason { code message } pausedUntil uploadUrl csvUrl xlsxUrl jsonlUrl startProblem { code message } refusedCount refusedRows { line message }
  columns { name variable } sheet sheets estimate { estimatedUnits bounded invalidRows endpoints { url calls subtotal } }
  progress { rows done failed retryable unknown canceled erased doubtful waiting running spentUnits uncertainUnits savedUnits rowsPerMinute secondsLeft }`;

const doubtfulShape = z.object({
  registryBatch: z.object({ rows: z.object({ rows: z.array(z.object({ line: z.number().nullable() })) }) }).nullable(),
});

const variableTypes = {
  id: 'ID!',
  input: 'RegistryBatchInput!',
  maxUnits: 'Int!',
  rows: 'RegistryRetryScope!',
  earlierAnswers: 'RegistryEarlierChoice',
};
type Variables = Readonly<Partial<Record<keyof typeof variableTypes, unknown>>>;

export class BatchClient extends GraphClient {
  private readonly texts: BatchTexts;

  constructor(url: string, token: string | null, language: Language | null) {
    super(url, token, language);
    this.texts = textsIn(language);
  }

  create(input: Readonly<Record<string, unknown>>): Promise<BatchStatus> {
    return this.change('createRegistryBatch', { input });
  }

  start(id: string, maxUnits: number, earlierAnswers: string | null): Promise<BatchStatus> {
    return this.change('startRegistryBatch', { id, maxUnits, earlierAnswers });
  }

  resume(id: string, maxUnits: number): Promise<BatchStatus> {
    return this.change('resumeRegistryBatch', { id, maxUnits });
  }

  retry(id: string, rows: string, maxUnits: number): Promise<BatchStatus> {
    return this.change('retryRegistryBatch', { id, rows, maxUnits });
  }

  pause(id: string): Promise<BatchStatus> {
    return this.change('pauseRegistryBatch', { id });
  }

  async get(id: string): Promise<BatchStatus> {
    const query = `query ($id: ID!) { registryBatch(id: $id) { ${status} } }`;
    const { registryBatch } = await this.ask(query, { id }, z.object({ registryBatch: batchShape.nullable() }));
    if (registryBatch === null) throw new RequestFailedError(this.texts.batchMissing);
    return registryBatch;
  }

  /** Returns the lines of the first doubtful rows. */
  async doubtfulLines(id: string, first: number): Promise<readonly number[]> {
    const query = `query ($id: ID!) { registryBatch(id: $id) { rows(doubtful: true, first: ${first}) { rows { line } } } }`;
    const { registryBatch } = await this.ask(query, { id }, doubtfulShape);
    return (registryBatch?.rows.rows ?? []).flatMap(({ line }) => line ?? []);
  }

  async upload(url: string, file: string): Promise<UploadResult> {
    const body = Readable.toWeb(createReadStream(file));
    // A streamed body needs `duplex`, which the types of Node lack.
    const headers = { 'content-type': 'application/octet-stream', ...this.languageHeader() };
    const response = await this.reach(url, { method: 'POST', headers, body, duplex: 'half' } as unknown as RequestInit);
    if (response.ok) return this.read(response, uploadShape);
    throw await this.rejection(response, `${file}: `);
  }

  async download(url: string, file: string): Promise<void> {
    const address = new URL(url);
    if (this.language !== null) address.searchParams.set('language', this.language);
    const response = await this.reach(address.href, { headers: this.languageHeader() });
    if (!response.ok || response.body === null) throw await this.rejection(response);
    try {
      await replaceFile(file, Readable.fromWeb(response.body as ReadableStream));
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      // Only errors of the file system have both. The others are of the connection.
      if (code !== undefined && syscall !== undefined && syscall !== 'read')
        throw new FileError(this.texts.cannotWrite(file, code));
      throw new UnavailableError(this.texts.interruptedDownload(file));
    }
  }

  private async change(mutation: string, variables: Variables): Promise<BatchStatus> {
    const names = Object.keys(variables) as (keyof Variables)[];
    const parameters = names.map((name) => `$${name}: ${variableTypes[name]}`).join(', ');
    const call = `${mutation}(${names.map((name) => `${name}: $${name}`).join(', ')})`;
    const document = `mutation (${parameters}) { change: ${call} { batch { ${status} } problems { code message } } }`;
    const { batch, problems } = (await this.ask(document, variables, changeShape)).change;
    const [first] = problems;
    if (first !== undefined) throw new RequestFailedError(toVisible(`${first.message} (${first.code})`));
    if (batch === null) throw new RequestFailedError(this.texts.noBatch);
    return batch;
  }
}
