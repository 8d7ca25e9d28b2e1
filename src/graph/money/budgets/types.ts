import { Directive, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Budget, BudgetPeriod } from '../../../ledger/budgets/budget';
import { DateTime } from '../../core/scalars/scalars';

export const BudgetPeriods = { DAY: 'DAY', MONTH: 'MONTH' } as const satisfies Record<BudgetPeriod, BudgetPeriod>;

registerEnumType(BudgetPeriods, {
  name: 'RegistryBudgetPeriod',
  description: 'Period of a budget, in the time zone of the server (`TIME_ZONE`).',
  valuesConfig: {
    DAY: { description: 'A calendar day.' },
    MONTH: { description: 'A calendar month.' },
  },
});

@Directive('@key(fields: "id")')
@ObjectType({
  description:
    'Units that may be spent per day or month. A call that would exceed them is not made: its lookup is NOT_RUN with the problem BUDGET_EXHAUSTED.',
})
export class RegistryBudget implements Budget {
  @Field(() => ID, { description: 'ID of the budget.' })
  readonly id: string;

  @Field(() => String, { nullable: true, description: 'The client whose calls count. Null: all clients.' })
  readonly client: string | null;

  @Field(() => String, { nullable: true, description: 'The tag whose calls count. Null: all tags.' })
  readonly tag: string | null;

  @Field(() => BudgetPeriods, { description: 'Period of the budget.' })
  readonly period: BudgetPeriod;

  @Field(() => Int, { description: 'Units that may be spent.' })
  readonly units: number;

  @Field(() => [Int], { description: 'Percentages of `units` at which an alert is sent.' })
  readonly alertsAt: readonly number[];

  @Field(() => Int, { description: 'Units spent in this period, including settled calls.' })
  readonly spentUnits: number;

  @Field(() => Int, {
    description: 'Price of running calls, and of calls whose billing is UNKNOWN and not settled.',
  })
  readonly uncertainUnits: number;

  @Field(() => Int, { description: 'Units that may still be spent in this period.' })
  readonly leftUnits: number;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When the ledger last recorded a call or a shared answer with this client and tag. Null: no call yet. If calls were expected, check the spelling of `client` and `tag`.',
  })
  readonly lastSeenAt: Date | null;

  @Field(() => DateTime, { description: 'When the next period begins.' })
  readonly resetsAt: Date;
}

@InputType({ description: 'A budget to set.' })
export class RegistryBudgetInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'ID of a budget whose `units` and `alertsAt` change. Omitted: the budget with this client, tag and period, or a new one.',
  })
  readonly id?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The client whose calls count. Null: all clients. Can be omitted with `id`.',
  })
  readonly client?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The tag whose calls count. Null: all tags. Can be omitted with `id`.',
  })
  readonly tag?: string | null;

  @Field(() => BudgetPeriods, { description: 'Period of the budget.' })
  readonly period: BudgetPeriod;

  @Field(() => Int, { description: 'Units that may be spent. 0 stops every call that costs units.' })
  readonly units: number;

  @Field(() => [Int], {
    defaultValue: [50, 80, 100],
    description: 'Percentages of `units` at which an alert is sent, 1 to 100.',
  })
  readonly alertsAt: readonly number[];
}
