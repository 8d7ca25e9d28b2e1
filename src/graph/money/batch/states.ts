import { registerEnumType } from 'type-graphql';
import type { BatchState, RetryScope, RowState } from '../../../batch/batch';

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
    WAITING_FOR_ROWS: {
      description:
        'The batch has no rows yet, or its file was rejected as a whole. Send them to `uploadUrl`. It is erased an hour after the last attempt.',
    },
    PRICING: { description: 'The batch has its rows, and padron determines the price.' },
    READY: { description: 'The price is known. Nothing is spent before the batch is started.' },
    RUNNING: { description: 'Workers run the rows.' },
    PAUSED: { description: 'The batch makes no calls until it is resumed. `reason` says why.' },
    DONE: { description: 'Every row has ended: DONE, FAILED or UNKNOWN.' },
    CANCELED: { description: 'The batch was canceled. Its answers stay.' },
    ERASED: { description: 'The key of the dataset and the results is destroyed.' },
  },
});

export const RegistryRowState = {
  WAITING: 'WAITING',
  RUNNING: 'RUNNING',
  DONE: 'DONE',
  FAILED: 'FAILED',
  UNKNOWN: 'UNKNOWN',
  CANCELED: 'CANCELED',
  REFUSED: 'REFUSED',
} as const satisfies Record<RowState, RowState>;

registerEnumType(RegistryRowState, {
  name: 'RegistryRowState',
  description: 'State of a row of a batch.',
  valuesConfig: {
    WAITING: { description: 'The row has not run yet, or padron will retry it.' },
    RUNNING: { description: 'A worker runs the row.' },
    DONE: { description: 'Every question of the row was answered: FOUND or NOT_FOUND.' },
    FAILED: { description: 'A call was not made or has no answer. `problems` says why.' },
    UNKNOWN: {
      description:
        'A call was sent, and it is unknown whether it was charged. Only `retryRegistryBatch(rows: UNKNOWN)` repeats it.',
    },
    CANCELED: { description: 'The batch was canceled before the row ran.' },
    REFUSED: {
      description: 'The row does not fit the operation. It never runs and costs nothing. `remarks` says why.',
    },
  },
});

export const RegistryRetryScope = { FAILED: 'FAILED', UNKNOWN: 'UNKNOWN' } as const satisfies Record<
  RetryScope,
  RetryScope
>;

registerEnumType(RegistryRetryScope, {
  name: 'RegistryRetryScope',
  description: 'The rows to retry.',
  valuesConfig: {
    FAILED: {
      description:
        'Failed rows that may succeed (`progress.retryable`). Rows whose data was rejected stay FAILED. Calls that were charged are not repeated.',
    },
    UNKNOWN: { description: 'Rows whose billing is unknown. They may be charged twice.' },
  },
});
