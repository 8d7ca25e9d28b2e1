import { useCallback } from 'react';
import { texts } from '../language/texts';
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
              </button>
              <span>{describe(batch)}</span>
              <span className="padron-quiet">{words.created(batch.createdAt)}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

const isAnyUnderWay = (batches: readonly BatchSummary[]): boolean => batches.some(isUnderWay);

function describe({ state, progress: { rows, waiting, failed, unknown } }: BatchSummary): string {
  const facts = [
    words.states[state],
    state === 'RUNNING' || state === 'PAUSED' ? words.progressOf(rows - waiting, rows) : words.rows(rows),
    failed === 0 ? '' : `${failed.toLocaleString()} ${words.failed}`,
    unknown === 0 ? '' : `${unknown.toLocaleString()} ${words.unknown}`,
  ];
  return facts.filter(Boolean).join(' · ');
}
