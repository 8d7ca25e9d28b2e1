import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { CallerOperations, OperationSums } from '../../../money/answers/operations/lasting-operations';
import type { Context } from '../../core/context';
import { fields, nonNull, nullable, Output } from '../../core/fields';
import { DateTime } from '../../core/scalars/scalars';
import { recordChange } from '../audit/recording';
import { ledgerOff, requireLedger } from '../ledger/access';

@Output('An operation that lasts (`x-operation-keep`): the sums of all its requests.')
export class RegistryOperation
  extends fields({
    spentUnits: nonNull(Int, 'Units spent.'),
    uncertainUnits: nonNull(Int, 'Price of its running calls, and of calls whose billing is UNKNOWN.'),
    savedUnits: nonNull(Int, 'Price of the questions that were answered without a call.'),
    maxUnits: nullable(Int, 'Units that the operation may cost: the last `x-max-units`. Null: no limit.'),
    leftUnits: nullable(Int, 'Units that the operation may still cost. Null: no limit.'),
    until: nonNull<Date>(DateTime, 'When the operation ends, and its answers are deleted.'),
  })
  implements OperationSums {}

@Resolver()
export class OperationResolver {
  @Query(() => RegistryOperation, {
    nullable: true,
    description:
      'An operation that lasts (`x-operation-keep`). Null if this account, or with JWTs this client, has none with this ID. Free, by POST only, because the ID is a secret.',
  })
  async registryOperation(
    @Arg('id', () => ID, { description: 'The `x-operation-id` of its requests.' }) id: string,
    @Ctx() context: Context,
  ): Promise<RegistryOperation | null> {
    return requireOperations(context).find(id);
  }

  @Mutation(() => RegistryOperation, {
    nullable: true,
    description:
      'Ends an operation that lasts, and deletes the answers that it keeps. Returns its last sums. Null if there is none with this ID. Free.',
  })
  async endRegistryOperation(
    @Arg('id', () => ID, { description: 'The `x-operation-id` of its requests.' }) id: string,
    @Ctx() context: Context,
  ): Promise<RegistryOperation | null> {
    const operations = requireOperations(context);
    return recordChange(
      context,
      { action: 'END_OPERATION', scope: null },
      () => operations.end(id),
      // The ID is a secret, so it is not recorded.
      (ended) => (ended === null ? { problem: 'NOT_FOUND' } : { units: ended.spentUnits }),
    );
  }
}

function requireOperations(context: Context): CallerOperations {
  requireLedger(context);
  if (context.operations === null) throw ledgerOff();
  return context.operations;
}
