import { clientError } from '../../../graph/core/client-error';
import type { CallerExtension, Context } from '../../../graph/core/context';
import { missingScope } from '../../../graph/money/ledger/access';
import type { AccountBatches } from '../account-batches';
import { batchCodes } from '../codes';

export const batchScope = 'padron_batch';

/** Part of the context of a request that the fields of batches read. Absent without a store. */
export interface BatchesOfCaller extends CallerExtension {
  open(): AccountBatches;
}

export function requireBatches({ extensions, caller: { permissions } }: Context): AccountBatches {
  const batches = extensions.batch as BatchesOfCaller | undefined;
  if (batches === undefined) throw clientError('BATCHES_OFF', batchCodes.BATCHES_OFF.message);
  if (permissions !== null && !permissions.has(batchScope)) throw missingScope(batchScope);
  const reachable = batches.open();
  if (reachable.missingScope !== null)
    throw clientError(
      'FORBIDDEN',
      `A batch belongs to the client that created it, and this token names no client. Use a token with \`azp\` or \`client_id\`, or with the scope \`${reachable.missingScope}\`.`,
    );
  return reachable;
}
