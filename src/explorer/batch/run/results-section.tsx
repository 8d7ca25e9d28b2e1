import { useState } from 'react';
import { texts } from '../../language/texts';
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
  const { id, state, progress } = batch;
  return (
    <>
      <section aria-label={words.results}>
        <h2>{words.results}</h2>
        <Downloads headers={headers} id={id} isDone={state === 'DONE'} />
      </section>
      {state !== 'RUNNING' && progress.failed + progress.unknown > 0 && (
        <FailureTable headers={headers} batch={batch} />
      )}
    </>
  );
}

interface DownloadsProps {
  readonly headers: Headers;
  readonly id: string;
  readonly isDone: boolean;
}

/** Download buttons. A link is valid for ten minutes, so it is requested when the user clicks. */
function Downloads({ headers, id, isDone }: DownloadsProps) {
  const [message, setMessage] = useState('');
  const download = async (kind: ResultLink): Promise<void> => {
    const reply = await fetchLink(headers, id, kind);
    if (!('value' in reply)) return setMessage(words.unread(reply.reason));
    if (reply.value === null) return setMessage(words.noLink);
    setMessage('');
    const link = document.createElement('a');
    link.href = reply.value;
    link.download = '';
    link.click();
  };
  return (
    <>
      <div className="padron-row">
        <button type="button" className={isDone ? 'padron-primary' : ''} onClick={() => void download('xlsxUrl')}>
          {words.asXlsx}
        </button>
        <button type="button" onClick={() => void download('csvUrl')}>
          {words.asCsv}
        </button>
        <button type="button" onClick={() => void download('jsonlUrl')}>
          {words.asJsonl}
        </button>
      </div>
      <p className="padron-quiet">{words.resultsAbout}</p>
      <p role="status" className="padron-message">
        {message}
      </p>
    </>
  );
}
