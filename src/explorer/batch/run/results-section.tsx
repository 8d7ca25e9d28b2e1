import { useState } from 'react';
import { language, texts } from '../../language/texts';
import type { Headers } from '../../requests/request';
import { fetchLink, type ResultLink } from '../requests/batch-requests';
import type { BatchDetails } from '../requests/batches';
import { FailureTable } from './failure-table';

const words = texts.batch;

interface ResultsSectionProps {
  readonly headers: Headers;
  readonly batch: BatchDetails;
}

/** Downloads of all rows, and a summary of the failures. */
export function ResultsSection({ headers, batch }: ResultsSectionProps) {
  const { state, progress } = batch;
  return (
    <>
      <section aria-label={words.results}>
        <h2>{words.results}</h2>
        <Downloads headers={headers} batch={batch} />
      </section>
      {state !== 'RUNNING' && progress.failed + progress.unknown > 0 && (
        <FailureTable headers={headers} batch={batch} />
      )}
    </>
  );
}

const formats = ['xlsx', 'csv', 'jsonl'] as const;

/** Download buttons. A link is valid for ten minutes, so it is requested when the user clicks. */
function Downloads({ headers, batch: { id, state, progress } }: ResultsSectionProps) {
  const { rows, waiting } = progress;
  // Until all rows have ended, the files look like the final ones, so the buttons tell the difference.
  const isPartial = state === 'RUNNING' || state === 'PAUSED';
  const [message, setMessage] = useState('');
  const download = async (kind: ResultLink): Promise<void> => {
    const reply = await fetchLink(headers, id, kind);
    if (!('value' in reply)) return setMessage(words.unread(reply.reason));
    if (reply.value === null) return setMessage(words.noLink);
    setMessage('');
    const link = document.createElement('a');
    // The batch may have been created in another language.
    link.href = `${reply.value}&language=${language}`;
    link.download = '';
    link.click();
  };
  return (
    <>
      <div className="padron-row">
        {formats.map((format, index) => (
          <button
            key={format}
            type="button"
            className={state === 'DONE' && index === 0 ? 'padron-primary' : ''}
            onClick={() => void download(`${format}Url`)}
          >
            {isPartial
              ? words.partialAs(rows - waiting, rows, words.formats[format])
              : words.downloadAs(words.formats[format])}
          </button>
        ))}
      </div>
      <p className="padron-quiet">{words.resultsAbout}</p>
      <p role="status" className="padron-message">
        {message}
      </p>
    </>
  );
}
