import { createHmac, randomBytes } from 'node:crypto';
import { isObject } from '../../identifiers/json-value';
import type { Text } from '../../identifiers/text';
import { moneyCodes } from '../../money/codes';
import { type NamedCode, type Problem, problem } from '../../registry/answer/problem';
import {
  composeLabel,
  describePurposes,
  describeTags,
  isHeaderName,
  ownerOf,
  readPurpose,
} from '../../registry/caller';
import type { KeyVersion } from '../../store/key-ring';
import type { Batch, BatchHeader, ColumnChoices } from './batch';
import type { BatchDependencies, BatchInput, BatchRequest } from './batches';
import { batchCodes } from './codes';
import { findChoiceProblem } from './dataset/columns/column-choices';
import { DatasetError, type DatasetRow, noSheets, QuotaError } from './dataset/dataset';
import { loadDataset } from './dataset/load-dataset';
import { createBatchKey, type OpenBatch, openBatch } from './open-batch';
import type { BatchOperation } from './operation';
import { type BatchStore, extendUploadTime } from './storage/batch-store';

type Creation = { readonly id: string; readonly problems: readonly Problem[] } | { readonly problem: Problem };

/** Keyed values that identify a batch, computed with one of the keys of `DATA_KEYS`. */
interface Identity {
  readonly account: string;
  readonly keyName: string | null;
  /** Fingerprint of the input. It shows whether a caller uses the same `key` for another input. */
  readonly fingerprint: string;
}

interface FoundBatch {
  readonly batch: Batch;
  readonly isSameInput: boolean;
}

export class BatchCreation {
  constructor(
    private readonly dependencies: BatchDependencies,
    private readonly batches: BatchStore,
    private readonly request: BatchRequest,
    private readonly accounts: readonly string[],
  ) {}

  async findProblem(input: BatchInput): Promise<Problem | null> {
    const inputProblem = checkInput(input, this.dependencies) ?? this.checkPurpose(input);
    // Without this check, callers with invented tokens could fill the disk.
    return inputProblem ?? (await this.dependencies.knownAccounts.verify(this.request.caller));
  }

  async create(input: BatchInput): Promise<Creation> {
    const inputProblem = await this.findProblem(input);
    if (inputProblem !== null) return { problem: inputProblem };
    const operation = this.dependencies.operations.prepare(input.operation, input.operationName);
    if ('code' in operation) return { problem: operation };
    const choiceProblem = findChoiceProblem(input.choices, operation.variables);
    if (choiceProblem !== null) return { problem: toInputProblem(choiceProblem.path, choiceProblem.reason) };
    const { newest } = this.dependencies.ring;
    const found =
      (await this.findExisting(input)) ?? (await this.insert(input, operation, this.identify(input, newest)));
    if ('code' in found) return { problem: found };
    const { batch, isSameInput } = found;
    if (!isSameInput) return { problem: toInputProblem(['key'], otherBatch) };
    const purpose = this.purposeOf(input);
    if (purpose !== null && batch.purpose !== purpose) return { problem: toInputProblem(['key'], otherPurpose) };
    await extendUploadTime(this.dependencies.store, batch.id);
    const open = openBatch(this.dependencies.ring, batch);
    const chosen = open === null ? null : await this.applyChoices(open, input.choices);
    if (open !== null && chosen === null) return { problem: toInputProblem(['key'], otherColumns) };
    if (input.rows === null || batch.state !== 'WAITING_FOR_ROWS') return { id: batch.id, problems: [] };
    if (chosen === null) return { id: batch.id, problems: [problem(batchCodes.BATCH_NOT_FOUND)] };
    return { id: batch.id, problems: await this.load(chosen, operation, input.rows) };
  }

  private checkPurpose(input: BatchInput): Problem | null {
    const { purposes } = this.dependencies;
    const { english, spanish } = describePurposes(purposes);
    if (this.purposeOf(input) !== null) return null;
    if (input.purpose !== null)
      return toInputProblem(['purpose'], {
        english: `\`purpose\` is not known here. ${english}`,
        spanish: `Esa finalidad no está en la lista de este servidor. ${spanish}`,
      });
    if (purposes.rule !== 'required') return null;
    const message = `A batch needs \`purpose\`, or the header \`x-purpose\`. ${english}`;
    const inSpanish = `Un lote necesita \`purpose\`, o el encabezado \`x-purpose\`. ${spanish}`;
    return problem(moneyCodes.PURPOSE_MISSING, { message, spanish: inSpanish, path: ['input', 'purpose'] });
  }

  private purposeOf({ purpose }: BatchInput): string | null {
    return purpose === null ? this.request.purpose : readPurpose(purpose, this.dependencies.purposes);
  }

  /**
   * Finds a batch that was identified with any key of `DATA_KEYS`: it was created before the keys changed, or by a process
   * whose keys have another order.
   */
  private async findExisting(input: BatchInput): Promise<FoundBatch | null> {
    const { versions } = this.dependencies.ring;
    if (input.key === null || versions.length === 1) return null;
    for (const version of versions) {
      const { account, keyName, fingerprint } = this.identify(input, version);
      const found = await this.batches.findByKey(account, ownerOf(this.request), keyName);
      if (found !== null) return { batch: found.batch, isSameInput: found.fingerprint === fingerprint };
    }
    return null;
  }

  private async insert(
    input: BatchInput,
    operation: BatchOperation,
    identity: Identity,
  ): Promise<FoundBatch | Problem> {
    const { caller, language, client, tag, actor } = this.request;
    const { ring } = this.dependencies;
    const id = randomBytes(16).toString('base64url');
    const { key, wrapped } = createBatchKey(ring, id);
    const { name, operation: document, operationName, choices, maxAge } = input;
    const age = maxAge === null ? null : this.dependencies.readMaxAge(maxAge);
    const header: BatchHeader = {
      name,
      operation: document,
      operationName: operationName ?? operation.name,
      columns: [],
      inputColumns: [],
      typedColumns: [],
      repairedColumns: [],
      ...noSheets,
      choices,
      maxAge,
      maxAgeMs: typeof age === 'number' ? age : null,
      accounts: this.accounts,
    };
    const { batch, fingerprint, isNew } = await this.batches.create({
      id,
      ...identity,
      owner: ownerOf(this.request),
      header: key.seal(`${id} header`, JSON.stringify(header)),
      wrappedKey: wrapped,
      sandbox: caller.sandbox,
      usesServerToken: caller.usesServerToken,
      permissions: caller.permissions === null ? null : [...caller.permissions],
      language,
      client,
      tag: input.tag === null ? tag : readTag(input.tag),
      purpose: this.purposeOf(input),
      usesEarlier: maxAge === null ? null : true,
      actor,
      retentionDays: input.retentionDays ?? this.dependencies.retentionDays,
    });
    const excess = isNew ? await this.dependencies.quotas.findExcess(batch, { batches: 1, rows: 0, bytes: 0 }) : null;
    if (excess !== null) {
      await this.batches.remove(id);
      return excess;
    }
    return { batch, isSameInput: isNew || fingerprint === identity.fingerprint };
  }

  private async load(
    open: OpenBatch,
    operation: BatchOperation,
    rows: readonly unknown[],
  ): Promise<readonly Problem[]> {
    const dataset = { columns: null, headerLine: null, ...noSheets, rows: rows.map(toDatasetRow) };
    try {
      await loadDataset(this.dependencies.store, open, operation, dataset, this.dependencies);
      return [];
    } catch (error) {
      if (error instanceof QuotaError) return [error.problem];
      if (!(error instanceof DatasetError)) throw error;
      return [toInputProblem(['rows'], error.text, error.code === null ? undefined : batchCodes[error.code])];
    }
  }

  /** Returns the batch with these choices. The choices can change until the batch has rows. Returns null if its rows were read with other choices. */
  private async applyChoices(open: OpenBatch, choices: ColumnChoices): Promise<OpenBatch | null> {
    const { batch, key } = open;
    if (JSON.stringify(open.header.choices) === JSON.stringify(choices)) return open;
    const header: BatchHeader = { ...open.header, choices };
    const sealed = key.seal(`${batch.id} header`, JSON.stringify(header));
    const isSet = await this.batches.setHeader(batch.id, sealed);
    return isSet ? { batch: { ...batch, header: sealed }, key, header } : null;
  }

  private identify({ key, operation, operationName, rows, maxAge }: BatchInput, version: KeyVersion): Identity {
    const keyed = (use: string, text: string): string =>
      createHmac('sha256', version.account).update(`batch ${use} ${text}`).digest('base64url');
    const input = [operation, operationName, rows, this.request.caller.sandbox, maxAge];
    return {
      account: this.accounts[this.dependencies.ring.versions.indexOf(version)] ?? '',
      keyName: key === null ? null : keyed('key', key),
      fingerprint: keyed('fingerprint', JSON.stringify(input)),
    };
  }
}

function toDatasetRow(values: unknown, index: number): DatasetRow {
  const line = index + 1;
  return isObject(values) ? { line, values } : { line, cells: [], message: notAnObject };
}

const notAnObject = { english: 'The row is not a JSON object.', spanish: 'La fila no es un objeto JSON.' };

const otherBatch: Text = {
  english: 'This key belongs to a batch with another operation, other rows or another `maxAge`. Use another key.',
  spanish: 'Esta clave es de un lote con otra operación, otras filas u otro `maxAge`. Use otra clave.',
};
const otherColumns: Text = {
  english: 'This key belongs to a batch whose rows were read with other columns or another sheet. Use another key.',
  spanish: 'Esta clave es de un lote cuyas filas se leyeron con otras columnas u otra hoja. Use otra clave.',
};

const otherPurpose: Text = {
  english:
    'This key belongs to a batch with another purpose, perhaps of the same file. Give that purpose, or use another key.',
  spanish:
    'Esta clave es de un lote con otra finalidad, quizá del mismo archivo. Indique esa finalidad o use otra clave.',
};

const maxInlineRows = 1_000;
const maxTextLength = 200;

function checkInput(
  { name, key, tag, rows, retentionDays, maxAge }: BatchInput,
  { retentionDays: maxDays, tagPattern, readMaxAge }: BatchDependencies,
): Problem | null {
  for (const [field, text] of Object.entries({ name, key }))
    if (text !== null && (text.length > maxTextLength || text.trim() === ''))
      return toInputProblem([field], textLength(field));
  if (tag !== null && !isHeaderName(readTag(tag), tagPattern)) return toInputProblem(['tag'], invalidTag(tagPattern));
  if (rows !== null && rows.length > maxInlineRows) return toInputProblem(['rows'], tooManyRows(rows.length));
  if (retentionDays !== null && (retentionDays < 1 || retentionDays > maxDays)) return retentionOutOfRange(maxDays);
  const age = maxAge === null ? null : readMaxAge(maxAge);
  if (age === null || typeof age === 'number') return null;
  return toInputProblem(['maxAge'], { english: `\`maxAge\` ${age.english}`, spanish: `\`maxAge\` ${age.spanish}` });
}

/** Returns the tag as the header `x-tag` would be read. The ledger stores both unencrypted, so the same rule applies to both. */
const readTag = (tag: string): string => composeLabel(tag).trim();

function invalidTag(tagPattern: RegExp | null): Text {
  const { english, spanish } = describeTags(tagPattern);
  return {
    english: `\`tag\` is not allowed in the ledger. Use ${english}.`,
    spanish: `\`tag\` no se permite en el libro de consultas. Use ${spanish}.`,
  };
}

function retentionOutOfRange(maxDays: number): Problem {
  return problem('OUT_OF_RANGE', {
    path: ['input', 'retentionDays'],
    message: `Batches are kept for at most ${maxDays} days here (KEEP_DAYS). Ask for 1 to ${maxDays} days, or leave \`retentionDays\` out.`,
    spanish: `Aquí los lotes se guardan ${maxDays} días como máximo (KEEP_DAYS). Pida de 1 a ${maxDays} días, u omita \`retentionDays\`.`,
  });
}

const textLength = (field: string): Text => ({
  english: `\`${field}\` must have 1 to ${maxTextLength} characters.`,
  spanish: `\`${field}\` debe tener de 1 a ${maxTextLength} caracteres.`,
});
const tooManyRows = (rows: number): Text => ({
  english: `\`rows\` has ${rows} rows. Send at most ${maxInlineRows} here, or a file to \`uploadUrl\`.`,
  spanish: `\`rows\` tiene ${rows} filas. Envíe aquí ${maxInlineRows} como máximo, o un archivo a \`uploadUrl\`.`,
});

const toInputProblem = (
  path: readonly string[],
  { english: message, spanish }: Text,
  code: NamedCode = 'INVALID_FORMAT',
): Problem => problem(code, { message, spanish, path: ['input', ...path] });
