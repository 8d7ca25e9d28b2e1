import type { Estimate } from '../requests/graphql-response';
import { useLastRun } from '../requests/run';
import { useStore } from '../store';
import { CallBars } from './call-bars';
import { formatPrice, formatUnits, priceStore } from './price';

/** What the operation would cost, and what the last run spent. */
export function MoneyPanel() {
  return (
    <div className="padron-panel">
      <h1>Money</h1>
      <EstimateSection />
      <LastRunSection />
    </div>
  );
}

function EstimateSection() {
  const price = useStore(priceStore);
  return (
    <section aria-label="Before the run">
      <h2>Before the run</h2>
      <p className="padron-figure">{formatPrice(price)}</p>
      {price.kind === 'known' && price.estimate.endpoints.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>Endpoint</th>
              <th className="padron-number">Calls</th>
              <th className="padron-number">Units</th>
            </tr>
          </thead>
          <tbody>
            {price.estimate.endpoints.map(({ url, calls, subtotal }) => (
              <tr key={url}>
                <td className="padron-path">{url}</td>
                <td className="padron-number">{calls}</td>
                <td className="padron-number">{subtotal}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {price.kind === 'known' && <EstimateNotes estimate={price.estimate} />}
    </section>
  );
}

function EstimateNotes({ estimate }: { readonly estimate: Estimate }) {
  const { bounded, invalidRows, currentBalance, sufficient } = estimate;
  return (
    <>
      {!bounded && (
        <p>
          A list of unknown length holds a paid field. It is counted with 10 entries and may have fewer or more; the
          header x-max-units bounds what is spent.
        </p>
      )}
      {invalidRows > 0 && <p>An identifier will be refused before it is asked: that part costs nothing.</p>}
      {currentBalance !== null && (
        <p>
          The account holds {currentBalance} units{sufficient === false ? ': too few.' : '.'}
        </p>
      )}
    </>
  );
}

function LastRunSection() {
  const run = useLastRun();
  if (run === null) return <p className="padron-quiet">Run the operation to see what it really spends.</p>;
  const units = run.response.extensions?.units;
  const budgetError = run.response.errors?.find(({ extensions }) => extensions?.code === 'UNIT_BUDGET_EXCEEDED');
  return (
    <section aria-label="Last run">
      <h2>Last run</h2>
      {units === undefined || units.calls.length === 0 ? (
        <p>{budgetError?.message ?? 'It asked no registry and spent nothing.'}</p>
      ) : (
        <>
          <dl className="padron-sums">
            <Sum name="spent" units={units.spent} />
            <Sum name="saved" units={units.saved} />
            <Sum name="uncertain" units={units.uncertain} />
          </dl>
          {units.uncertain > 0 && (
            <p>
              {formatUnits(units.uncertain)} may have been taken: calls without a usable answer. The statement tells.
            </p>
          )}
          <CallBars calls={units.calls} />
        </>
      )}
    </section>
  );
}

function Sum({ name, units }: { readonly name: string; readonly units: number }) {
  return (
    <div className={units === 0 ? 'padron-quiet' : undefined}>
      <dd>{units}</dd>
      <dt>{name}</dt>
    </div>
  );
}
