import { createHmac, randomBytes } from 'node:crypto';
import { type Problem, problem } from '../registry/answer/problem';
import type { BatchHead, BatchOperation } from './batch';
import { createBatchKey, openBatchKey } from './batch-key';
import type { BatchParts } from './batch-parts';
import type { BatchCaller, BatchInput } from './batches';
import { DatasetError } from './dataset/dataset';
import { loadDataset } from './dataset/load-dataset';
import { isRecord } from './dataset/read-jsonl';
import type { BatchStore } from './keep/batch-store';

type Creation = { readonly id: string; readonly problems: readonly Problem[] } | { readonly problem: Problem };

const maxInlineRows = 1_000;
const maxTextLength = 200;
const maxRetentionDays = 365;

/** Makes batches: the same key gives the same batch. */
export class BatchCreation {
  constructor(
    private readonly parts: BatchParts,
    private readonly batches: BatchStore,
    private readonly asker: BatchCaller,
    private readonly account: string,
  ) {}

  async create(input: BatchInput): Promise<Creation> {
    const fault = findFault(input);
    if (fault !== null) return { problem: fault };
    const operation = this.parts.operations.prepare(input.operation, input.operationName);
    if ('code' in operation) return { problem: operation };
    const { batch, fingerprint, isNew } = await this.insert(input);
    if (!isNew && fingerprint !== this.fingerprint(input))
      return { problem: invalid('key', 'This key belongs to a batch of another operation or other rows.') };
    if (input.rows === null || batch.state !== 'WAITING_FOR_ROWS') return { id: batch.id, problems: [] };
    return { id: batch.id, problems: await this.load(batch.id, operation, input.rows) };
  }

  private async insert(input: BatchInput) {
    const { caller, language, client, tag } = this.asker;
    const { ring } = this.parts;
    const id = randomBytes(16).toString('base64url');
    const { key, wrapped } = createBatchKey(ring, id);
    const { name, operation, operationName } = input;
    const head: BatchHead = { name, operation, operationName, columns: [] };
    return this.batches.create({
      id,
      account: this.account,
      keyName: input.key === null ? null : this.keyed('key', input.key),
      fingerprint: this.fingerprint(input),
      head: key.seal(`${id} head`, JSON.stringify(head)),
      wrappedKey: wrapped,
      sandbox: caller.sandbox,
      usesServerToken: caller.usesServerToken,
      permissions: caller.permissions === null ? null : [...caller.permissions],
      language,
      client,
      tag: input.tag ?? tag,
      retentionDays: input.retentionDays ?? this.parts.retentionDays,
    });
  }

  private async load(id: string, operation: BatchOperation, rows: readonly unknown[]): Promise<readonly Problem[]> {
    const batch = await this.batches.get(id);
    const { ring, store, maxRows } = this.parts;
    const key = batch?.wrappedKey == null ? null : openBatchKey(ring, id, batch.wrappedKey);
    if (batch === null || key === null || batch.head === null) return [problem('BATCH_NOT_FOUND')];
    const head: BatchHead = JSON.parse(key.open(`${id} head`, batch.head).toString());
    const dataset = { columns: null, isText: false, rows: rows.map(toDatasetRow) };
    try {
      await loadDataset(store, { batch, key, head }, operation, dataset, maxRows);
      return [];
    } catch (error) {
      if (!(error instanceof DatasetError)) throw error;
      return [invalid('rows', error.message)];
    }
  }

  /** What stands under a key must be what is asked for again. */
  private fingerprint({ operation, operationName, rows }: BatchInput): string {
    return this.keyed('fingerprint', JSON.stringify([operation, operationName, rows, this.asker.caller.sandbox]));
  }

  private keyed(use: string, text: string): string {
    const { account } = this.parts.ring.newest;
    return createHmac('sha256', account).update(`batch ${use} ${text}`).digest('base64url');
  }
}

function toDatasetRow(values: unknown, index: number) {
  const line = index + 1;
  return isRecord(values) ? { line, values } : { line, message: 'The row is no JSON object.' };
}

function findFault({ name, key, tag, rows, retentionDays }: BatchInput): Problem | null {
  for (const [field, text] of Object.entries({ name, key, tag }))
    if (text !== null && (text.length > maxTextLength || text.trim() === ''))
      return invalid(field, `\`${field}\` has 1 to ${maxTextLength} characters.`);
  if (rows !== null && rows.length > maxInlineRows)
    return invalid('rows', `At most ${maxInlineRows} rows are given here: send more to \`uploadUrl\`.`);
  if (retentionDays !== null && (retentionDays < 1 || retentionDays > maxRetentionDays))
    return problem('OUT_OF_RANGE', { path: ['input', 'retentionDays'] });
  return null;
}

function invalid(field: string, message: string): Problem {
  return problem('INVALID_FORMAT', { message, path: ['input', field] });
}
