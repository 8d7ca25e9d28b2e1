import { request } from 'undici';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { post } from '../padrons/padron';

export const BATCH_FIELDS = `id name state reason { code message retryAfter } pausedUntil columns { name variable } refusedCount refusedRows { line column message }
  uploadUrl jsonlUrl csvUrl xlsxUrl maxUnits barredEndpoints client operationName startProblem { code message } estimate { rowCount estimatedUnits atMost bounded invalidRows endpoints { route calls subtotal } problems { code } }
  progress { rows done failed retryable unknown canceled erased doubtful waiting running spentUnits uncertainUnits savedUnits } expiresAt startedAt finishedAt`;

// biome-ignore lint/suspicious/noExplicitAny: the border to JSON; every test asserts what it reads.
type Loose = any;

/** The housing credit of a person, which is one call if the NSS is valid. */
export const CREDIT = `query Credit($nss: NSS!) { person(nss: $nss) { credit { outcome problems { code } record { names paternalSurname hasCredit } evidence { validationCode units servedFrom billing checkedAt } } } }`;

export class BatchClient {
  constructor(
    private readonly padron: { readonly url: string },
    private readonly token = SANDBOX_TOKEN,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** Sends an operation and returns its data. Throws if the response has errors. */
  async ask(query: string, variables: object = {}): Promise<Loose> {
    const answer = await post(
      this.padron.url,
      { query, variables },
      { authorization: `Bearer ${this.token}`, ...this.headers },
    );
    if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors));
    return answer.data;
  }

  /** Makes padron check the token now, so that a test only counts the calls of its batches. */
  async verifyToken(): Promise<void> {
    const { batch } = await this.create({ operation: CREDIT });
    await this.change(`eraseRegistryBatch(id: "${batch.id}")`);
  }

  async create(input: object): Promise<Loose> {
    const data = await this.ask(
      `mutation($input: RegistryBatchInput!) { createRegistryBatch(input: $input) { batch { ${BATCH_FIELDS} } problems { code message path } } }`,
      { input },
    );
    return data.createRegistryBatch;
  }

  /** Calls a mutation, such as `pauseRegistryBatch(id: "…")`. */
  async change(call: string): Promise<Loose> {
    const data = await this.ask(`mutation { change: ${call} { batch { ${BATCH_FIELDS} } problems { code message } } }`);
    return data.change;
  }

  async get(id: string): Promise<Loose> {
    return (await this.ask(`query($id: ID!) { registryBatch(id: $id) { ${BATCH_FIELDS} } }`, { id })).registryBatch;
  }

  async rows(id: string, state: string | null = null): Promise<Loose[]> {
    const rows: Loose[] = [];
    for (let after: string | null = null; ; ) {
      const { registryBatch } = await this.ask(
        `query($id: ID!, $state: RegistryRowState, $after: String) { registryBatch(id: $id) { rows(first: 500, state: $state, after: $after) {
          rows { number ref state attempts units uncertainUnits problems { code } data evidence { endpoint validationCode units servedFrom billing } } next } } }`,
        { id, state, after },
      );
      rows.push(...registryBatch.rows.rows);
      after = registryBatch.rows.next;
      if (after === null) return rows;
    }
  }

  async until(id: string, ...states: readonly string[]): Promise<Loose> {
    for (;;) {
      const { registryBatch } = await this.ask('query($id: ID!) { registryBatch(id: $id) { state } }', { id });
      if (states.includes(registryBatch.state)) {
        const batch = await this.get(id);
        if (states.includes(batch.state)) return batch;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async ready(operation: string, rows: readonly object[]): Promise<Loose> {
    const { batch, problems } = await this.create({ operation, rows });
    if (batch === null || problems.length > 0) throw new Error(JSON.stringify(problems));
    return this.until(batch.id, 'READY');
  }

  /** Starts a batch when it is READY, and waits until it has ended or is paused. It pays again what earlier batches have answered. */
  async run(id: string, maxUnits = 100): Promise<Loose> {
    await this.until(id, 'READY');
    await this.change(`startRegistryBatch(id: "${id}", maxUnits: ${maxUnits}, earlierAnswers: PAY_AGAIN)`);
    return this.until(id, 'DONE', 'PAUSED');
  }

  async runRows(operation: string, rows: readonly object[], maxUnits = 100): Promise<Loose> {
    return this.run((await this.ready(operation, rows)).id, maxUnits);
  }

  async runFile(input: object, file: string | Buffer, maxUnits = 100): Promise<Loose> {
    const { batch } = await this.create(input);
    const { status, body } = await this.upload(batch.uploadUrl, file);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return this.run(batch.id, maxUnits);
  }

  async upload(
    url: string,
    body: string | Buffer,
    type = 'text/csv',
  ): Promise<{ readonly status: number; readonly body: Loose }> {
    const response = await request(url, { method: 'POST', headers: { 'content-type': type }, body });
    return { status: response.statusCode, body: await response.body.json() };
  }

  async downloadBytes(url: string): Promise<Buffer> {
    return Buffer.from(await (await request(url)).body.arrayBuffer());
  }

  async downloadName(url: string): Promise<string> {
    const response = await request(url);
    await response.body.dump();
    return String(response.headers['content-disposition']);
  }

  async download(url: string): Promise<{ readonly status: number; readonly text: string; readonly type: string }> {
    const response = await request(url);
    return {
      status: response.statusCode,
      text: await response.body.text(),
      type: String(response.headers['content-type']),
    };
  }
}

/** NSS of people of the sandbox that are not test cards. */
export const NSS: readonly string[] = people.map(({ nss }) => nss);
