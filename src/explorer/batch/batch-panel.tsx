import { useCallback, useEffect, useMemo, useState } from 'react';
import { formatNumber, texts } from '../language/texts';
import type { Headers } from '../requests/request';
import { createStore, useStore } from '../store';
import { parseObject, useActiveTab } from '../tabs/active-tab';
import { type BatchSummary, isUnderWay, listBatches } from './batch-requests';
import { BatchView } from './batch-view';
import { NewBatch } from './new-batch';
import { BatchError, usePolled } from './use-polled';

const words = texts.batch;

interface BatchHomeProps {
  readonly headers: Headers;
  readonly people: string | null;
  readonly onOpen: (id: string) => void;
}

function BatchHome({ headers, people, onOpen }: BatchHomeProps) {
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

const debounceMs = 350;

/** Identifier of the open batch, or null while the list is shown. The store keeps it while the panel is closed. */
const openedBatch = createStore<string | null>(null);

/** The Batch panel, which shows the account's batches or one of them. The headers of the open tab identify the account. */
export function BatchPanel({ people }: { readonly people: string | null }) {
  const pane = useDebounced(useActiveTab().headers);
  const headers = useMemo(() => parseObject(pane), [pane]);
  const id = useStore(openedBatch);
  return (
    <div className="padron-panel">
      <h1>{texts.panels.batch}</h1>
      {headers === null && <p>{texts.price.headersUnread}</p>}
      {headers !== null && id === null && <BatchHome headers={headers} people={people} onOpen={openedBatch.set} />}
      {headers !== null && id !== null && (
        <BatchView key={id} id={id} headers={headers} onLeave={() => openedBatch.set(null)} />
      )}
    </div>
  );
}

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}
