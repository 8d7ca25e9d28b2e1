import { createHmac, randomBytes } from 'node:crypto';
import { type Problem, problem } from '../registry/answer/problem';
import { composeLabel, headerNameRule, isHeaderName } from '../registry/call-labels';
import type { KeyVersion } from '../store/key-ring';
import type { Batch, BatchHead, BatchOperation } from './batch';
import { createBatchKey, openBatchKey } from './batch-key';
import { ownerOf } from './batch-owner';
import type { BatchParts } from './batch-parts';
import type { BatchCaller, BatchInput } from './batches';
import { DatasetError } from './dataset/dataset';
import { loadDataset } from './dataset/load-dataset';
import { isRecord } from './dataset/read-jsonl';
import type { BatchStore } from './storage/batch-store';
import { QuotaError } from './storage/quotas';

type Creation = { readonly id: string; readonly problems: readonly Problem[] } | { readonly problem: Problem };

/** Under what a batch is found again, by one of the operator's keys. */
interface Identity {
  readonly account: string;
  readonly keyName: string | null;
  /** Fingerprint of the input: the same key must mean the same input. */
  readonly fingerprint: string;
}

interface Found {
  readonly batch: Batch;
  readonly isSame: boolean;
}

const maxInlineRows = 1_000;
const maxTextLength = 200;

/** Makes batches: the same key gives the same batch. */
export class BatchCreation {
  constructor(
    private readonly parts: BatchParts,
    private readonly batches: BatchStore,
    private readonly asker: BatchCaller,
    /** The account's names, by each of the operator's keys in their order. */
    private readonly accounts: readonly string[],
  ) {}

  /**
   * Returns the problem of the input, or the reason why padron cannot find out now whether the service accepts the
   * token.
   */
  async findRefusal(input: BatchInput): Promise<Problem | null> {
    const fault = findFault(input, this.parts.retentionDays);
    // Otherwise a token that was never checked could fill the disk and have its operations priced.
    return fault ?? (await this.parts.knownAccounts.verify(this.asker.caller));
  }

  async create(input: BatchInput): Promise<Creation> {
    const refusal = await this.findRefusal(input);
    if (refusal !== null) return { problem: refusal };
    const operation = this.parts.operations.prepare(input.operation, input.operationName);
    if ('code' in operation) return { problem: operation };
    const { newest } = this.parts.ring;
    const found = (await this.findOlder(input)) ?? (await this.insert(input, this.identify(input, newest)));
    if ('code' in found) return { problem: found };
    const { batch, isSame } = found;
    if (!isSame) return { problem: invalid('key', 'This key belongs to a batch of another operation or other rows.') };
    if (input.rows === null || batch.state !== 'WAITING_FOR_ROWS') return { id: batch.id, problems: [] };
    return { id: batch.id, problems: await this.load(batch.id, operation, input.rows) };
  }

  /** Made while another of the operator's keys was the newest, or by a process for which it still is. */
  private async findOlder(input: BatchInput): Promise<Found | null> {
    const { versions } = this.parts.ring;
    if (input.key === null || versions.length === 1) return null;
    for (const version of versions) {
      const { account, keyName, fingerprint } = this.identify(input, version);
      const found = await this.batches.findByKey(account, ownerOf(this.asker), keyName);
      if (found !== null) return { batch: found.batch, isSame: found.fingerprint === fingerprint };
    }
    return null;
  }

  private async insert(input: BatchInput, identity: Identity): Promise<Found | Problem> {
    const { caller, language, client, tag } = this.asker;
    const { ring } = this.parts;
    const id = randomBytes(16).toString('base64url');
    const { key, wrapped } = createBatchKey(ring, id);
    const { name, operation, operationName } = input;
    const head: BatchHead = { name, operation, operationName, columns: [] };
    const { batch, fingerprint, isNew } = await this.batches.create({
      id,
      ...identity,
      owner: ownerOf(this.asker),
      head: key.seal(`${id} head`, JSON.stringify(head)),
      wrappedKey: wrapped,
      sandbox: caller.sandbox,
      usesServerToken: caller.usesServerToken,
      permissions: caller.permissions === null ? null : [...caller.permissions],
      language,
      client,
      tag: input.tag === null ? tag : readTag(input.tag),
      retentionDays: input.retentionDays ?? this.parts.retentionDays,
    });
    const excess = isNew ? await this.parts.quotas.findExcess(batch, { batches: 1, rows: 0, bytes: 0 }) : null;
    if (excess !== null) {
      await this.batches.remove(id);
      return excess;
    }
    return { batch, isSame: isNew || fingerprint === identity.fingerprint };
  }

  private async load(id: string, operation: BatchOperation, rows: readonly unknown[]): Promise<readonly Problem[]> {
    const batch = await this.batches.get(id);
    const { ring, store } = this.parts;
    const key = batch?.wrappedKey == null ? null : openBatchKey(ring, id, batch.wrappedKey);
    if (batch === null || key === null || batch.head === null) return [problem('BATCH_NOT_FOUND')];
    const head: BatchHead = JSON.parse(key.open(`${id} head`, batch.head).toString());
    const dataset = { columns: null, isText: false, rows: rows.map(toDatasetRow) };
    try {
      await loadDataset(store, { batch, key, head }, operation, dataset, this.parts);
      return [];
    } catch (error) {
      if (error instanceof QuotaError) return [error.problem];
      if (!(error instanceof DatasetError)) throw error;
      return [invalid('rows', error.message)];
    }
  }

  private identify({ key, operation, operationName, rows }: BatchInput, version: KeyVersion): Identity {
    const keyed = (use: string, text: string): string =>
      createHmac('sha256', version.account).update(`batch ${use} ${text}`).digest('base64url');
    return {
      account: this.accounts[this.parts.ring.versions.indexOf(version)] ?? '',
      keyName: key === null ? null : keyed('key', key),
      fingerprint: keyed('fingerprint', JSON.stringify([operation, operationName, rows, this.asker.caller.sandbox])),
    };
  }
}

function toDatasetRow(values: unknown, index: number) {
  const line = index + 1;
  return isRecord(values) ? { line, values } : { line, message: 'The row is no JSON object.' };
}

function findFault({ name, key, tag, rows, retentionDays }: BatchInput, maxDays: number): Problem | null {
  for (const [field, text] of Object.entries({ name, key }))
    if (text !== null && (text.length > maxTextLength || text.trim() === ''))
      return invalid(field, `\`${field}\` has 1 to ${maxTextLength} characters.`);
  if (tag !== null && !isHeaderName(readTag(tag))) return tagRefused;
  if (rows !== null && rows.length > maxInlineRows)
    return invalid('rows', `At most ${maxInlineRows} rows are given here: send more to \`uploadUrl\`.`);
  if (retentionDays !== null && (retentionDays < 1 || retentionDays > maxDays)) return retentionOutOfRange(maxDays);
  return null;
}

/** The ledger keeps the tag in clear, so it is held to the rule of the header `x-tag`. */
const readTag = (tag: string): string => composeLabel(tag).trim();

const tagRefused = problem('INVALID_FORMAT', {
  message: `\`tag\` is not a name that the ledger keeps. Use ${headerNameRule}.`,
  spanish:
    '`tag` no es un nombre que el libro de consumo guarde. Use de 1 a 64 caracteres ASCII o letras con acento, con tres dígitos como máximo y sin nada que parezca un identificador (ni un correo electrónico).',
  path: ['input', 'tag'],
});

function retentionOutOfRange(maxDays: number): Problem {
  return problem('OUT_OF_RANGE', {
    path: ['input', 'retentionDays'],
    message: `Batches are kept for at most ${maxDays} days here (BATCH_RETENTION_DAYS). Ask for 1 to ${maxDays} days, or leave \`retentionDays\` out.`,
    spanish: `Aquí los lotes se guardan ${maxDays} días como máximo (BATCH_RETENTION_DAYS). Pida de 1 a ${maxDays} días, u omita \`retentionDays\`.`,
  });
}

function invalid(field: string, message: string): Problem {
  return problem('INVALID_FORMAT', { message, path: ['input', field] });
}
