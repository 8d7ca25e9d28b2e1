import { Directive, ID, Int } from 'type-graphql';
import type { Budget } from '../../../money/ledger/budgets/stored-budgets';
import type { BudgetPeriod } from '../../../money/ledger/entries/period';
import { computed, enumType, fields, Input, nonNull, nullable, Output, optional } from '../../core/fields';
import { DateTime } from '../../core/scalars/scalars';
import { inPesos } from '../ledger/types';
import { warnUnseen } from './unseen';

export const BudgetPeriods = enumType<BudgetPeriod>(
  'RegistryBudgetPeriod',
  'Period of a budget, in the time zone of the server (`TIME_ZONE`).',
  { DAY: 'A calendar day.', MONTH: 'A calendar month.' },
);

@Directive('@key(fields: "id")')
@Output(
  'Units that may be spent per day or month. A call that would exceed them is not made: its lookup is NOT_RUN with the problem BUDGET_EXHAUSTED.',
)
export class RegistryBudget
  extends fields({
    id: nonNull(ID, 'ID of the budget.'),
    client: nullable(String, 'The client whose calls count. Null: all clients.'),
    tag: nullable(String, 'The tag whose calls count. Null: all tags.'),
    period: nonNull(BudgetPeriods, 'Period of the budget.'),
    units: nonNull(Int, 'Units that may be spent.'),
    alertsAt: nonNull([Int], 'Percentages of `units` at which an alert is sent.'),
    wholeOperations: nonNull(
      Boolean,
      'Whether an operation that costs more than what is left is refused as a whole, before any call.',
    ),
    spentUnits: nonNull(Int, 'Units spent in this period, including settled calls.'),
    uncertainUnits: nonNull(Int, 'Price of running calls, and of calls whose billing is UNKNOWN and not settled.'),
    leftUnits: nonNull(Int, 'Units that may still be spent in this period.'),
    lastSeenAt: nullable<Date>(
      DateTime,
      'When the ledger last recorded a call or a shared answer with this client and tag. Null: no call yet. If calls were expected, check the spelling of `client` and `tag`.',
    ),
    warning: computed(
      String,
      'Why the budget may limit nothing, for example a similar client that makes calls. Null if a call has counted for it.',
      warnUnseen,
    ),
    resetsAt: nonNull<Date>(DateTime, 'When the next period begins.'),
    amount: inPesos('units'),
    spentAmount: inPesos('spentUnits'),
    uncertainAmount: inPesos('uncertainUnits'),
    leftAmount: inPesos('leftUnits'),
  })
  implements Budget {}

@Input('A budget to set.')
export class RegistryBudgetInput extends fields({
  id: optional(
    ID,
    'ID of a budget whose `units` and `alertsAt` change. Omitted: the budget with this client, tag and period, or a new one.',
  ),
  client: optional(String, 'The client whose calls count. Null: all clients. Can be omitted with `id`.'),
  tag: optional(String, 'The tag whose calls count. Null: all tags. Can be omitted with `id`.'),
  period: nonNull(BudgetPeriods, 'Period of the budget.'),
  units: nonNull(Int, 'Units that may be spent. 0 stops every call that costs units.'),
  alertsAt: nonNull([Int], 'Percentages of `units` at which an alert is sent, 1 to 100.', [50, 80, 100]),
  wholeOperations: optional(
    Boolean,
    'True: an operation whose price exceeds what is left is refused as a whole (`BUDGET_EXHAUSTED`), by the price that `x-max-units` uses. False: its calls are made until the budget is used up. Omitted: as before, at first false.',
  ),
}) {}
