import { useId } from 'react';
import { formatNumber } from '../../language/language';
import { texts } from '../../language/texts';
import { Breakable } from '../figures';
import { addMonths, type DaySpend, type Group, groups, type Ledger, type MonthSpend, type Units } from './ledger';

/** Colours of the theme for the endpoints that cost most. The others share one. */
const colours = ['info', 'warning', 'success', 'primary', 'secondary'].map((name) => `hsl(var(--color-${name}))`);
const otherColour = 'hsla(var(--color-neutral), 0.4)';

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
              <td className="padron-stack">
                <span style={{ width: `${(units / max) * 100}%` }}>
                  {endpoints.map(({ endpoint, colour }) => {
                    const part = sumOf(spend.filter((entry) => entry.day === day && entry.endpoint === endpoint));
                    if (part === 0) return null;
                    const words = `${endpoint}: ${texts.units(part)}`;
                    return <i key={endpoint} style={{ flexGrow: part, background: colour }} title={words} />;
                  })}
                </span>
              </td>
              <td className="padron-number">{units === 0 ? '' : formatNumber(units)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="padron-list padron-legend" aria-label={texts.ledger.byEndpoint}>
        {endpoints.map(({ endpoint, units, colour }) => (
          <li key={endpoint}>
            <i style={{ background: colour }} />
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
    .map(([endpoint, sum], index) => ({ endpoint, units: sum, colour: colours[index] ?? otherColour }));
}

function sumOf(entries: readonly DaySpend[]): number {
  return entries.reduce((sum, { units }) => sum + units, 0);
}

const maxRows = 8;

interface Figure extends Pick<Units, 'units' | 'amount'> {
  readonly month: string;
}

interface MonthTableProps {
  readonly ledger: Ledger;
  readonly month: string;
  readonly months: readonly string[];
  readonly onChoose: (month: string) => void;
}

export function MonthTable({ ledger, month, months, onChoose }: MonthTableProps) {
  const words = texts.ledger.months;
  const id = useId();
  const compared = [month, addMonths(month, -1)];
  const totals = compare(ledger.totals, compared);
  const uncertain = totals.map((sum) => ({ ...sum, units: sum.uncertainUnits, amount: sum.uncertainAmount }));
  const saved = totals.map((sum) => ({ ...sum, units: sum.savedUnits, amount: sum.savedAmount }));
  return (
    <>
      <h3>{words.title}</h3>
      <div className="padron-slot">
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
            {compared.map((name) => (
              <th key={name} scope="col" className="padron-number">
                {words.short(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row name={words.total} figures={totals} />
          {uncertain.some(({ units }) => units > 0) && <Row name={words.uncertain} figures={uncertain} />}
          {saved.some(({ units }) => units > 0) && <Row name={words.saved} figures={saved} />}
        </tbody>
        {groups.map((group) => (
          <GroupRows key={group} group={group} sums={ledger[group]} months={compared} />
        ))}
      </table>
    </>
  );
}

interface GroupRowsProps {
  readonly group: Group;
  readonly sums: readonly MonthSpend[];
  readonly months: readonly string[];
}

/** The names of a group, those that spent most in the first month first. */
function GroupRows({ group, sums, months }: GroupRowsProps) {
  const words = texts.ledger.months;
  const names = [...new Set(sums.map((sum) => sum[group] ?? null))].sort();
  const rows = names
    .map((name) => ({
      name: name ?? words.without(group),
      figures: compare(
        sums.filter((sum) => (sum[group] ?? null) === name),
        months,
      ),
    }))
    .sort((left, right) => (right.figures[0]?.units ?? 0) - (left.figures[0]?.units ?? 0));
  const hidden = rows.length - maxRows;
  if (rows.length === 0) return null;
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={3} className="padron-group">
          {words.by(group)}
        </th>
      </tr>
      {rows.slice(0, maxRows).map(({ name, figures }) => (
        <Row key={name} name={name} figures={figures} />
      ))}
      {hidden > 0 && (
        <tr>
          <td colSpan={3}>{words.hidden(hidden)}</td>
        </tr>
      )}
    </tbody>
  );
}

function Row({ name, figures }: { readonly name: string; readonly figures: readonly Figure[] }) {
  return (
    <tr>
      <th scope="row">
        <Breakable path={name} />
      </th>
      {figures.map(({ month, units, amount }) => (
        <td key={month} className="padron-number">
          {formatNumber(units)}
          {units > 0 && amount !== null && <span className="padron-amount">{texts.pesos(amount)}</span>}
        </td>
      ))}
    </tr>
  );
}

const none = { uncertainUnits: 0, uncertainAmount: null, savedUnits: 0, savedAmount: null };
const nothing: Units = { units: 0, amount: null, ...none };

const compare = (sums: readonly MonthSpend[], months: readonly string[]): readonly MonthSpend[] =>
  months.map((month) => sums.find((sum) => sum.month === month) ?? { ...nothing, month });
