import { type Problem, problem } from '../registry/answer/problem';
import type { Batch, BatchState } from './batch';
import type { BatchDependencies } from './batch-dependencies';
import { findMissingScopes } from './batch-owner';
import type { BatchChange, BatchRequest } from './batches';
import { exceedsCeiling, rowTooExpensive } from './row-ceiling';

/** Why the batch of a caller with its own token cannot be started in a process with `ROLE=graph`. */
const tokenNotShared = {
  message:
    'This process does not run batches and cannot pass your token to a worker. Ask the operator to set BATCH_TOKENS=sealed.',
  spanish:
    'Este proceso no ejecuta lotes y no puede entregar su token a otro. Pida al operador que configure BATCH_TOKENS=sealed.',
};

const priceUnknown = {
  message:
    'The price of this batch cannot be determined: a row has too many calls, or this version of the graph cannot run the operation. Create a new batch that selects less.',
  spanish:
    'No se puede determinar el precio de este lote: una fila tiene demasiadas consultas, o esta versión del grafo no puede ejecutar la operación. Cree un lote nuevo que pida menos.',
};

export const batchNotFound = (): BatchChange => ({ view: null, problems: [problem('BATCH_NOT_FOUND')] });

export function wrongState(state: BatchState, wanted: readonly BatchState[]): Problem {
  return problem('BATCH_STATE', {
    message: `The batch is ${state}. This change is only possible in these states: ${wanted.join(', ')}.`,
    spanish: `El lote está en ${state}. Este cambio solo es posible en estos estados: ${wanted.join(', ')}.`,
  });
}

function notAllowedInBatch(addresses: readonly string[]): Problem {
  const list = addresses.join(', ');
  return problem('NOT_IN_BATCH', {
    message: `The service does not allow these endpoints in batches: ${list}.`,
    spanish: `El servicio no permite estas consultas en lotes: ${list}.`,
  });
}

/** Returns why this caller cannot start a batch that is READY, or null if it can. */
export function findStartProblem(batch: Batch, request: BatchRequest, dependencies: BatchDependencies): Problem | null {
  const { disallowedEndpoints, estimate } = batch;
  if (disallowedEndpoints.length > 0) return notAllowedInBatch(disallowedEndpoints);
  if (estimate === null) return problem('BATCH_STATE', priceUnknown);
  return findRunProblem(batch, request, dependencies);
}

/** Returns why the rows of a batch cannot run with the scopes, the limit and the token of this caller, or null if they can. */
export function findRunProblem(
  batch: Batch,
  { caller, rowUnits }: BatchRequest,
  { scopeOf, tokens, worker }: BatchDependencies,
): Problem | null {
  const missing = findMissingScopes(caller, batch.estimate, scopeOf);
  if (missing !== null) return missing;
  if (exceedsCeiling(batch, rowUnits)) return rowTooExpensive(batch, rowUnits);
  const isTokenShared = batch.usesServerToken || tokens.isSealed || worker.runsBatches;
  return isTokenShared ? null : problem('TOKEN_NEEDED', tokenNotShared);
}
