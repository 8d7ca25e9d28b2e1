import { useEffect, useMemo, useState } from 'react';
import { texts } from '../language/texts';
import { createStore, useStore } from '../store';
import { parseObject, useActiveTab } from '../tabs/active-tab';
import { BatchHome } from './batch-home';
import { BatchView } from './batch-view';

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

/** Returns the text after the user has stopped typing. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}
