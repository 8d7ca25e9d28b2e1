import type { KeyRing } from '../../store/key-ring';
import type { Batch, BatchHead, BatchOperation, OperationReader } from '../batch';
import { type BatchKey, openBatchKey } from '../batch-key';

/** A batch with its decrypted properties. */
export interface OpenBatch {
  readonly batch: Batch;
  readonly key: BatchKey;
  readonly head: BatchHead;
}

/** Opens a batch. Returns null if it is erased, or if its key is no longer available. */
export function openBatch(ring: KeyRing, batch: Batch): OpenBatch | null {
  if (batch.wrappedKey === null || batch.head === null) return null;
  const key = openBatchKey(ring, batch.id, batch.wrappedKey);
  if (key === null) return null;
  return { batch, key, head: JSON.parse(key.open(`${batch.id} head`, batch.head).toString()) };
}

/** Prepares the operation of a batch. Returns null if this version of the graph cannot run it. */
export function prepareOperation(operations: OperationReader, { head }: OpenBatch): BatchOperation | null {
  const operation = operations.prepare(head.operation, head.operationName);
  return 'code' in operation ? null : operation;
}
