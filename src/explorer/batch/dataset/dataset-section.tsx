import { texts } from '../../language/texts';
import type { BatchDetails } from '../requests/batches';
import { ColumnTable } from './column-table';

const words = texts.batch;
const maxRefused = 20;

/** The mapping of columns to variables, and the rejected rows. */
export function DatasetSection({ batch: { columns, refusedCount, refusedRows } }: { readonly batch: BatchDetails }) {
  if (columns.length === 0 && refusedCount === 0) return null;
  return (
    <section aria-label={words.dataset}>
      <h2>{words.dataset}</h2>
      <ColumnTable>
        {columns.map(({ name, variable }) => (
          <tr key={name} className={variable === null ? 'padron-quiet' : undefined}>
            <td>{name}</td>
            <td>{variable === null ? words.unused : variable === 'ref' ? words.label : <code>${variable}</code>}</td>
          </tr>
        ))}
      </ColumnTable>
      {refusedCount > 0 && (
        <>
          <p>{words.refused(refusedCount)}:</p>
          <ul className="padron-list" aria-label={words.refused(refusedCount)}>
            {refusedRows.slice(0, maxRefused).map(({ line, message }) => (
              <li key={line}>
                <span>
                  <strong>{words.line(line)}</strong> {message}
                </span>
              </li>
            ))}
          </ul>
          {refusedCount > maxRefused && <p className="padron-quiet">{words.more(refusedCount - maxRefused)}</p>}
        </>
      )}
    </section>
  );
}
