import { GraphQLError } from 'graphql';
import type { CallerBatches } from '../../batch/batches';
import type { Context } from '../context';

/** What a caller's JWT must name to run batches. */
export const batchScope = 'padron_batch';

/** The batches that the caller may reach. Throws if none are kept, or the caller may have none. */
export function requireBatches({ batches, caller: { permissions } }: Context): CallerBatches {
  if (batches === null)
    throw new GraphQLError('No batches are kept here: its operator sets DATA_DIR or DATABASE_URL.', {
      extensions: { code: 'BATCHES_OFF' },
    });
  if (permissions !== null && !permissions.has(batchScope))
    throw new GraphQLError(`The caller lacks the scope \`${batchScope}\`.`, { extensions: { code: 'FORBIDDEN' } });
  const reachable = batches();
  if (reachable.missingScope !== null)
    throw new GraphQLError(
      `A batch belongs to the client that created it, and this token names no client: give it \`azp\` or \`client_id\`, or the scope \`${reachable.missingScope}\`.`,
      { extensions: { code: 'FORBIDDEN' } },
    );
  return reachable;
}
