import { texts } from '../../explorer/page/language/texts';
import { PriceTable } from '../../explorer/page/money/figures';
import type { BatchDetails } from './batch-requests';
import { batchTexts as words } from './batch-texts';
import { ColumnTable, fullName } from './column-form';

/** The price of all rows, in which each distinct call counts once, and the reason why the batch cannot be started. */
export function PriceSection({ batch }: { readonly batch: BatchDetails }) {
  const { estimate, startProblem, barredEndpoints, progress, earlierAnswers: earlier } = batch;
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
          {startProblem.code === 'EARLIER_ANSWERS' && earlier !== null
            ? words.earlier(
                earlier.questions,
                earlier.batches.map(({ id, name }) => name ?? id).join(', '),
                words.moment(earlier.latestAt),
              )
            : startProblem.message}
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

/** Words for columns that fill no variable. */
const wordsOf = new Map([
  ['ref', words.label],
  [fullName, words.fullName],
]);

const maxReasons = 20;
const maxLines = 20;

export function DatasetSection({ batch }: { readonly batch: BatchDetails }) {
  const { columns, sheet, sheets, refusedCount, refusedRows } = batch;
  if (columns.length === 0 && refusedCount === 0) return null;
  return (
    <section aria-label={words.dataset}>
      <h2>{words.dataset}</h2>
      {sheets.length > 1 && (
        <p>
          {words.sheet}: <strong>{sheet}</strong>
        </p>
      )}
      <ColumnTable>
        {columns.map(({ name, variable }) => (
          <tr key={name} className={variable === null ? 'padron-quiet' : undefined}>
            <td>{name}</td>
            <td>{variable === null ? words.unused : (wordsOf.get(variable) ?? <code>${variable}</code>)}</td>
          </tr>
        ))}
      </ColumnTable>
      {refusedCount > 0 && <RefusedRows count={refusedCount} rows={refusedRows} />}
    </section>
  );
}

interface RefusedRowsProps {
  readonly count: number;
  readonly rows: BatchDetails['refusedRows'];
}

function RefusedRows({ count, rows }: RefusedRowsProps) {
  const reasons = new Map<string, number[]>();
  for (const { line, message } of rows) reasons.set(message, [...(reasons.get(message) ?? []), line]);
  const groups = [...reasons].sort(([, left], [, right]) => right.length - left.length).slice(0, maxReasons);
  const listed = groups.reduce((sum, [, lines]) => sum + lines.length, 0);
  return (
    <>
      <p>{words.refused(count)}:</p>
      <ul className="padron-list" aria-label={words.refused(count)}>
        {groups.map(([message, lines]) => (
          <li key={message}>
            <span>
              <strong>{words.rows(lines.length)}:</strong> {message}
            </span>
            <span className="padron-quiet">
              {words.lines(lines.length, lines.slice(0, maxLines).join(', ') + (lines.length > maxLines ? ', …' : ''))}
            </span>
          </li>
        ))}
      </ul>
      {count > listed && <p className="padron-quiet">{words.more(count - listed)}</p>}
    </>
  );
}
