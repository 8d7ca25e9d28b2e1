import type { Estimate } from '../../../../../schema/client/price-of';
import type { UnitCall } from '../../../../../schema/client/units';
import { formatNumber } from '../language/language';
import { texts } from '../language/texts';
import { pendingPaths } from '../requests/follow-up';
import { describeError } from '../requests/request';
import { type Run, useLastRun } from '../requests/run';
import { useStore } from '../store';
import { NameCell, PriceTable, Sum } from './figures';
import { LedgerSection } from './ledger/ledger-section';
import { findBarredPrice, formatPrice, priceStore } from './price-tag';

interface CallTableProps {
  readonly calls: readonly UnitCall[];
  readonly pending: ReadonlySet<string>;
}

/** The calls of a run, one in a row, with their times as bars. */
function CallTable({ calls, pending }: CallTableProps) {
  const end = Math.max(1, ...calls.map(({ at, ms }) => at + ms));
  const share = (ms: number): string => `${(ms / end) * 100}%`;
  return (
    <table className="padron-lines padron-calls" aria-label={texts.money.callList}>
      <thead>
        <tr>
          <th>{texts.money.fieldAndEndpoint}</th>
          <th className="padron-outcome">{texts.money.outcome}</th>
          <th className="padron-number">ms</th>
          <th className="padron-number">{texts.money.units}</th>
        </tr>
      </thead>
      <tbody>
        {calls.map(({ path, endpoint, outcome, at, ms, units, servedFrom }, index) => {
          const field = path.join('.');
          const isRunning = pending.has(field);
          const kind = isRunning ? 'pending' : outcome.toLowerCase();
          const source = texts.money.servedFrom[servedFrom] ?? servedFrom;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same endpoint may be called twice, and the order never changes.
            <tr key={index}>
              <NameCell field={field} endpoint={endpoint}>
                <span className="padron-track" aria-hidden="true">
                  <span
                    className={`padron-bar padron-${kind}`}
                    style={{ marginLeft: share(at), width: share(isRunning ? end - at : ms) }}
                  />
                </span>
              </NameCell>
              <td className="padron-outcome" title={source}>
                {isRunning ? texts.money.stillRunning : (texts.money.outcomes[outcome] ?? outcome)}
                <span className="padron-unseen"> {source}</span>
              </td>
              <td className="padron-number">{formatNumber(ms)}</td>
              <td className="padron-number">{formatNumber(units)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export function MoneyPanel({ timeZone }: { readonly timeZone: string }) {
  const run = useLastRun();
  return (
    <>
      {run === null ? (
        <>
          <EstimateSection />
          <p className="padron-quiet">{texts.money.notRunYet}</p>
        </>
      ) : (
        <>
          <LastRunSection run={run} />
          <EstimateSection />
        </>
      )}
      <LedgerSection timeZone={timeZone} />
    </>
  );
}

function EstimateSection() {
  const price = useStore(priceStore);
  return (
    <section aria-label={texts.money.before}>
      <h2>{texts.money.before}</h2>
      <p className="padron-figure">{formatPrice(price)}</p>
      {price.kind === 'known' && price.estimate.amount !== null && findBarredPrice(price) === null && (
        <p>{texts.pesos(price.estimate.amount)}</p>
      )}
      {price.kind === 'known' && <PriceTable endpoints={price.estimate.endpoints} />}
      {price.kind === 'known' && <EstimateNotes estimate={price.estimate} />}
    </section>
  );
}

function EstimateNotes({ estimate }: { readonly estimate: Estimate }) {
  const { atMost, currentBalance, sufficient } = estimate;
  const problems = estimate.problems.filter(({ code }) => code !== 'LEDGER_UNAVAILABLE');
  const notCounted = estimate.problems.find((problem) => !problems.includes(problem));
  return (
    <>
      {atMost === null && <p>{texts.money.unbounded}</p>}
      {notCounted !== undefined && <p>{notCounted.message}</p>}
      {problems.length > 0 && (
        <>
          <p>{texts.money.notSentAbout}</p>
          <ul className="padron-list" aria-label={texts.money.notSent}>
            {problems.map(({ code, path, message }) => (
              <li key={[code, ...(path ?? [])].join(' ')}>
                <code>{code}</code> {path !== null && <strong>{path.join('.')}</strong>} {message}
              </li>
            ))}
          </ul>
        </>
      )}
      {currentBalance !== null && <p>{texts.money.balance(currentBalance, sufficient)}</p>}
    </>
  );
}

function LastRunSection({ run: { response } }: { readonly run: Run }) {
  const units = response.extensions?.units;
  const budgetError = response.errors?.find(({ extensions }) => extensions?.code === 'UNIT_BUDGET_EXCEEDED');
  return (
    <section aria-label={texts.money.last}>
      <h2>{texts.money.last}</h2>
      {units === undefined || units.calls.length === 0 ? (
        <p>{budgetError === undefined ? texts.money.nothingSpent : describeError(budgetError)}</p>
      ) : (
        <>
          <dl className="padron-sums">
            <Sum name={texts.money.spent(units.spent)} units={units.spent} />
            <Sum name={texts.money.saved(units.saved)} units={units.saved} />
            <Sum name={texts.money.uncertain} units={units.uncertain} />
            {units.budgets?.slice(0, 1).map(({ left }) => (
              <Sum key="left" name={texts.money.left(left)} units={left} />
            ))}
          </dl>
          {units.uncertain > 0 && <p>{texts.money.uncertainAbout(texts.units(units.uncertain))}</p>}
          <CallTable calls={units.calls} pending={pendingPaths(response.data)} />
        </>
      )}
    </section>
  );
}
