import { texts } from '../../language/texts';
import { PriceTable } from '../../money/price-table';
import type { BatchDetails } from '../requests/batches';

const words = texts.batch;

/** The price of all rows, in which each distinct call counts once, and the reason why the batch cannot be started. */
export function PriceSection({ batch }: { readonly batch: BatchDetails }) {
  const { estimate, startProblem, barredEndpoints, progress } = batch;
  if (estimate === null) return startProblem === null ? null : <p role="alert">{startProblem.message}</p>;
  const { estimatedUnits, bounded, invalidRows, endpoints } = estimate;
  const units = texts.units(estimatedUnits);
  return (
    <section aria-label={words.price}>
      <h2>{words.price}</h2>
      <p className="padron-figure">
        {bounded ? words.priceAtMost(units, progress.rows) : words.priceAbout(units, progress.rows)}
      </p>
      {!bounded && <p>{words.unbounded}</p>}
      {invalidRows > 0 && <p>{words.invalidRows(invalidRows)}</p>}
      {startProblem !== null && barredEndpoints.length === 0 && (
        <p role="alert" className="padron-disallowed">
          {startProblem.message}
        </p>
      )}
      {barredEndpoints.length > 0 && (
        <div role="alert" className="padron-disallowed">
          <p>{words.disallowedEndpoints}</p>
          <ul>
            {barredEndpoints.map((endpoint) => (
              <li key={endpoint} className="padron-path">
                {endpoint}
              </li>
            ))}
          </ul>
        </div>
      )}
      <PriceTable endpoints={endpoints} />
    </section>
  );
}
