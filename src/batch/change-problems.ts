import { type Problem, problem } from '../registry/answer/problem';
import type { BatchState } from './batch';
import type { BatchChange } from './batches';

/** Why the batch of a caller with its own token cannot be started in a process with `ROLE=graph`. */
export const tokenNotShared = {
  message:
    'This process does not run batches and cannot pass your token to a worker. Ask the operator to set BATCH_TOKENS=sealed.',
  spanish:
    'Este proceso no ejecuta lotes y no puede entregar su token a otro. Pida al operador que configure BATCH_TOKENS=sealed.',
};

export const batchNotFound = (): BatchChange => ({ view: null, problems: [problem('BATCH_NOT_FOUND')] });

export function wrongState(state: BatchState, wanted: readonly BatchState[]): Problem {
  return problem('BATCH_STATE', {
    message: `The batch is ${state}. This change is only possible in these states: ${wanted.join(', ')}.`,
    spanish: `El lote está en ${state}. Este cambio solo es posible en estos estados: ${wanted.join(', ')}.`,
  });
}

export function notAllowedInBatch(addresses: readonly string[]): Problem {
  const list = addresses.join(', ');
  return problem('NOT_IN_BATCH', {
    message: `The service does not allow these endpoints in batches: ${list}.`,
    spanish: `El servicio no permite estas consultas en lotes: ${list}.`,
  });
}
