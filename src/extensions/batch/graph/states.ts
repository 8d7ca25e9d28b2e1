import { enumType } from '../../../graph/core/fields';
import type { BatchState, EarlierChoice, RowState } from '../batch';

export const RegistryBatchState = enumType<BatchState>('RegistryBatchState', 'State of a batch.', {
  WAITING_FOR_ROWS:
    'The batch has no rows yet, or its file was rejected as a whole. Send them to `uploadUrl`. It is erased an hour after the last attempt.',
  PRICING: 'The batch has its rows, and padron determines the price.',
  READY: 'The price is known. Nothing is spent before the batch is started.',
  RUNNING: 'Workers run the rows.',
  PAUSED: 'The batch makes no calls until it is resumed. `reason` says why.',
  DONE: 'Every row has ended: DONE, FAILED, UNKNOWN or ERASED.',
  CANCELED: 'The batch was canceled. Its answers stay.',
  ERASED: 'The key of the dataset and the results is destroyed.',
});

export const RegistryEarlierChoice = enumType<EarlierChoice>(
  'RegistryEarlierChoice',
  'Choice for the questions of a batch that earlier batches have answered.',
  {
    USE: 'Their answers are used, free of charge, with their own age. What cannot be used any more is paid.',
    PAY_AGAIN: 'The registries are asked again, and each question is paid.',
  },
);

export const RegistryRowState = enumType<RowState>('RegistryRowState', 'State of a row of a batch.', {
  WAITING: 'The row has not run yet, or padron will retry it.',
  RUNNING: 'A worker runs the row.',
  DONE: 'Every question of the row was answered: FOUND or NOT_FOUND. See also `progress.doubtful`.',
  FAILED: 'A call was not made or has no answer. `problems` says why.',
  UNKNOWN:
    'A call was sent, and it is unknown whether it was charged. Only `retryRegistryBatch(rows: UNKNOWN)` repeats it.',
  CANCELED: 'The batch was canceled before the row ran.',
  ERASED: 'The data of the row was erased at the request of its person. Its number and its cost are left.',
  REFUSED: 'The row does not fit the operation. It never runs and costs nothing. `remarks` says why.',
});
