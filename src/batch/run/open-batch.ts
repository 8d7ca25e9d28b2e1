import type { KeyRing } from '../../store/key-ring';
import type { Batch, BatchHead, BatchOperation, OperationReader } from '../batch';
import { type BatchKey, openBatchKey } from '../batch-key';

/** A batch with what is sealed of it. */
export interface OpenBatch {
  readonly batch: Batch;
  readonly key: BatchKey;
  readonly head: BatchHead;
}

/** Null where it is erased, or sealed by a key that is no longer there. */
export function openBatch(ring: KeyRing, batch: Batch): OpenBatch | null {
  if (batch.wrappedKey === null || batch.head === null) return null;
  const key = openBatchKey(ring, batch.id, batch.wrappedKey);
  if (key === null) return null;
  return { batch, key, head: JSON.parse(key.open(`${batch.id} head`, batch.head).toString()) };
}

/** Null where this version of the graph cannot run it any more. */
export function prepareOperation(operations: OperationReader, { head }: OpenBatch): BatchOperation | null {
  const operation = operations.prepare(head.operation, head.operationName);
  return 'code' in operation ? null : operation;
}
