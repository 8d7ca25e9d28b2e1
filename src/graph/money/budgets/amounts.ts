import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { amountOf } from '../../../text/unit-price';
import type { Context } from '../../core/context';
import { Decimal } from '../../core/scalars/scalars';
import { RegistryBudget } from './types';

@Resolver(() => RegistryBudget)
export class BudgetAmountsResolver {
  @FieldResolver(() => Decimal, {
    nullable: true,
    description: '`units` in pesos, at the price that the operator set with `UNIT_PRICE`. Null without that setting.',
  })
  amount(@Root() { units }: RegistryBudget, @Ctx() { unitPrice }: Context): string | null {
    return amountOf(units, unitPrice);
  }

  @FieldResolver(() => Decimal, { nullable: true, description: '`spentUnits` in pesos. Null without `UNIT_PRICE`.' })
  spentAmount(@Root() { spentUnits }: RegistryBudget, @Ctx() { unitPrice }: Context): string | null {
    return amountOf(spentUnits, unitPrice);
  }

  @FieldResolver(() => Decimal, {
    nullable: true,
    description: '`uncertainUnits` in pesos. Null without `UNIT_PRICE`.',
  })
  uncertainAmount(@Root() { uncertainUnits }: RegistryBudget, @Ctx() { unitPrice }: Context): string | null {
    return amountOf(uncertainUnits, unitPrice);
  }

  @FieldResolver(() => Decimal, { nullable: true, description: '`leftUnits` in pesos. Null without `UNIT_PRICE`.' })
  leftAmount(@Root() { leftUnits }: RegistryBudget, @Ctx() { unitPrice }: Context): string | null {
    return amountOf(leftUnits, unitPrice);
  }
}
