import { type Problem, problem } from '../registry/answer/problem';
import type { BatchState } from './batch';
import type { BatchChange } from './batches';

/** Says why a process that runs no batches cannot hold a token. */
export const tokenStaysHere = {
  message: 'This process only serves the graph, and tokens stay in its memory. Its operator sets BATCH_TOKENS=sealed.',
  spanish:
    'Este proceso solo sirve el grafo, y los tokens se quedan en su memoria. Su operador pone BATCH_TOKENS=sealed.',
};

export const notFound = (): BatchChange => ({ view: null, problems: [problem('BATCH_NOT_FOUND')] });

export function wrongState(state: BatchState, wanted: readonly BatchState[]): Problem {
  return problem('BATCH_STATE', {
    message: `The batch is ${state}; this can be done while it is ${wanted.join(', ')}.`,
    spanish: `El lote está en ${state}; esto se puede hacer mientras está en ${wanted.join(', ')}.`,
  });
}

export function notInBatch(addresses: readonly string[]): Problem {
  const list = addresses.join(', ');
  return problem('NOT_IN_BATCH', {
    message: `The service does not allow these in batch processing: ${list}.`,
    spanish: `El servicio no permite estos en procesamiento masivo: ${list}.`,
  });
}
