import { formatNumber, texts } from '../../language/texts';
import { Breakable } from '../../layout/breakable';
import type { DaySpend } from './ledger';

/** Number of endpoints with their own colour. The others share one. */
const maxColours = 5;

/** A chart with a bar for each day in the colours of the endpoints, and the figures for users who cannot distinguish the colours. */
export function SpendChart({ spend, days }: { readonly spend: readonly DaySpend[]; readonly days: readonly string[] }) {
  const endpoints = rank(spend);
  const sums = days.map((day) => ({ day, units: sumOf(spend.filter((entry) => entry.day === day)) }));
  const max = Math.max(1, ...sums.map(({ units }) => units));
  return (
    <>
      <table className="padron-chart" aria-label={texts.ledger.chart}>
        <tbody>
          {sums.map(({ day, units }) => (
            <tr key={day}>
              <th scope="row">{texts.ledger.day(day)}</th>
              <td className="padron-stack" style={{ width: '100%' }}>
                <span style={{ width: `${(units / max) * 100}%` }}>
                  {endpoints.map(({ endpoint, colour }) => {
                    const part = sumOf(spend.filter((entry) => entry.day === day && entry.endpoint === endpoint));
                    if (part === 0) return null;
                    const words = `${endpoint}: ${texts.units(part)}`;
                    return (
                      <i
                        key={endpoint}
                        className={`padron-colour-${colour}`}
                        style={{ flexGrow: part }}
                        title={words}
                      />
                    );
                  })}
                </span>
              </td>
              <td className="padron-number">{units === 0 ? '' : formatNumber(units)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="padron-legend" aria-label={texts.ledger.byEndpoint}>
        {endpoints.map(({ endpoint, units, colour }) => (
          <li key={endpoint}>
            <i className={`padron-colour-${colour}`} />
            <span className="padron-path">
              <Breakable path={endpoint} />
            </span>
            <span className="padron-number">{texts.units(units)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Returns the charged endpoints, most expensive first. */
function rank(spend: readonly DaySpend[]) {
  const units = new Map<string, number>();
  for (const entry of spend) units.set(entry.endpoint, (units.get(entry.endpoint) ?? 0) + entry.units);
  return [...units]
    .filter(([, sum]) => sum > 0)
    .sort(([, left], [, right]) => right - left)
    .map(([endpoint, sum], index) => ({ endpoint, units: sum, colour: Math.min(index, maxColours) }));
}

function sumOf(entries: readonly DaySpend[]): number {
  return entries.reduce((sum, { units }) => sum + units, 0);
}
