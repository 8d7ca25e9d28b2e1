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
  description: 'Where a batch stands.',
  valuesConfig: {
    WAITING_FOR_ROWS: { description: 'Its rows have not come: send them to `uploadUrl`.' },
    PRICING: { description: 'Its rows are there, and what they would ask is being counted.' },
    READY: { description: 'Its price is there. Nothing is spent before it is started.' },
    RUNNING: { description: 'Rows are being asked, while workers are there.' },
    PAUSED: { description: 'It stands, and can be resumed; `reason` says why.' },
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
  description: 'Where a row of a batch stands.',
  valuesConfig: {
    WAITING: { description: 'Not yet asked, or to be asked again after a moment.' },
    RUNNING: { description: 'A worker has it.' },
    DONE: { description: 'Every question that it put was answered: FOUND or NOT_FOUND.' },
    FAILED: { description: 'A question was not put or has no answer; `problems` says why.' },
    UNKNOWN: {
      description:
        'A question left and nobody knows whether it was charged. It is asked again only when that is said: `retryRegistryBatch(rows: UNKNOWN)`.',
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
    UNKNOWN: { description: 'Those whose billing is unknown: they may be paid a second time.' },
  },
});
