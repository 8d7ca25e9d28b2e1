import { useEffect, useMemo } from 'react';
import { type AnsweredFile, bytesOf } from './answered';

/** Documents of an answer, to be viewed in a tab of their own or saved. */
export function AnsweredFiles({ files }: { readonly files: readonly AnsweredFile[] }) {
  return (
    <ul className="padron-list">
      {files.map((file) => (
        <li key={file.path}>
          <span className="padron-path">{file.path}</span>
          <span>{file.name}</span>
          {file.content === null ? <Linked url={file.url ?? ''} /> : <Carried file={file} content={file.content} />}
        </li>
      ))}
    </ul>
  );
}

function Linked({ url }: { readonly url: string }) {
  return (
    <span className="padron-row">
      <a className="padron-button" href={url} target="_blank" rel="noopener noreferrer">
        Open the signed link
      </a>
    </span>
  );
}

function Carried({ file, content }: { readonly file: AnsweredFile; readonly content: string }) {
  const links = useMemo(() => linksTo(file, content), [file, content]);
  useEffect(() => () => links?.revoke(), [links]);
  if (links === null) return <span className="padron-quiet">Its bytes cannot be read.</span>;
  return (
    <span className="padron-row">
      <a className="padron-button" href={links.view} target="_blank" rel="noopener" aria-label={`View ${file.name}`}>
        View
      </a>
      <a className="padron-button" href={links.save} download={file.name} aria-label={`Save ${file.name}`}>
        Save
      </a>
      <span className="padron-quiet">{links.size.toLocaleString('en')} bytes</span>
    </span>
  );
}

interface Links {
  readonly view: string;
  readonly save: string;
  readonly size: number;
  revoke(): void;
}

/** A PDF is shown as such; anything else as text, since as XML it could bring a page of its own to life. */
function linksTo({ contentType }: AnsweredFile, content: string): Links | null {
  try {
    const bytes = bytesOf(content);
    const shownAs = contentType === 'application/pdf' ? contentType : 'text/plain;charset=utf-8';
    const view = URL.createObjectURL(new Blob([bytes], { type: shownAs }));
    const save = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    const revoke = (): void => {
      URL.revokeObjectURL(view);
      URL.revokeObjectURL(save);
    };
    return { view, save, size: bytes.length, revoke };
  } catch {
    return null;
  }
}
