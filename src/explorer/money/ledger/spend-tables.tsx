import { useId } from 'react';
import { formatNumber, texts } from '../../language/texts';
import { Breakable } from '../figures';
import { addMonths, type DaySpend, type Group, groups, type MonthSpend, type SpendSummary, type Units } from './ledger';

/** Number of endpoints with their own colour. The others share one. */
const maxColours = 5;

/** A chart with a bar for each day in the colours of the endpoints, and the figures for users who cannot distinguish the colours. */
export function SpendChart({ spend, days }: { readonly spend: readonly DaySpend[]; readonly days: readonly string[] }) {
  const endpoints = rankEndpoints(spend);
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

function rankEndpoints(spend: readonly DaySpend[]) {
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

const maxRows = 8;

interface MonthTableProps {
  readonly spend: SpendSummary;
  readonly month: string;
  readonly months: readonly string[];
  readonly onChoose: (month: string) => void;
}

/** The spending of a month by client, tag and endpoint, beside that of the month before. */
export function MonthTable({ spend, month, months, onChoose }: MonthTableProps) {
  const words = texts.ledger.months;
  const id = useId();
  const previous = addMonths(month, -1);
  const [current, before] = [find(spend.totals, month), find(spend.totals, previous)];
  const [uncertain, uncertainBefore] = [toUncertain(current), toUncertain(before)];
  return (
    <>
      <h3>{words.title}</h3>
      <div className="padron-month">
        <label htmlFor={id}>{words.choose}</label>
        <select id={id} value={month} onChange={({ target }) => onChoose(target.value)}>
          {months.map((name, index) => (
            <option key={name} value={name}>
              {index === 0 ? words.soFar(name) : words.name(name)}
            </option>
          ))}
        </select>
      </div>
      <table className="padron-months" aria-label={words.title}>
        <thead>
          <tr>
            <td />
            <th scope="col" className="padron-number">
              {words.short(month)}
            </th>
            <th scope="col" className="padron-number">
              {words.short(previous)}
            </th>
          </tr>
        </thead>
        <tbody>
          <Row name={words.total} current={current} previous={before} />
          {(uncertain.units > 0 || uncertainBefore.units > 0) && (
            <Row name={words.uncertain} current={uncertain} previous={uncertainBefore} />
          )}
        </tbody>
        {groups.map((group) => (
          <GroupRows key={group} group={group} sums={spend.groups[group]} month={month} previous={previous} />
        ))}
      </table>
    </>
  );
}

interface GroupRowsProps {
  readonly group: Group;
  readonly sums: readonly MonthSpend[];
  readonly month: string;
  readonly previous: string;
}

function GroupRows({ group, sums, month, previous }: GroupRowsProps) {
  const words = texts.ledger.months;
  const names = rankNames(group, sums, month);
  const hidden = names.length - maxRows;
  if (names.length === 0) return null;
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={3} className="padron-group">
          {words.by[group]}
        </th>
      </tr>
      {names.slice(0, maxRows).map((name) => {
        const own = sums.filter((sum) => (sum[group] ?? null) === name);
        return (
          <Row
            key={name ?? ''}
            name={name ?? words.without[group]}
            current={find(own, month)}
            previous={find(own, previous)}
          />
        );
      })}
      {hidden > 0 && (
        <tr>
          <td colSpan={3}>{words.hidden(hidden)}</td>
        </tr>
      )}
    </tbody>
  );
}

type Figure = Pick<Units, 'units' | 'amount'>;

const nothing: Figure = { units: 0, amount: null };

const toUncertain = (sum: Units | undefined): Figure =>
  sum === undefined ? nothing : { units: sum.uncertainUnits, amount: sum.uncertainAmount };

interface RowProps {
  readonly name: string;
  readonly current: Figure | undefined;
  readonly previous: Figure | undefined;
}

function Row({ name, current = nothing, previous = nothing }: RowProps) {
  return (
    <tr>
      <th scope="row">
        <Breakable path={name} />
      </th>
      <FigureCell figure={current} />
      <FigureCell figure={previous} />
    </tr>
  );
}

function FigureCell({ figure: { units, amount } }: { readonly figure: Figure }) {
  return (
    <td className="padron-number">
      {formatNumber(units)}
      {units > 0 && amount !== null && <span className="padron-amount">{texts.pesos(amount)}</span>}
    </td>
  );
}

const find = (sums: readonly MonthSpend[], month: string): MonthSpend | undefined =>
  sums.find((sum) => sum.month === month);

/** Returns the names of a group, those that spent most in the month first. */
function rankNames(group: Group, sums: readonly MonthSpend[], month: string): readonly (string | null)[] {
  const names = [...new Set(sums.map((sum) => sum[group] ?? null))];
  const unitsOf = (name: string | null): number =>
    sums.find((sum) => sum.month === month && (sum[group] ?? null) === name)?.units ?? 0;
  return names.sort((left, right) => unitsOf(right) - unitsOf(left) || (left ?? '').localeCompare(right ?? ''));
}
