import { GraphQLError } from 'graphql';
import type { CallerBatches } from '../../batch/batches';
import type { Context } from '../context';

/** What a caller's JWT must name to run batches. */
export const batchScope = 'padron_batch';

/** The batches of the caller's account; throws where there are none, or the caller may not reach them. */
export function requireBatches({ batches, caller: { permissions } }: Context): CallerBatches {
  if (batches === null)
    throw new GraphQLError('No batches are kept here: its operator sets DATA_DIR or DATABASE_URL.', {
      extensions: { code: 'BATCHES_OFF' },
    });
  if (permissions !== null && !permissions.has(batchScope))
    throw new GraphQLError(`The caller lacks the scope \`${batchScope}\`.`, { extensions: { code: 'FORBIDDEN' } });
  return batches();
}
