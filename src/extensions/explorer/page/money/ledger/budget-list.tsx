import { texts } from '../../language/texts';
import { formatUnits } from '../figures';
import type { BudgetUsage } from './ledger';

const warningShare = 0.8;

interface BudgetListProps {
  readonly budgets: readonly BudgetUsage[] | null;
  readonly timeZone: string;
}

export function BudgetList({ budgets, timeZone }: BudgetListProps) {
  const words = texts.ledger.budgets;
  return (
    <>
      <h3>{words.title}</h3>
      {budgets === null && <p>{words.scopeNeeded}</p>}
      {budgets?.length === 0 && <p className="padron-quiet">{words.none}</p>}
      {budgets !== null && budgets.length > 0 && (
        <ul className="padron-list padron-budgets" aria-label={words.title}>
          {budgets.map((budget) => (
            <BudgetItem key={budget.id} budget={budget} timeZone={timeZone} />
          ))}
        </ul>
      )}
    </>
  );
}

function BudgetItem({ budget, timeZone }: { readonly budget: BudgetUsage; readonly timeZone: string }) {
  const words = texts.ledger.budgets;
  const { client, tag, period, units, spentUnits, uncertainUnits } = budget;
  const scopes = [client !== null && words.scope('client', client), tag !== null && words.scope('tag', tag)];
  return (
    <li>
      <strong>{scopes.filter(Boolean).join(', ') || words.account}</strong>
      <span>{`${formatUnits(units, budget.amount)} ${words.per[period]}`}</span>
      <span className="padron-track" aria-hidden="true">
        <span className={`padron-bar ${colourOf(budget)}`} style={{ width: share(spentUnits, units) }} />
        <span className="padron-bar padron-uncertain" style={{ width: share(uncertainUnits, units) }} />
      </span>
      <span className="padron-facts">
        {words.used(spentUnits, share(spentUnits, units))}
        {uncertainUnits > 0 && words.uncertain(uncertainUnits)}
        {'. '}
        <strong>{words.left(formatUnits(budget.leftUnits, budget.leftAmount))}</strong>
        {` ${words.resets(budget.resetsAt, timeZone)}`}
        {budget.lastSeenAt === null && <em> {budget.warning ?? words.noCalls}</em>}
      </span>
    </li>
  );
}

function share(part: number, whole: number): string {
  return `${whole === 0 ? 100 : Math.min(100, Math.round((part / whole) * 100))}%`;
}

function colourOf({ units, leftUnits }: BudgetUsage): string {
  if (leftUnits === 0) return 'padron-exhausted';
  return leftUnits <= units * (1 - warningShare) ? 'padron-nearly' : '';
}
