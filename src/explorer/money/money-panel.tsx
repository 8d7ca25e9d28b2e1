import type { Estimate } from '../../../schema/client/price-of';
import type { UnitCall } from '../../../schema/client/units';
import { texts } from '../language/texts';
import { pendingPaths } from '../requests/follow-up';
import { describeError } from '../requests/request';
import { useLastRun } from '../requests/run';
import { useStore } from '../store';
import { Breakable, PriceTable, Sum } from './figures';
import { LedgerSection } from './ledger/ledger-section';
import { formatPrice, priceStore } from './price-tag';

interface CallBarsProps {
  readonly calls: readonly UnitCall[];
  readonly pending: ReadonlySet<string>;
}

function CallBars({ calls, pending }: CallBarsProps) {
  const end = Math.max(1, ...calls.map(({ at, ms }) => at + ms));
  if (calls.length === 0) return <p>{texts.money.noCall}</p>;
  return (
    <ol className="padron-calls" aria-label={texts.money.callList}>
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same endpoint may be called twice, and the order never changes.
        <CallBar key={index} call={call} end={end} isRunning={pending.has(call.path.join('.'))} />
      ))}
    </ol>
  );
}

interface CallBarProps {
  readonly call: UnitCall;
  /** Milliseconds from the start of the run to the end of its last call. */
  readonly end: number;
  readonly isRunning: boolean;
}

function CallBar({ call, end, isRunning }: CallBarProps) {
  const kind = isRunning ? 'pending' : call.outcome.toLowerCase();
  return (
    <li>
      <span className="padron-path">
        <strong>
          <Breakable path={call.path.join('.')} />
        </strong>
        <br />
        <Breakable path={call.endpoint} />
      </span>
      <span className={`padron-outcome padron-${kind}`}>{isRunning ? texts.money.stillRunning : call.outcome}</span>
      <span className="padron-track" aria-hidden="true">
        <span
          className={`padron-bar padron-${kind}`}
          style={{
            marginLeft: `${(call.at / end) * 100}%`,
            width: `${((isRunning ? end - call.at : call.ms) / end) * 100}%`,
          }}
        />
      </span>
      <span className="padron-facts">
        {call.ms} ms · {texts.units(call.units)} · {texts.money.servedFrom[call.servedFrom] ?? call.servedFrom}
      </span>
    </li>
  );
}

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
