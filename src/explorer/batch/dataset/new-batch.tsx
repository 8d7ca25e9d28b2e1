import { useState } from 'react';
import { texts } from '../../language/texts';
import type { Headers } from '../../requests/request';
import { useActiveTab } from '../../tabs/active-tab';
import { findOperation } from '../../tabs/operation';
import { changeBatch, createBatch } from '../requests/batch-requests';
import { sendDataset } from '../requests/send-dataset';
import { FileDrop } from './file-drop';

const words = texts.batch;

interface NewBatchProps {
  readonly headers: Headers;
  /** The sandbox's people as CSV, or null without a sandbox. */
  readonly people: string | null;
  readonly onOpen: (id: string) => void;
}

/** The form of a new batch. When the user chooses a file, the batch is created and its price is calculated, which is free. */
export function NewBatch({ headers, people, onOpen }: NewBatchProps) {
  const tab = useActiveTab();
  const [message, setMessage] = useState('');
  const [isSending, setSending] = useState(false);
  const operation = findOperation(tab.query, tab.operationName);
  const create = async (file: File): Promise<void> => {
    setSending(true);
    setMessage(words.sending(file.name));
    const created = await createBatch(headers, tab, file.name);
    const sent = 'value' in created ? await sendDataset(headers, created.value.id, file) : created;
    setSending(false);
    if ('value' in sent && 'value' in created) return onOpen(created.value.id);
    if ('reason' in sent) setMessage(words.notTaken(sent.reason));
    // A batch without rows is erased, so that it does not stay in the list.
    if ('value' in created) await changeBatch(headers, created.value.id, 'ERASE', null);
  };
  const isQuery = operation?.operation === 'query';
  return (
    <section aria-label={words.create}>
      <h2>{words.create}</h2>
      <p>
        {words.operation}: <strong>{operation?.name?.value ?? (operation === null ? '—' : 'query')}</strong>
      </p>
      {operation === null && <p>{words.unparsed}</p>}
      {operation !== null && !isQuery && <p>{words.notAQuery}</p>}
      {isQuery && (
        <VariableHint names={(operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value)} />
      )}
      <FileDrop isDisabled={!isQuery || isSending} onFile={(file) => void create(file)} />
      {people !== null && (
        <p>
          <button
            type="button"
            disabled={!isQuery || isSending}
            onClick={() => void create(new File([people], 'people.csv', { type: 'text/csv' }))}
          >
            {words.example(countRows(people))}
          </button>
        </p>
      )}
      <p role="status" className="padron-message">
        {message}
      </p>
    </section>
  );
}

function VariableHint({ names }: { readonly names: readonly string[] }) {
  return <p className="padron-quiet">{names.length === 0 ? words.noVariables : words.columnsAbout(names)}</p>;
}

/** Returns the number of rows below the header. */
const countRows = (csv: string): number => csv.trim().split('\n').length - 1;
