import { type DragEvent, useId, useState } from 'react';
import { texts } from '../../language/texts';

interface FileDropProps {
  readonly isDisabled: boolean;
  readonly onFile: (file: File) => void;
}

/** An area in which the user chooses or drops a file. */
export function FileDrop({ isDisabled, onFile }: FileDropProps) {
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
      <label htmlFor={id}>{texts.batch.choose}</label>
      <input
        id={id}
        type="file"
        // The browser would label its own button in its own language.
        className="padron-hidden"
        accept=".csv,.tsv,.txt,.xlsx,.jsonl,.ndjson,text/csv"
        disabled={isDisabled}
        onChange={({ target }) => {
          take(target.files);
          // Clears the input so that the same file can be chosen again.
          target.value = '';
        }}
      />
      <span className="padron-quiet">{texts.batch.drop}</span>
    </div>
  );
}
