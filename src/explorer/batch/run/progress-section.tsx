import { texts } from '../../language/texts';
import { Sum } from '../../money/sum';
import type { BatchDetails, BatchProgress } from '../requests/batches';

const words = texts.batch;
const parts = ['done', 'failed', 'unknown'] as const;

/** The progress and the spending of a batch. */
export function ProgressSection({ batch }: { readonly batch: BatchDetails }) {
  const { state, reason, progress } = batch;
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
        <p role="status">{reason === null ? words.pausedByYou : words.pausedFor(reason.message)}</p>
      )}
      <dl className="padron-sums">
        {[...parts, 'waiting' as const].map((part) => (
          <Sum key={part} name={words[part]} units={progress[part]} />
        ))}
      </dl>
      <dl className="padron-sums">
        <Sum name={`${texts.money.spent} (${texts.unitWord(progress.spentUnits)})`} units={progress.spentUnits} />
        <Sum name={texts.money.uncertain} units={progress.uncertainUnits} />
        <Sum name={texts.money.saved} units={progress.savedUnits} />
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
          <span key={part} className={`padron-${part}`} style={{ width: share(progress[part]) }} />
        ))}
      </div>
      <span className="padron-hidden" aria-live="polite">
        {tenth * 10} %
      </span>
    </>
  );
}
