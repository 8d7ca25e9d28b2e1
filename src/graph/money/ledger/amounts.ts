import { amountOf } from '../../../identifiers/decimals';
import { computed } from '../../core/fields';
import { Decimal } from '../../core/scalars/scalars';

export const inPesos = <Name extends string>(units: Name) =>
  computed(
    Decimal,
    `\`${units}\` in pesos. Null if the operator did not set \`UNIT_PRICE\`.`,
    (source: Readonly<Record<Name, number>>, { unitPrice }) => amountOf(source[units], unitPrice),
  );
