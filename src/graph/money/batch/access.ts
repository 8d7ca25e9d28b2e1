import { GraphQLError } from 'graphql';
import type { AccountBatches } from '../../../batch/account-batches';
import type { Context } from '../../core/context';

export const batchScope = 'padron_batch';

export function requireBatches({ batches, caller: { permissions } }: Context): AccountBatches {
  if (batches === null)
    throw new GraphQLError('Batches are off. The operator can turn them on with DATA_DIR or DATABASE_URL.', {
      extensions: { code: 'BATCHES_OFF' },
    });
  if (permissions !== null && !permissions.has(batchScope))
    throw new GraphQLError(`The caller lacks the scope \`${batchScope}\`. Use a token that has it.`, {
      extensions: { code: 'FORBIDDEN' },
    });
  const reachable = batches();
  if (reachable.missingScope !== null)
    throw new GraphQLError(
      `A batch belongs to the client that created it, and this token names no client. Use a token with \`azp\` or \`client_id\`, or with the scope \`${reachable.missingScope}\`.`,
      { extensions: { code: 'FORBIDDEN' } },
    );
  return reachable;
}
