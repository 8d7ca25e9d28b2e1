import { useCallback, useEffect, useRef } from 'react';
import { texts } from '../language/texts';
import type { Headers } from '../requests/request';
import { useStore } from '../store';
import { BatchError } from './batch-error';
import { DatasetSection } from './dataset/dataset-section';
import { PriceSection } from './dataset/price-section';
import { sentFile } from './dataset/sent-file';
import { fetchBatch } from './requests/batch-requests';
import { type BatchDetails, hasResults, isStartable, isUnderWay } from './requests/batches';
import { usePolled } from './requests/use-polled';
import { Controls } from './run/controls';
import { ProgressSection } from './run/progress-section';
import { ResultsSection } from './run/results-section';

const words = texts.batch;

interface BatchViewProps {
  readonly headers: Headers;
  readonly id: string;
  readonly onLeave: () => void;
}

/** One batch with its columns, price, progress and results. */
export function BatchView({ headers, id, onLeave }: BatchViewProps) {
  const load = useCallback((signal: AbortSignal) => fetchBatch(headers, id, signal), [headers, id]);
  const { reply, show } = usePolled(load, isLive);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The button that opened this view no longer exists, so keyboard users continue here.
    if (document.activeElement === document.body) back.current?.focus();
  }, []);
  return (
    <>
      <button type="button" ref={back} onClick={onLeave}>
        ← {words.back}
      </button>
      {reply === null && <p>…</p>}
      {reply !== null && !('value' in reply) && <BatchError {...reply} />}
      {reply !== null && 'value' in reply && reply.value === null && <p>{words.missing}</p>}
      {reply !== null && 'value' in reply && reply.value !== null && (
        <Loaded headers={headers} batch={reply.value} onChange={show} onLeave={onLeave} />
      )}
    </>
  );
}

interface LoadedProps {
  readonly headers: Headers;
  readonly batch: BatchDetails;
  readonly onChange: (batch: BatchDetails) => void;
  readonly onLeave: () => void;
}

function Loaded({ headers, batch, onChange, onLeave }: LoadedProps) {
  const { name, state, client, operation, operationName, expiresAt } = batch;
  const sent = useStore(sentFile);
  const canChoose = state === 'READY' && sent?.batch === batch.id;
  const controls = <Controls key="controls" headers={headers} batch={batch} onChange={onChange} />;
  // The most useful section comes first: the results if there are any, otherwise the controls.
  const results = hasResults(batch) && <ResultsSection key="results" headers={headers} batch={batch} />;
  const dataset = (
    <>
      <DatasetSection batch={batch} />
      {sent?.batch === batch.id && sent.notes.map((note) => <p key={note}>{note}</p>)}
      {canChoose && (
        <p>
          <button
            type="button"
            onClick={() => {
              sentFile.set({ ...sent, isChoosing: true });
              onLeave();
            }}
          >
            {words.chooseColumns}
          </button>
        </p>
      )}
    </>
  );
  return (
    <>
      <h2>{name ?? words.unnamed}</h2>
      <p role="status" className="padron-state">
        {state === 'READY' && !isStartable(batch) ? words.notStartable : words.states[state]}
      </p>
      {client !== null && <p className="padron-quiet">{words.client(client)}</p>}
      {!hasResults(batch) && (
        <>
          <PriceSection batch={batch} />
          {controls}
          {dataset}
        </>
      )}
      {hasResults(batch) && (
        <details>
          <summary>{words.datasetAndPrice}</summary>
          <PriceSection batch={batch} />
          {dataset}
        </details>
      )}
      {hasResults(batch) && <ProgressSection batch={batch} />}
      {hasResults(batch) && (state === 'DONE' ? [results, controls] : [controls, results])}
      {operation !== null && (
        <details>
          <summary>{[words.operation, operationName].filter(Boolean).join(' ')}</summary>
          <pre className="padron-document">{operation}</pre>
        </details>
      )}
      {state !== 'ERASED' && <p className="padron-quiet">{words.expires(expiresAt)}</p>}
    </>
  );
}

const isLive = (batch: BatchDetails | null): boolean => batch !== null && isUnderWay(batch);
