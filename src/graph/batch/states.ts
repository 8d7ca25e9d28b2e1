import { registerEnumType } from 'type-graphql';
import type { BatchState, RowState } from '../../batch/batch';
import type { RetryScope } from '../../batch/batches';

export const RegistryBatchState = {
  WAITING_FOR_ROWS: 'WAITING_FOR_ROWS',
  PRICING: 'PRICING',
  READY: 'READY',
  RUNNING: 'RUNNING',
  PAUSED: 'PAUSED',
  DONE: 'DONE',
  CANCELED: 'CANCELED',
  ERASED: 'ERASED',
} as const satisfies Record<BatchState, BatchState>;

registerEnumType(RegistryBatchState, {
  name: 'RegistryBatchState',
  description: 'State of a batch.',
  valuesConfig: {
    WAITING_FOR_ROWS: { description: 'It has no rows yet: send them to `uploadUrl`.' },
    PRICING: { description: 'It has its rows, and padron determines the price.' },
    READY: { description: 'Its price is known. Nothing is spent before it is started.' },
    RUNNING: { description: 'Its rows run as soon as a worker is available.' },
    PAUSED: { description: 'It is paused and can be resumed. `reason` says why.' },
    DONE: { description: 'Every row has ended, well or not.' },
    CANCELED: { description: 'A caller canceled it. Its answers so far are kept.' },
    ERASED: { description: 'The key of its dataset and results is destroyed.' },
  },
});

export const RegistryRowState = {
  WAITING: 'WAITING',
  RUNNING: 'RUNNING',
  DONE: 'DONE',
  FAILED: 'FAILED',
  UNKNOWN: 'UNKNOWN',
  CANCELED: 'CANCELED',
} as const satisfies Record<RowState, RowState>;

registerEnumType(RegistryRowState, {
  name: 'RegistryRowState',
  description: 'State of a row of a batch.',
  valuesConfig: {
    WAITING: { description: 'The row has not run yet, or will run again.' },
    RUNNING: { description: 'The row is running.' },
    DONE: { description: 'Every question of the row has an answer: FOUND or NOT_FOUND.' },
    FAILED: { description: 'A call was not made or has no answer. `problems` says why.' },
    UNKNOWN: {
      description:
        'A call was sent, and it is unknown whether it was charged. Only `retryRegistryBatch(rows: UNKNOWN)` repeats it.',
    },
    CANCELED: { description: 'The batch was canceled before the row ran.' },
  },
});

export const RegistryRetryScope = { FAILED: 'FAILED', UNKNOWN: 'UNKNOWN' } as const satisfies Record<
  RetryScope,
  RetryScope
>;

registerEnumType(RegistryRetryScope, {
  name: 'RegistryRetryScope',
  description: 'Which rows are retried.',
  valuesConfig: {
    FAILED: { description: 'Rows that failed. Paid calls are not repeated.' },
    UNKNOWN: { description: 'Rows whose billing is unknown. They may be charged twice.' },
  },
});
