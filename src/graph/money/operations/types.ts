import { Int } from 'type-graphql';
import type { OperationSums } from '../../../money/operations/lasting-operations';
import { fields, nonNull, nullable, Output } from '../../core/fields';
import { DateTime } from '../../core/scalars/scalars';

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
