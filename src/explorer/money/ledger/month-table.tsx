import { useId } from 'react';
import { formatNumber, texts } from '../../language/texts';
import { Breakable } from '../../layout/breakable';
import { addMonths } from './days';
import { type Group, groups, type MonthSpend, type SpendSummary, type Units } from './ledger';

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
  const names = rank(group, sums, month);
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

/** Units and their amount in pesos. */
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
function rank(group: Group, sums: readonly MonthSpend[], month: string): readonly (string | null)[] {
  const names = [...new Set(sums.map((sum) => sum[group] ?? null))];
  const unitsOf = (name: string | null): number =>
    sums.find((sum) => sum.month === month && (sum[group] ?? null) === name)?.units ?? 0;
  return names.sort((left, right) => unitsOf(right) - unitsOf(left) || (left ?? '').localeCompare(right ?? ''));
}
