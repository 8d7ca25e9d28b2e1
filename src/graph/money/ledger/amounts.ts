import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { amountOf } from '../../../text/unit-price';
import type { Context } from '../../core/context';
import { Decimal } from '../../core/scalars/scalars';
import { RegistryLedgerEntry, RegistrySpend } from './types';

@Resolver(() => RegistrySpend)
export class SpendAmountsResolver {
  @FieldResolver(() => Decimal, {
    nullable: true,
    description: '`units` in pesos, at the price that the operator set with `UNIT_PRICE`. Null without that setting.',
  })
  amount(@Root() { units }: RegistrySpend, @Ctx() { unitPrice }: Context): string | null {
    return amountOf(units, unitPrice);
  }

  @FieldResolver(() => Decimal, {
    nullable: true,
    description: '`uncertainUnits` in pesos. Null without `UNIT_PRICE`.',
  })
  uncertainAmount(@Root() { uncertainUnits }: RegistrySpend, @Ctx() { unitPrice }: Context): string | null {
    return amountOf(uncertainUnits, unitPrice);
  }

  @FieldResolver(() => Decimal, { nullable: true, description: '`savedUnits` in pesos. Null without `UNIT_PRICE`.' })
  savedAmount(@Root() { savedUnits }: RegistrySpend, @Ctx() { unitPrice }: Context): string | null {
    return amountOf(savedUnits, unitPrice);
  }
}

@Resolver(() => RegistryLedgerEntry)
export class EntryAmountsResolver {
  @FieldResolver(() => Decimal, {
    nullable: true,
    description: '`units` in pesos. Null without the setting `UNIT_PRICE`.',
  })
  amount(@Root() { units }: RegistryLedgerEntry, @Ctx() { unitPrice }: Context): string | null {
    return amountOf(units, unitPrice);
  }

  @FieldResolver(() => Decimal, {
    nullable: true,
    description: '`uncertainUnits` in pesos. Null without `UNIT_PRICE`.',
  })
  uncertainAmount(@Root() { uncertainUnits }: RegistryLedgerEntry, @Ctx() { unitPrice }: Context): string | null {
    return amountOf(uncertainUnits, unitPrice);
  }

  @FieldResolver(() => Decimal, { nullable: true, description: '`savedUnits` in pesos. Null without `UNIT_PRICE`.' })
  savedAmount(@Root() { savedUnits }: RegistryLedgerEntry, @Ctx() { unitPrice }: Context): string | null {
    return amountOf(savedUnits, unitPrice);
  }
}
