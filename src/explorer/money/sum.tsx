import { formatNumber, texts } from '../language/texts';

/** A number of units with its name, and its amount in pesos if padron has a price of a unit. */
export function Sum({
  name,
  units,
  amount = null,
}: {
  readonly name: string;
  readonly units: number;
  readonly amount?: string | null;
}) {
  return (
    <div className={units === 0 ? 'padron-quiet' : undefined}>
      <dd>{formatNumber(units)}</dd>
      <dt>{name}</dt>
      {amount !== null && <dd className="padron-amount">{texts.pesos(amount)}</dd>}
    </div>
  );
}
