import { formatNumber, texts } from '../language/texts';
import { Breakable } from '../layout/breakable';

export interface EndpointPrice {
  readonly url: string;
  readonly fields: readonly string[];
  readonly calls: number;
  readonly subtotal: number;
}

/** A table of the calls and the price of each endpoint, with the fields that call it. */
export function PriceTable({ endpoints }: { readonly endpoints: readonly EndpointPrice[] }) {
  if (endpoints.length === 0) return null;
  return (
    <table className="padron-prices">
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
            <td className="padron-path">
              {fields.map((field) => (
                <strong key={field} className="padron-field">
                  <Breakable path={field} />
                </strong>
              ))}
              <Breakable path={url} />
            </td>
            <td className="padron-number">{formatNumber(calls)}</td>
            <td className="padron-number">{formatNumber(subtotal)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
