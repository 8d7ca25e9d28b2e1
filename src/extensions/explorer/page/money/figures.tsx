import { Fragment, type ReactNode } from 'react';
import { formatNumber } from '../language/language';
import { texts } from '../language/texts';
import type { EndpointPrice } from '../requests/request';
import { AvailabilityDot, useAvailability } from './availability';

/** Returns units, followed by their amount in pesos if padron has a price of a unit. */
export function formatUnits(units: number, amount: string | null): string {
  return amount === null ? texts.units(units) : `${texts.units(units)} (${texts.pesos(amount)})`;
}

/** A path whose line may only break after a separator or before a capital letter within a word: `/api/infonavit`, `person.housingAccount`. */
export function Breakable({ path }: { readonly path: string }) {
  return path.split(/(?<=[/._-])|(?<=[a-z])(?=[A-Z])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path never change their order.
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
}

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

interface NameCellProps {
  readonly field: string;
  readonly endpoint: string;
  readonly children: ReactNode;
}

/** The first cell of a row of one line. A name that does not fit ends with an ellipsis, and is whole in the tooltip. */
export function NameCell({ field, endpoint, children }: NameCellProps) {
  return (
    <td className="padron-path" title={`${field}\n${endpoint}`}>
      {children}
      <strong>{field}</strong> {endpoint}
    </td>
  );
}

export function PriceTable({ endpoints }: { readonly endpoints: readonly EndpointPrice[] }) {
  const availability = useAvailability();
  if (endpoints.length === 0) return null;
  return (
    <table className="padron-lines">
      <thead>
        <tr>
          <th>{texts.money.fieldAndEndpoint}</th>
          <th className="padron-number">{texts.money.calls}</th>
          <th className="padron-number">{texts.money.units}</th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map(({ url, fields, calls, subtotal }) => (
          <tr key={url}>
            <NameCell field={fields.join(', ')} endpoint={url}>
              <AvailabilityDot availability={availability.get(url)} />
            </NameCell>
            <td className="padron-number">{formatNumber(calls)}</td>
            <td className="padron-number">{formatNumber(subtotal)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
