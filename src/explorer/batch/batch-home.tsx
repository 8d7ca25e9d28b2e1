import { useCallback } from 'react';
import { formatNumber, texts } from '../language/texts';
import type { Headers } from '../requests/request';
import { BatchError } from './batch-error';
import { NewBatch } from './dataset/new-batch';
import { listBatches } from './requests/batch-requests';
import { type BatchSummary, isUnderWay } from './requests/batches';
import { usePolled } from './requests/use-polled';

const words = texts.batch;

interface BatchHomeProps {
  readonly headers: Headers;
  readonly people: string | null;
  readonly onOpen: (id: string) => void;
}

/** The start of a new batch, and the list of existing batches. */
export function BatchHome({ headers, people, onOpen }: BatchHomeProps) {
  const load = useCallback((signal: AbortSignal) => listBatches(headers, signal), [headers]);
  const { reply } = usePolled(load, isAnyUnderWay);
  if (reply === null) return <p>…</p>;
  if (!('value' in reply)) return <BatchError {...reply} />;
  return (
    <>
      <p>{words.intro}</p>
      <NewBatch headers={headers} people={people} onOpen={onOpen} />
      <section aria-label={words.list}>
        <h2>{words.list}</h2>
        {reply.value.length === 0 && <p className="padron-quiet">{words.noBatches}</p>}
        <ul className="padron-list">
          {reply.value.map((batch) => (
            <li key={batch.id}>
              <button type="button" className="padron-chip" onClick={() => onOpen(batch.id)}>
                <strong>{batch.name ?? words.unnamed}</strong>
                {batch.operationName !== null && ` · ${batch.operationName}`}
              </button>
              <span>{describe(batch)}</span>
              {batch.startProblem !== null && <span>{batch.startProblem.message}</span>}
              <span className="padron-quiet">
                {words.created(batch.createdAt)}
                {batch.client !== null && ` · ${words.client(batch.client)}`}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

const isAnyUnderWay = (batches: readonly BatchSummary[]): boolean => batches.some(isUnderWay);

function describe({ state, startProblem, estimate, progress }: BatchSummary): string {
  const { rows, waiting, failed, unknown } = progress;
  const invalid = state === 'READY' ? (estimate?.invalidRows ?? 0) : 0;
  const facts = [
    startProblem === null ? words.states[state] : words.notStartable,
    state === 'RUNNING' || state === 'PAUSED' ? words.progressOf(rows - waiting, rows) : words.rows(rows),
    invalid === 0 ? '' : words.invalidValues(invalid),
    failed === 0 ? '' : `${formatNumber(failed)} ${words.failed}`,
    unknown === 0 ? '' : `${formatNumber(unknown)} ${words.unknown}`,
  ];
  return facts.filter(Boolean).join(' · ');
}
