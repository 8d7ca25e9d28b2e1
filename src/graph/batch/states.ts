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
    WAITING_FOR_ROWS: { description: 'Its rows have not come: send them to `uploadUrl`.' },
    PRICING: { description: 'It has its rows, and padron determines the price.' },
    READY: { description: 'Its price is there. Nothing is spent before it is started.' },
    RUNNING: { description: 'Rows are being asked, while workers are there.' },
    PAUSED: { description: 'It is paused and can be resumed. `reason` says why.' },
    DONE: { description: 'Every row has ended, well or not.' },
    CANCELED: { description: 'Its caller gave it up; what was answered until then stays.' },
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
    WAITING: { description: 'Not yet asked, or to be asked again after a moment.' },
    RUNNING: { description: 'A worker has it.' },
    DONE: { description: 'Every question that it put was answered: FOUND or NOT_FOUND.' },
    FAILED: { description: 'A call was not made or has no answer. `problems` says why.' },
    UNKNOWN: {
      description:
        'A call was sent, and it is unknown whether it was charged. Only `retryRegistryBatch(rows: UNKNOWN)` repeats it.',
    },
    CANCELED: { description: 'The batch was canceled before the row was asked.' },
  },
});

export const RegistryRetryScope = { FAILED: 'FAILED', UNKNOWN: 'UNKNOWN' } as const satisfies Record<
  RetryScope,
  RetryScope
>;

registerEnumType(RegistryRetryScope, {
  name: 'RegistryRetryScope',
  description: 'Which rows are asked again.',
  valuesConfig: {
    FAILED: { description: 'Those that failed. What was paid is not paid again.' },
    UNKNOWN: { description: 'Rows whose billing is unknown. They may be charged twice.' },
  },
});
