import type { Estimate } from '../../../../../schema/client/price-of';
import type { UnitCall } from '../../../../../schema/client/units';
import { texts } from '../language/texts';
import { pendingPaths } from '../requests/follow-up';
import { describeError } from '../requests/request';
import { useLastRun } from '../requests/run';
import { useStore } from '../store';
import { Breakable, PriceTable, Sum } from './figures';
import { LedgerSection } from './ledger/ledger-section';
import { findBarredPrice, formatPrice, priceStore } from './price-tag';

interface CallBarsProps {
  readonly calls: readonly UnitCall[];
  readonly pending: ReadonlySet<string>;
}

function CallBars({ calls, pending }: CallBarsProps) {
  const end = Math.max(1, ...calls.map(({ at, ms }) => at + ms));
  const share = (ms: number): string => `${(ms / end) * 100}%`;
  return (
    <ol className="padron-list padron-calls" aria-label={texts.money.callList}>
      {calls.map(({ path, endpoint, outcome, at, ms, units, servedFrom }, index) => {
        const field = path.join('.');
        const isRunning = pending.has(field);
        const kind = isRunning ? 'pending' : outcome.toLowerCase();
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same endpoint may be called twice, and the order never changes.
          <li key={index}>
            <span className="padron-path">
              <strong>
                <Breakable path={field} />
              </strong>
              <br />
              <Breakable path={endpoint} />
            </span>
            <span className="padron-outcome">
              {isRunning ? texts.money.stillRunning : (texts.money.outcomes[outcome] ?? outcome)}
            </span>
            <span className="padron-track" aria-hidden="true">
              <span
                className={`padron-bar padron-${kind}`}
                style={{ marginLeft: share(at), width: share(isRunning ? end - at : ms) }}
              />
            </span>
            <span className="padron-facts">
              {ms} ms · {texts.units(units)} · {texts.money.servedFrom[servedFrom] ?? servedFrom}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

export function MoneyPanel({ timeZone }: { readonly timeZone: string }) {
  return (
    <>
      <EstimateSection />
      <LastRunSection />
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

function LastRunSection() {
  const run = useLastRun();
  if (run === null) return <p className="padron-quiet">{texts.money.notRunYet}</p>;
  const units = run.response.extensions?.units;
  const budgetError = run.response.errors?.find(({ extensions }) => extensions?.code === 'UNIT_BUDGET_EXCEEDED');
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
          <CallBars calls={units.calls} pending={pendingPaths(run.response.data)} />
        </>
      )}
    </section>
  );
}
