import { VisuallyHidden } from '@graphiql/react';
import { type DragEvent, useId, useState } from 'react';
import type { ExplorerSettings } from '../../../../schema/explorer-settings';
import { texts } from '../../explorer/page/language/texts';
import type { Headers } from '../../explorer/page/requests/request';
import { useStore } from '../../explorer/page/store';
import { findOperation, useActiveTab } from '../../explorer/page/tabs/active-tab';
import { BarredFields, useBarredFields } from './barred-fields';
import type { BatchDetails } from './batch-requests';
import { type ChosenColumns, changeBatch, createBatch } from './batch-requests';
import { batchTexts as words } from './batch-texts';
import { ColumnForm } from './column-form';
import { type FileColumns, type ReadFile, sendDataset, sentFile } from './send-dataset';

interface FileDropProps {
  readonly isDisabled: boolean;
  readonly onFile: (file: File) => void;
}

function FileDrop({ isDisabled, onFile }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  const id = useId();
  const take = (files: FileList | null): void => {
    const [file] = files ?? [];
    if (file !== undefined && !isDisabled) onFile(file);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the input inside offers the same by keyboard.
    <div
      className={`padron-drop${isOver ? ' padron-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(!isDisabled);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label htmlFor={id} aria-disabled={isDisabled}>
        {words.choose}
      </label>
      {/* The browser would label its own button in its own language. */}
      <VisuallyHidden>
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,.jsonl,.ndjson,text/csv"
          disabled={isDisabled}
          onChange={({ target }) => {
            take(target.files);
            // Clears the input so that the same file can be chosen again.
            target.value = '';
          }}
        />
      </VisuallyHidden>
      <span className="padron-quiet">{words.drop}</span>
    </div>
  );
}

interface EarlierBatchProps {
  /** The name of the file. An erased batch has no name. */
  readonly file: string;
  readonly batch: BatchDetails;
  readonly isDisabled: boolean;
  readonly onOpen: () => void;
  readonly onRunAgain: () => void;
}

/** A notice that the file already ran, with its results, before it is bought again. */
function EarlierBatch({ file, batch, isDisabled, onOpen, onRunAgain }: EarlierBatchProps) {
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

const noChoices: ChosenColumns = { columns: [], refColumn: null, sheet: null };

interface Earlier {
  readonly query: string;
  readonly file: File;
  readonly choices: ChosenColumns;
  readonly batch: BatchDetails;
}

export interface NewBatchProps {
  readonly headers: Headers;
  readonly settings: ExplorerSettings;
  readonly onOpen: (id: string) => void;
}

/** The form of a new batch. When the user chooses a file, the batch is created and its price is calculated, which is free. */
export function NewBatch({ headers, settings, onOpen }: NewBatchProps) {
  const { sandbox, purposes, needsPurpose, batchesCallAny } = settings;
  const people = sandbox?.peopleCsv ?? null;
  const tab = useActiveTab();
  const [message, setMessage] = useState('');
  const [isSending, setSending] = useState(false);
  const operation = findOperation(tab.query, tab.operationName);
  const sent = useStore(sentFile);
  const [chosen, setChosen] = useState<string | null>(null);
  const purpose = chosen ?? purposeIn(headers, purposes);
  const [earlier, setEarlier] = useState<Earlier | null>(null);
  const create = async (file: File, choices: ChosenColumns = noChoices, isAgain = false): Promise<void> => {
    setSending(true);
    setEarlier(null);
    setMessage(words.sending(file.name));
    const message = await send(file, choices, isAgain);
    setSending(false);
    setMessage(message);
  };
  /** Creates the batch, and sends its rows unless it has them. Returns why it has none, or an empty text. */
  const send = async (file: File, choices: ChosenColumns, isAgain: boolean): Promise<string> => {
    const created = await createBatch(
      headers,
      { query: tab.query, operationName: operation?.name?.value ?? null },
      file,
      choices,
      purpose || null,
      isAgain,
    );
    if (!('value' in created)) return words.notTaken(created.reason);
    const { id, state, startedAt } = created.value;
    const before = sentFile.get()?.file === file ? sentFile.get() : null;
    if (state !== 'WAITING_FOR_ROWS') {
      // Nothing was bought yet, so there is nothing to ask.
      if (startedAt === null && state !== 'CANCELED') onOpen(id);
      else setEarlier({ query: tab.query, file, choices, batch: created.value });
      return '';
    }
    const reply = await sendDataset(headers, id, file);
    const isChosen = choices.columns.length > 0 || choices.refColumn !== null;
    if ('value' in reply) {
      const columns = withMatches(reply.value, before?.columns, isChosen);
      sentFile.set({ file, batch: id, columns, sheet: choices.sheet, notes: notesOf(reply.value), isChoosing: false });
      if (before?.batch) await changeBatch(headers, before.batch, 'ERASE', null);
      onOpen(id);
      return '';
    }
    const columns = reply.choice === undefined ? before?.columns : withMatches(reply.choice, before?.columns, isChosen);
    const { sheet } = choices;
    sentFile.set(
      columns === undefined
        ? null
        : { file, batch: before?.batch ?? null, columns, sheet, notes: [], isChoosing: true },
    );
    return words.notTaken(reply.reason);
  };
  const isQuery = operation?.operation === 'query';
  const barred = useBarredFields(batchesCallAny);
  // A file that the batch cannot run is not sent, because padron would store it.
  const isDisabled = !isQuery || barred.length > 0 || isSending || (needsPurpose && purpose === '');
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
      {isQuery && <BarredFields names={barred} />}
      {purposes.length > 0 && <PurposeField {...{ purposes, needsPurpose, purpose }} onChoose={setChosen} />}
      <FileDrop isDisabled={isDisabled} onFile={(file) => void create(file)} />
      {people !== null && (
        <p>
          <button
            type="button"
            disabled={isDisabled}
            onClick={() => void create(new File([people], 'people.csv', { type: 'text/csv' }))}
          >
            {words.example(countRows(people))}
          </button>
        </p>
      )}
      <p role="status" className="padron-message">
        {message}
      </p>
      {earlier?.query === tab.query && (
        <EarlierBatch
          file={earlier.file.name}
          batch={earlier.batch}
          isDisabled={isDisabled}
          onOpen={() => onOpen(earlier.batch.id)}
          onRunAgain={() => void create(earlier.file, earlier.choices, true)}
        />
      )}
      {sent?.isChoosing === true && isQuery && (
        <ColumnForm
          key={`${sent.file.name} ${sent.file.lastModified} ${sent.columns.sheet} ${unmappedIn(sent.columns)}`}
          name={sent.file.name}
          file={sent.columns}
          sheet={sent.sheet}
          isDisabled={isDisabled}
          onChoose={(choices) => void create(sent.file, choices)}
          onCancel={() => sentFile.set(null)}
        />
      )}
    </section>
  );
}

interface PurposeFieldProps extends Pick<ExplorerSettings, 'purposes' | 'needsPurpose'> {
  readonly purpose: string;
  readonly onChoose: (purpose: string) => void;
}

function PurposeField({ purposes, needsPurpose, purpose, onChoose }: PurposeFieldProps) {
  const id = useId();
  return (
    <div className="padron-slot">
      <label htmlFor={id}>{words.purpose}</label>
      <select id={id} value={purpose} onChange={({ target }) => onChoose(target.value)}>
        <option value="">{needsPurpose ? words.choosePurpose : words.noPurpose}</option>
        {purposes.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      {needsPurpose && purpose === '' && <span className="padron-quiet">{words.purposeNeeded}</span>}
    </div>
  );
}

/** Returns the purpose that the tab names in its headers, or an empty text. */
function purposeIn(headers: Headers, purposes: readonly string[]): string {
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-purpose') ?? [];
  return purposes.find((each) => each === value) ?? '';
}

/** Returns the columns as they were read with choices, and what they would fill without these, which is known from before. */
function withMatches(read: FileColumns, before: FileColumns | undefined, isChosen: boolean): FileColumns {
  if (before === undefined || !isChosen) return read;
  const earlier = new Map(before.columns.map((column) => [column.name, column]));
  const columns = read.columns.map((each) => {
    const { matched = null, isUnmapped = false } = earlier.get(each.name) ?? {};
    return { ...each, matched, isUnmapped: isUnmapped || each.isUnmapped === true };
  });
  return { ...read, columns };
}

/** Returns the columns that the user was asked about. If there are others, the form begins again. */
const unmappedIn = ({ columns }: FileColumns): string =>
  columns.flatMap(({ name, isUnmapped }) => (isUnmapped === true ? [name] : [])).join();

function notesOf({ encoding, headerLine }: ReadFile): readonly string[] {
  return [
    ...(encoding === null || encoding === 'UTF-8' ? [] : [words.readAs(encoding)]),
    ...(headerLine === null || headerLine === 1 ? [] : [words.headerAt(headerLine)]),
  ];
}

function VariableHint({ names }: { readonly names: readonly string[] }) {
  return <p className="padron-quiet">{names.length === 0 ? words.noVariables : words.columnsAbout(names)}</p>;
}

const countRows = (csv: string): number => csv.trim().split('\n').length - 1;
