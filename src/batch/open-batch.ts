import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { accountId, tenantOf } from '../registry/caller';
import type { RequestScope } from '../registry/client/client';
import type { KeyRing } from '../store/key-ring';
import { seal, unseal } from '../store/sealed-box';
import type { Batch, BatchHeader } from './batch';
import type { BatchOperation, OperationReader } from './operation';

/** Characters of a question's name: 192 bits, so that two questions of a batch never have the same name. */
const nameLength = 32;

/**
 * The key of a batch. It encrypts personal data and names questions, in the same way in every process. Destroying it
 * destroys the dataset and its results, including all copies.
 */
export class BatchKey {
  private readonly sealing: Buffer;
  private readonly naming: Buffer;

  constructor(key: Buffer) {
    this.sealing = derive(key, 'sealing');
    this.naming = derive(key, 'naming');
  }

  /** Encrypts content. `place` names where the content is stored. It cannot be decrypted for another place. */
  seal(place: string, content: string | Buffer): Buffer {
    return seal(this.sealing, place, typeof content === 'string' ? Buffer.from(content) : content);
  }

  open(place: string, sealed: Buffer): Buffer {
    return openOrThrow(this.sealing, place, sealed);
  }

  name(text: string): string {
    return createHmac('sha256', this.naming).update(text).digest('base64url').slice(0, nameLength);
  }
}

export function createBatchKey(ring: KeyRing, batch: string): { readonly key: BatchKey; readonly wrapped: Buffer } {
  const bytes = randomBytes(32);
  const { id, wrapping } = ring.newest;
  const version = Buffer.from(id);
  const wrapped = Buffer.concat([Buffer.of(version.length), version, seal(wrapping, batch, bytes)]);
  return { key: new BatchKey(bytes), wrapped };
}

function openBatchKey(ring: KeyRing, batch: string, wrapped: Buffer): BatchKey | null {
  const length = wrapped[0] ?? 0;
  const version = ring.find(wrapped.subarray(1, 1 + length).toString());
  if (version === null) return null;
  return new BatchKey(openOrThrow(version.wrapping, batch, wrapped.subarray(1 + length)));
}

function derive(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `padron batch ${use}`, 32));
}

function openOrThrow(key: Buffer, place: string, sealed: Buffer): Buffer {
  const content = unseal(key, place, sealed);
  if (content === null) throw new Error('Sealed content cannot be decrypted with its key.');
  return content;
}

export interface OpenBatch {
  readonly batch: Batch;
  readonly key: BatchKey;
  readonly header: BatchHeader;
}

/** Decrypts the properties of a batch. Returns null if it is erased, or if `DATA_KEYS` no longer has its key. */
export function openBatch(ring: KeyRing, batch: Batch): OpenBatch | null {
  if (batch.wrappedKey === null || batch.header === null) return null;
  const key = openBatchKey(ring, batch.id, batch.wrappedKey);
  if (key === null) return null;
  return { batch, key, header: JSON.parse(key.open(`${batch.id} header`, batch.header).toString()) };
}

/** Prepares the operation of a batch. Returns null if this version of the graph cannot run it. */
export function prepareOperation(operations: OperationReader, { header }: OpenBatch): BatchOperation | null {
  const operation = operations.prepare(header.operation, header.operationName);
  return 'code' in operation ? null : operation;
}

/** Returns the scope of a batch's calls. If the token is null, the batch can only be priced. */
export function createRequestScope(batch: Batch, token: string | null, signal: AbortSignal): RequestScope {
  const { sandbox, usesServerToken } = batch;
  const permissions = batch.permissions === null ? null : new Set(batch.permissions);
  const account = accountId(token);
  const tenant = tenantOf(account, permissions === null ? null : batch.client);
  const caller = { bearer: token, account, tenant, sandbox, usesServerToken, permissions };
  return { caller, request: { batch: batch.id }, signal };
}
