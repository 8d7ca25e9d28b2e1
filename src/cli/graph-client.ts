import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { z } from 'zod';
import { type BatchTexts, textsIn } from '../extensions/batch/command/batch-texts';
import { replaceFile } from '../extensions/batch/command/result-file';
import type { Language } from '../text/text';
import { FileError } from './command-arguments';
import { toVisible } from './terminal-text';

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

const graphqlError = z.object({ message: z.string(), extensions: z.object({ code: z.string().nullish() }).nullish() });
const responseShape = z.object({ data: z.unknown().optional(), errors: z.array(graphqlError).nullish() });

export class RequestFailedError extends Error {}

/** padron or a proxy before it is unavailable, perhaps only while it restarts. */
export class UnavailableError extends RequestFailedError {}

/** Statuses of a server that stops or is overloaded, and of a proxy whose server is away. */
const unavailableStatuses = [502, 503, 504];

const status = `id state reason { code message } pausedUntil uploadUrl csvUrl xlsxUrl jsonlUrl startProblem { code message } refusedCount refusedRows { line message }
  columns { name variable } sheet sheets estimate { estimatedUnits bounded invalidRows endpoints { url calls subtotal } }
  progress { rows done failed retryable unknown canceled erased doubtful waiting running spentUnits uncertainUnits savedUnits rowsPerMinute secondsLeft }`;

const doubtfulShape = z.object({
  registryBatch: z.object({ rows: z.object({ rows: z.array(z.object({ line: z.number().nullable() })) }) }).nullable(),
});

const variableTypes = { id: 'ID!', input: 'RegistryBatchInput!', maxUnits: 'Int!', rows: 'RegistryRetryScope!' };
type Variables = Readonly<Partial<Record<keyof typeof variableTypes, unknown>>>;

export class GraphClient {
  private readonly texts: BatchTexts;
  private answered = false;

  constructor(
    private readonly url: string,
    private readonly token: string | null,
    private readonly language: Language | null = null,
  ) {
    this.texts = textsIn(language);
  }

  create(input: Readonly<Record<string, unknown>>): Promise<BatchStatus> {
    return this.change('createRegistryBatch', { input });
  }

  start(id: string, maxUnits: number): Promise<BatchStatus> {
    return this.change('startRegistryBatch', { id, maxUnits });
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

  /** Sends an operation. Returns its data, which must have the shape, or throws its first error. */
  async ask<Data>(query: string, variables: object, shape: z.ZodType<Data>): Promise<Data> {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...this.languageHeader(),
      ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
    };
    const body = JSON.stringify({ query, variables });
    const response = await this.reach(this.url, { method: 'POST', headers, body });
    const { data, errors } = await this.read(response, responseShape);
    const [error] = errors ?? [];
    if (error !== undefined) {
      throw toError(response, this.texts.rejected(error.message, error.extensions?.code ?? ''));
    }
    return this.check(response, data, shape);
  }

  /** Whether padron has ever answered. Otherwise the address may be wrong. */
  get hasAnswered(): boolean {
    return this.answered;
  }

  private languageHeader(): Readonly<Record<string, string>> {
    return this.language === null ? {} : { 'accept-language': this.language };
  }

  private async read<Body>(response: Response, shape: z.ZodType<Body>): Promise<Body> {
    const text = await response.text().catch((error: unknown) => this.reportUnreachable(response.url, error));
    return this.check(response, parseJson(text), shape);
  }

  private check<Body>(response: Response, body: unknown, shape: z.ZodType<Body>): Body {
    const { success, data } = shape.safeParse(body);
    if (success) return data;
    if (isUnavailable(response)) return this.reportUnreachable(response.url, null, `HTTP ${response.status}`);
    throw new RequestFailedError(this.texts.notAGraph(response.status));
  }

  private async rejection(response: Response, prefix = ''): Promise<RequestFailedError> {
    const { errors } = await this.read(response, responseShape);
    return toError(response, errors?.[0]?.message ?? `HTTP ${response.status}`, prefix);
  }

  private async reach(url: string, request: RequestInit): Promise<Response> {
    const response = await fetch(url, request).catch((error: unknown) => this.reportUnreachable(url, error));
    this.answered ||= !isUnavailable(response);
    return response;
  }

  private reportUnreachable(url: string, error: unknown, reason?: string): never {
    const { cause } = (error ?? {}) as { readonly cause?: { readonly code?: string } };
    const { origin } = new URL(url);
    throw new UnavailableError(this.texts.unreachable(origin, reason ?? cause?.code ?? this.texts.noAnswer));
  }
}

const isUnavailable = ({ status: code }: Response): boolean => unavailableStatuses.includes(code);

const toError = (response: Response, message: string, prefix = ''): RequestFailedError =>
  new (isUnavailable(response) ? UnavailableError : RequestFailedError)(prefix + toVisible(message));

/** Returns undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
