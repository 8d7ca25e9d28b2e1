import { accountId } from '../../registry/caller';
import type { RequestScope } from '../../registry/client/client';
import type { KeyRing } from '../../store/key-ring';
import type { Batch, BatchHeader } from '../batch';
import { type BatchKey, openBatchKey } from '../batch-key';
import type { BatchOperation, OperationReader } from '../operation';

/** A batch with its decrypted properties. */
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
  const caller = { bearer: token, account: accountId(token), sandbox, usesServerToken, permissions };
  return { caller, request: { batch: batch.id }, signal };
}
