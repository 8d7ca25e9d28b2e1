import { randomBytes } from 'node:crypto';
import { OperationKey } from '../../money/answers/operations/lasting-operations';
import { accountId, tenantOf } from '../../registry/caller';
import type { RequestScope } from '../../registry/client/client';
import type { PriceList } from '../../registry/endpoint/price-list';
import type { KeyRing } from '../../store/key-ring';
import { seal, unseal } from '../../store/sealed-box';
import type { Batch, BatchHeader } from './batch';
import type { BatchOperation, OperationReader } from './operation';

export function createBatchKey(ring: KeyRing, batch: string): { readonly key: OperationKey; readonly wrapped: Buffer } {
  const bytes = randomBytes(32);
  const { id, wrapping } = ring.newest;
  const version = Buffer.from(id);
  const wrapped = Buffer.concat([Buffer.of(version.length), version, seal(wrapping, batch, bytes)]);
  return { key: new OperationKey(bytes), wrapped };
}

function openBatchKey(ring: KeyRing, batch: string, wrapped: Buffer): OperationKey | null {
  const length = wrapped[0] ?? 0;
  const version = ring.find(wrapped.subarray(1, 1 + length).toString());
  if (version === null) return null;
  const key = unseal(version.wrapping, batch, wrapped.subarray(1 + length));
  if (key === null) throw new Error('The key of a batch cannot be decrypted.');
  return new OperationKey(key);
}

export interface OpenBatch {
  readonly batch: Batch;
  readonly key: OperationKey;
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

export function createRequestScope(batch: Batch, token: string, signal: AbortSignal, prices: PriceList): RequestScope {
  const { sandbox, usesServerToken } = batch;
  const permissions = batch.permissions === null ? null : new Set(batch.permissions);
  const account = accountId(token);
  const tenant = tenantOf(account, permissions === null ? null : batch.client);
  const caller = { bearer: token, account, tenant, sandbox, usesServerToken, permissions };
  return { caller, request: { batch: batch.id }, signal, prices };
}
