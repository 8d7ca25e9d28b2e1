import { useState } from 'react';
import { texts } from '../../language/texts';
import type { Headers } from '../../requests/request';
import { useStore } from '../../store';
import { useActiveTab } from '../../tabs/active-tab';
import { findOperation } from '../../tabs/operation';
import { type ChosenColumns, changeBatch, createBatch } from '../requests/batch-requests';
import { type ReadFile, sendDataset } from '../requests/send-dataset';
import { ColumnForm } from './column-form';
import { FileDrop } from './file-drop';
import { sentFile } from './sent-file';

const words = texts.batch;
const noChoices: ChosenColumns = { columns: [], refColumn: null };

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
  const sent = useStore(sentFile);
  const create = async (
    file: File,
    choices: ChosenColumns = noChoices,
    replaced: string | null = null,
  ): Promise<void> => {
    setSending(true);
    setMessage(words.sending(file.name));
    const created = await createBatch(headers, tab, file.name, choices);
    if (!('value' in created)) {
      setSending(false);
      return setMessage(words.notTaken(created.reason));
    }
    const { id } = created.value;
    const reply = await sendDataset(headers, id, file);
    setSending(false);
    if ('value' in reply) {
      sentFile.set({ file, batch: id, columns: reply.value, notes: notesOf(reply.value), isChoosing: false });
      if (replaced !== null) await changeBatch(headers, replaced, 'ERASE', null);
      return onOpen(id);
    }
    setMessage(words.notTaken(reply.reason));
    const columns = reply.choice ?? (sentFile.get()?.file === file ? sentFile.get()?.columns : undefined);
    sentFile.set(columns === undefined ? null : { file, batch: replaced, columns, notes: [], isChoosing: true });
    // A batch without rows is erased, so that it does not stay in the list.
    await changeBatch(headers, id, 'ERASE', null);
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
      {sent?.isChoosing === true && isQuery && (
        <ColumnForm
          key={sent.file.name}
          name={sent.file.name}
          file={sent.columns}
          isDisabled={isSending}
          onChoose={(choices) => void create(sent.file, choices, sent.batch)}
          onCancel={() => sentFile.set(null)}
        />
      )}
      <p role="status" className="padron-message">
        {message}
      </p>
    </section>
  );
}

function notesOf({ encoding, headerLine }: ReadFile): readonly string[] {
  return [
    ...(encoding === null || encoding === 'UTF-8' ? [] : [words.readAs(encoding)]),
    ...(headerLine === null || headerLine === 1 ? [] : [words.headerAt(headerLine)]),
  ];
}

function VariableHint({ names }: { readonly names: readonly string[] }) {
  return <p className="padron-quiet">{names.length === 0 ? words.noVariables : words.columnsAbout(names)}</p>;
}

/** Returns the number of rows below the header. */
const countRows = (csv: string): number => csv.trim().split('\n').length - 1;
