import { clientError } from '../../../graph/core/client-error';
import type { Context } from '../../../graph/core/context';
import { missingScope } from '../../../graph/money/ledger/access';
import type { AccountBatches } from '../account-batches';

export const batchScope = 'padron_batch';

export function requireBatches({ batches, caller: { permissions } }: Context): AccountBatches {
  if (batches === null)
    throw clientError('BATCHES_OFF', 'Batches are off. The operator can turn them on with DATA_DIR or DATABASE_URL.');
  if (permissions !== null && !permissions.has(batchScope)) throw missingScope(batchScope);
  const reachable = batches();
  if (reachable.missingScope !== null)
    throw clientError(
      'FORBIDDEN',
      `A batch belongs to the client that created it, and this token names no client. Use a token with \`azp\` or \`client_id\`, or with the scope \`${reachable.missingScope}\`.`,
    );
  return reachable;
}
