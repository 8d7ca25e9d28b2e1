import './batch.css';
import { useCallback, useEffect, useState } from 'react';
import { icon } from '../../explorer/page/icons';
import { formatNumber } from '../../explorer/page/language/language';
import { texts } from '../../explorer/page/language/texts';
import type { ExplorerPanel } from '../../explorer/page/panel';
import { Loaded, useLoaded } from '../../explorer/page/requests/loaded';
import { createStore, useStore } from '../../explorer/page/store';
import { useActiveTab } from '../../explorer/page/tabs/active-tab';
import { type BatchSummary, isStartable, isUnderWay, listBatches } from './batch-requests';
import { batchTexts as words } from './batch-texts';
import { BatchView } from './batch-view';
import { NewBatch, type NewBatchProps } from './new-batch';

function BatchHome({ headers, settings, onOpen }: NewBatchProps) {
  const load = useCallback((signal: AbortSignal) => listBatches(headers, signal), [headers]);
  const { reply } = useLoaded(load, { isLive: isAnyUnderWay });
  return (
    <Loaded reply={reply} words={words}>
      {(batches) => (
        <>
          <p>{words.intro}</p>
          <NewBatch headers={headers} settings={settings} onOpen={onOpen} />
          <section aria-label={words.list}>
            <h2>{words.list}</h2>
            {batches.length === 0 && <p className="padron-quiet">{words.noBatches}</p>}
            <ul className="padron-list">
              {batches.map((batch) => (
                <BatchItem key={batch.id} batch={batch} onOpen={() => onOpen(batch.id)} />
              ))}
            </ul>
          </section>
        </>
      )}
    </Loaded>
  );
}

function BatchItem({ batch, onOpen }: { readonly batch: BatchSummary; readonly onOpen: () => void }) {
  const { name, operationName, startProblem, createdAt, client } = batch;
  return (
    <li>
      <button type="button" className="padron-chip" onClick={onOpen}>
        <strong>{name ?? words.unnamed}</strong>
        {operationName !== null && ` · ${operationName}`}
      </button>
      <span>{describe(batch)}</span>
      {startProblem !== null && !isStartable(batch) && <span>{startProblem.message}</span>}
      <span className="padron-quiet">
        {words.created(createdAt)}
        {client !== null && ` · ${words.client(client)}`}
      </span>
    </li>
  );
}

const isAnyUnderWay = (batches: readonly BatchSummary[]): boolean => batches.some(isUnderWay);

function describe({ state, startProblem, estimate, progress }: BatchSummary): string {
  const { rows, waiting, failed, unknown, doubtful } = progress;
  const invalid = state === 'READY' ? (estimate?.invalidRows ?? 0) : 0;
  const facts = [
    state === 'READY' && !isStartable({ state, startProblem }) ? words.notStartable : words.states[state],
    state === 'RUNNING' || state === 'PAUSED' ? words.progressOf(rows - waiting, rows) : words.rows(rows),
    invalid === 0 ? '' : words.invalidValues(invalid),
    failed === 0 ? '' : `${formatNumber(failed)} ${words.failed}`,
    unknown === 0 ? '' : `${formatNumber(unknown)} ${words.unknown}`,
    doubtful === 0 ? '' : words.doubtful(doubtful),
  ];
  return facts.filter(Boolean).join(' · ');
}

const debounceMs = 350;

/** Identifier of the open batch, or null while the list is shown. The store keeps it while the panel is closed. */
const openedBatch = createStore<string | null>(null);

/** The Batch panel, which shows the account's batches or one of them. The headers of the open tab identify the account. */
function BatchPanel({ settings }: Pick<NewBatchProps, 'settings'>) {
  const headers = useDebounced(useActiveTab().headers);
  const id = useStore(openedBatch);
  return (
    <>
      {headers === null && <p>{texts.price.headersUnread}</p>}
      {headers !== null && id === null && <BatchHome headers={headers} settings={settings} onOpen={openedBatch.set} />}
      {headers !== null && id !== null && (
        <BatchView key={id} id={id} headers={headers} onLeave={() => openedBatch.set(null)} />
      )}
    </>
  );
}

function useDebounced<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), debounceMs);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}

export const panel: ExplorerPanel = {
  title: words.title,
  Icon: icon('M2.5 4.5h2M2.5 10h2M2.5 15.5h2M7.5 4.5h10M7.5 10h10M7.5 15.5h5M14.5 13.5l3 2-3 2z'),
  Content: BatchPanel,
};
