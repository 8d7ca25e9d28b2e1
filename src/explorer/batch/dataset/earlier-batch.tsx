import { texts } from '../../language/texts';
import type { BatchDetails } from '../requests/batches';

const words = texts.batch;

interface EarlierBatchProps {
  /** The name of the file. An erased batch has no name. */
  readonly file: string;
  readonly batch: BatchDetails;
  readonly isDisabled: boolean;
  readonly onOpen: () => void;
  readonly onRunAgain: () => void;
}

/** A notice that the file already ran, with its results, before it is bought again. */
export function EarlierBatch({ file, batch, isDisabled, onOpen, onRunAgain }: EarlierBatchProps) {
  const { name, state, startedAt, createdAt, estimate, progress } = batch;
  const when = words.moment(startedAt ?? createdAt);
  return (
    <div role="alert" className="padron-disallowed">
      <p>
        <strong>{name ?? file}</strong>: {words.alreadyRan(when, words.states[state], progress.done, progress.rows)}
      </p>
      <p className="padron-row">
        {state !== 'ERASED' && (
          <button type="button" className="padron-primary" onClick={onOpen}>
            {state === 'DONE' ? words.openResults : words.openBatch}
          </button>
        )}
        <button type="button" disabled={isDisabled} onClick={onRunAgain}>
          {words.runAgain(estimate === null ? null : texts.units(estimate.estimatedUnits))}
        </button>
      </p>
    </div>
  );
}
