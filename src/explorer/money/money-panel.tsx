import { useLastRun } from '../requests/run';
import { useStore } from '../store';
import { CallBars } from './call-bars';
import { formatPrice, formatUnits, type OperationEstimate, priceStore } from './price';

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
              <th>Field, endpoint</th>
              <th className="padron-number">Calls</th>
              <th className="padron-number">Units</th>
            </tr>
          </thead>
          <tbody>
            {price.estimate.endpoints.map(({ url, fields, calls, subtotal }) => (
              <tr key={url}>
                <td className="padron-path">
                  {fields.map((field) => (
                    <strong key={field} className="padron-field">
                      {field}
                    </strong>
                  ))}
                  {url}
                </td>
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

function EstimateNotes({ estimate }: { readonly estimate: OperationEstimate }) {
  const { atMost, problems, currentBalance, sufficient } = estimate;
  return (
    <>
      {atMost === null && (
        <p>
          Nothing bounds it: a list of unknown length holds a paid field. A month is counted with two receipts, which is
          usual, and may have more; the header x-max-units bounds what is spent.
        </p>
      )}
      {problems.length > 0 && (
        <>
          <p>What will not be asked, and costs nothing:</p>
          <ul className="padron-list" aria-label="Not asked">
            {problems.map(({ code, path, message }) => (
              <li key={[code, ...(path ?? [])].join(' ')}>
                <code>{code}</code> {path !== null && <strong>{path.join('.')}</strong>} {message}
              </li>
            ))}
          </ul>
        </>
      )}
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
