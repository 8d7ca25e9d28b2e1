import { useEffect, useMemo, useState } from 'react';
import { texts } from '../language/texts';
import { createStore, useStore } from '../store';
import { parseObject, useActiveTab } from '../tabs/active-tab';
import { BatchHome } from './batch-home';
import { BatchView } from './batch-view';

const debounceMs = 350;

/** The batch that is looked at, also after the panel was closed in between; null: the list of all. */
const openedBatch = createStore<string | null>(null);

/** An operation over a file: the batches of the account, or one of them. The headers of the open tab say whose they are. */
export function BatchPanel({ people }: { readonly people: string | null }) {
  const pane = useSettled(useActiveTab().headers);
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

/** A text once nobody types any more. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
