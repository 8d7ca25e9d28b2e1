import { texts } from '../language/texts';
import { describeError } from '../requests/describe-error';
import { pendingPaths } from '../requests/follow-up';
import type { Estimate } from '../requests/graphql-response';
import { useLastRun } from '../requests/run';
import { useStore } from '../store';
import { CallBars } from './call-bars';
import { LedgerSection } from './ledger/ledger-section';
import { formatPrice, priceStore } from './price';
import { PriceTable } from './price-table';
import { Sum } from './sum';

/** The Money panel: the estimate of the operation, the cost of the last run and the account's recent spending. */
export function MoneyPanel({ timeZone }: { readonly timeZone: string }) {
  return (
    <div className="padron-panel">
      <h1>{texts.panels.money}</h1>
      <EstimateSection />
      <LastRunSection />
      <LedgerSection timeZone={timeZone} />
    </div>
  );
}

function EstimateSection() {
  const price = useStore(priceStore);
  return (
    <section aria-label={texts.money.before}>
      <h2>{texts.money.before}</h2>
      <p className="padron-figure">{formatPrice(price)}</p>
      {price.kind === 'known' && price.estimate.amount !== null && <p>{texts.pesos(price.estimate.amount)}</p>}
      {price.kind === 'known' && <PriceTable endpoints={price.estimate.endpoints} />}
      {price.kind === 'known' && <EstimateNotes estimate={price.estimate} />}
    </section>
  );
}

function EstimateNotes({ estimate }: { readonly estimate: Estimate }) {
  const { atMost, problems, currentBalance, sufficient } = estimate;
  return (
    <>
      {atMost === null && <p>{texts.money.unbounded}</p>}
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
            <Sum name={texts.money.spent} units={units.spent} />
            <Sum name={texts.money.saved} units={units.saved} />
            <Sum name={texts.money.uncertain} units={units.uncertain} />
          </dl>
          {units.uncertain > 0 && <p>{texts.money.uncertainAbout(texts.units(units.uncertain))}</p>}
          <CallBars calls={units.calls} pending={pendingPaths(run.response.data)} />
        </>
      )}
    </section>
  );
}
