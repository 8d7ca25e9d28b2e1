import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { type BatchTexts, textsIn } from './batch-texts';

/** A batch as the command shows it. */
export interface BatchStatus {
  readonly id: string;
  readonly state: string;
  readonly reason: { readonly code: string; readonly message: string } | null;
  readonly uploadUrl: string | null;
  readonly csvUrl: string | null;
  readonly xlsxUrl: string | null;
  readonly jsonlUrl: string | null;
  readonly startProblem: { readonly code: string; readonly message: string } | null;
  readonly refusedCount: number;
  readonly refusedRows: readonly { readonly line: number; readonly message: string }[];
  readonly columns: readonly { readonly name: string; readonly variable: string | null }[];
  readonly sheet: string | null;
  readonly sheets: readonly string[];
  readonly estimate: {
    readonly estimatedUnits: number;
    readonly bounded: boolean;
    readonly invalidRows: number;
    readonly endpoints: readonly { readonly url: string; readonly calls: number; readonly subtotal: number }[];
  } | null;
  readonly progress: {
    readonly rows: number;
    readonly done: number;
    readonly failed: number;
    readonly retryable: number;
    readonly unknown: number;
    readonly waiting: number;
    readonly spentUnits: number;
    readonly uncertainUnits: number;
    readonly savedUnits: number;
    readonly rowsPerMinute: number | null;
    readonly secondsLeft: number | null;
  };
}

/** Result of an upload. An earlier version reports neither the encoding nor the header. */
export interface UploadResult {
  readonly encoding?: string | null;
  /** The line of the header. */
  readonly headerLine?: number | null;
}

/** padron cannot be reached, or rejects the request. */
export class RequestFailedError extends Error {}

const status = `id state reason { code message } uploadUrl csvUrl xlsxUrl jsonlUrl startProblem { code message } refusedCount refusedRows { line message }
  columns { name variable } sheet sheets estimate { estimatedUnits bounded invalidRows endpoints { url calls subtotal } }
  progress { rows done failed retryable unknown waiting spentUnits uncertainUnits savedUnits rowsPerMinute secondsLeft }`;

interface Change {
  readonly batch: BatchStatus | null;
  readonly problems: readonly { readonly code: string; readonly message: string }[];
}

/** Sends the GraphQL operations of the command, and transfers its files. */
export class GraphClient {
  private readonly texts: BatchTexts;

  constructor(
    private readonly url: string,
    private readonly token: string | null,
    private readonly language: 'en' | 'es' | null = null,
  ) {
    this.texts = textsIn(language);
  }

  create(input: Readonly<Record<string, unknown>>): Promise<BatchStatus> {
    return this.change('($input: RegistryBatchInput!)', 'createRegistryBatch(input: $input)', { input });
  }

  start(id: string, maxUnits: number): Promise<BatchStatus> {
    const variables = { id, maxUnits };
    return this.change('($id: ID!, $maxUnits: Int!)', 'startRegistryBatch(id: $id, maxUnits: $maxUnits)', variables);
  }

  resume(id: string, maxUnits: number): Promise<BatchStatus> {
    const variables = { id, maxUnits };
    return this.change('($id: ID!, $maxUnits: Int!)', 'resumeRegistryBatch(id: $id, maxUnits: $maxUnits)', variables);
  }

  retry(id: string, rows: string, maxUnits: number): Promise<BatchStatus> {
    const call = 'retryRegistryBatch(id: $id, rows: $rows, maxUnits: $maxUnits)';
    return this.change('($id: ID!, $rows: RegistryRetryScope!, $maxUnits: Int!)', call, { id, rows, maxUnits });
  }

  pause(id: string): Promise<BatchStatus> {
    return this.change('($id: ID!)', 'pauseRegistryBatch(id: $id)', { id });
  }

  async get(id: string): Promise<BatchStatus> {
    const data = await this.ask(`query ($id: ID!) { registryBatch(id: $id) { ${status} } }`, { id });
    const batch = data.registryBatch as BatchStatus | null;
    if (batch === null) throw new RequestFailedError(this.texts.batchMissing);
    return batch;
  }

  async upload(url: string, file: string): Promise<UploadResult> {
    const body = Readable.toWeb(createReadStream(file));
    // A streamed body needs `duplex`, which the types of Node lack.
    const headers = { 'content-type': 'application/octet-stream', ...this.languageHeader() };
    const response = await this.reach(url, { method: 'POST', headers, body, duplex: 'half' } as unknown as RequestInit);
    if (response.ok) return (await response.json()) as UploadResult;
    throw new RequestFailedError(`${file}: ${await this.firstMessage(response)}`);
  }

  async download(url: string, file: string): Promise<void> {
    const address = new URL(url);
    if (this.language !== null) address.searchParams.set('language', this.language);
    const response = await this.reach(address.href, { headers: this.languageHeader() });
    if (!response.ok || response.body === null) throw new RequestFailedError(await this.firstMessage(response));
    await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(file));
  }

  private async change(
    parameters: string,
    call: string,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<BatchStatus> {
    const document = `mutation ${parameters} { change: ${call} { batch { ${status} } problems { code message } } }`;
    const { batch, problems } = (await this.ask(document, variables)).change as Change;
    const [problem] = problems;
    if (problem !== undefined) throw new RequestFailedError(`${problem.message} (${problem.code})`);
    if (batch === null) throw new RequestFailedError(this.texts.noBatch);
    return batch;
  }

  /** Sends an operation. Returns its data, or throws its first error. */
  async ask(query: string, variables: object): Promise<Readonly<Record<string, unknown>>> {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      ...this.languageHeader(),
      ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
    };
    const body = JSON.stringify({ query, variables });
    const response = await this.reach(this.url, { method: 'POST', headers, body });
    const { data, errors } = await this.readJson(response);
    const [error] = errors ?? [];
    if (error !== undefined)
      throw new RequestFailedError(this.texts.rejected(error.message, error.extensions?.code ?? ''));
    return data ?? {};
  }

  private languageHeader(): Readonly<Record<string, string>> {
    return this.language === null ? {} : { 'accept-language': this.language };
  }

  private async readJson(response: Response): Promise<GraphqlBody> {
    try {
      return (await response.json()) as GraphqlBody;
    } catch {
      throw new RequestFailedError(this.texts.notAGraph(response.status));
    }
  }

  private async firstMessage(response: Response): Promise<string> {
    const { errors } = await this.readJson(response);
    return errors?.[0]?.message ?? `HTTP ${response.status}`;
  }

  private async reach(url: string, request: RequestInit): Promise<Response> {
    try {
      return await fetch(url, request);
    } catch (error) {
      const { cause } = error as { readonly cause?: { readonly code?: string } };
      throw new RequestFailedError(this.texts.unreachable(new URL(url).origin, cause?.code ?? this.texts.noAnswer));
    }
  }
}

interface GraphqlBody {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}
