import { VisuallyHidden } from '@graphiql/react';
import { useCallback, useEffect, useRef } from 'react';
import { texts } from '../../explorer/page/language/texts';
import { Sum } from '../../explorer/page/money/figures';
import { Loaded, useLoaded } from '../../explorer/page/requests/loaded';
import type { Headers } from '../../explorer/page/requests/request';
import { useStore } from '../../explorer/page/store';
import {
  type BatchDetails,
  type BatchProgress,
  fetchBatch,
  hasResults,
  isStartable,
  isUnderWay,
} from './batch-requests';
import { batchTexts as words } from './batch-texts';
import { Controls } from './controls';
import { DatasetSection, PriceSection } from './dataset-section';
import { ResultsSection } from './results-section';
import { sentFile } from './send-dataset';

const parts = ['done', 'failed', 'unknown'] as const;
/** Parts that most batches do not have. */
const rareParts = ['canceled', 'erased'] as const;

function ProgressSection({ batch }: { readonly batch: BatchDetails }) {
  const { state, reason, pausedUntil, progress } = batch;
  const { rows, waiting, rowsPerMinute, secondsLeft } = progress;
  const pace =
    state !== 'RUNNING'
      ? []
      : [
          rowsPerMinute === null || rowsPerMinute === 0 ? '' : words.pace(Math.round(rowsPerMinute)),
          secondsLeft === null ? '' : words.left(secondsLeft),
        ];
  return (
    <section aria-label={words.progress}>
      <Bar progress={progress} />
      <p>{[words.progressOf(rows - waiting, rows), ...pace].filter(Boolean).join(' · ')}</p>
      {state === 'PAUSED' && (
        <p role="status">
          {reason === null ? words.pausedByYou : words.pausedFor(reason.message)}
          {pausedUntil !== null && ` ${words.pausedUntil(pausedUntil)}`}
        </p>
      )}
      {progress.doubtful > 0 && <p className="padron-disallowed">{words.doubtfulAbout(progress.doubtful)}</p>}
      <dl className="padron-sums">
        {[...parts, 'waiting' as const, ...rareParts.filter((part) => progress[part] > 0)].map((part) => (
          <Sum key={part} name={words[part]} units={progress[part]} />
        ))}
      </dl>
      <dl className="padron-sums">
        <Sum name={texts.money.spent(progress.spentUnits)} units={progress.spentUnits} />
        <Sum name={texts.money.uncertain} units={progress.uncertainUnits} />
        <Sum name={texts.money.saved(progress.savedUnits)} units={progress.savedUnits} />
      </dl>
      {progress.uncertainUnits > 0 && <p>{texts.money.uncertainAbout(texts.units(progress.uncertainUnits))}</p>}
    </section>
  );
}

function Bar({ progress }: { readonly progress: BatchProgress }) {
  const { rows, waiting } = progress;
  const share = (count: number): string => `${rows === 0 ? 0 : (100 * count) / rows}%`;
  // Screen readers announce the progress at each tenth, not at each poll.
  const tenth = rows === 0 ? 10 : Math.floor((10 * (rows - waiting)) / rows);
  return (
    <>
      <div
        role="progressbar"
        className="padron-track padron-batch-bar"
        aria-label={words.progress}
        aria-valuemin={0}
        aria-valuemax={rows}
        aria-valuenow={rows - waiting}
        aria-valuetext={words.progressOf(rows - waiting, rows)}
      >
        {parts.map((part) => (
          <span key={part} className={`padron-bar padron-${part}`} style={{ width: share(progress[part]) }} />
        ))}
      </div>
      <VisuallyHidden aria-live="polite">{tenth * 10} %</VisuallyHidden>
    </>
  );
}

interface BatchViewProps {
  readonly headers: Headers;
  readonly id: string;
  readonly onLeave: () => void;
}

export function BatchView({ headers, id, onLeave }: BatchViewProps) {
  const load = useCallback((signal: AbortSignal) => fetchBatch(headers, id, signal), [headers, id]);
  const { reply, show } = useLoaded(load, { isLive });
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
      <Loaded reply={reply} words={words}>
        {(batch) =>
          batch === null ? (
            <p>{words.missing}</p>
          ) : (
            <Sections headers={headers} batch={batch} onChange={show} onLeave={onLeave} />
          )
        }
      </Loaded>
    </>
  );
}

interface SectionsProps {
  readonly headers: Headers;
  readonly batch: BatchDetails;
  readonly onChange: (batch: BatchDetails) => void;
  readonly onLeave: () => void;
}

function Sections({ headers, batch, onChange, onLeave }: SectionsProps) {
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
      <p role="status">
        <strong>{state === 'READY' && !isStartable(batch) ? words.notStartable : words.states[state]}</strong>
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
          <pre>{operation}</pre>
        </details>
      )}
      {state !== 'ERASED' && <p className="padron-quiet">{words.expires(expiresAt)}</p>}
    </>
  );
}

const isLive = (batch: BatchDetails | null): boolean => batch !== null && isUnderWay(batch);
