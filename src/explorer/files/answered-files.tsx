import { useEffect, useMemo } from 'react';
import { texts } from '../language/texts';
import { type AnsweredFile, decodeBase64 } from './answered-file';

/** Documents of an answer, to be viewed in a tab of their own or saved. */
export function AnsweredFiles({ files }: { readonly files: readonly AnsweredFile[] }) {
  return (
    <ul className="padron-list">
      {files.map((file) => (
        <li key={file.path}>
          <span className="padron-path">{file.path}</span>
          <span>{file.name}</span>
          {file.content === null ? (
            <LinkedFile url={file.url ?? ''} />
          ) : (
            <InlineFile file={file} content={file.content} />
          )}
        </li>
      ))}
    </ul>
  );
}

function LinkedFile({ url }: { readonly url: string }) {
  return (
    <span className="padron-row">
      <a className="padron-button" href={url} target="_blank" rel="noopener noreferrer">
        {texts.files.openLink}
      </a>
    </span>
  );
}

function InlineFile({ file, content }: { readonly file: AnsweredFile; readonly content: string }) {
  const urls = useMemo(() => createObjectUrls(file, content), [file, content]);
  useEffect(() => () => urls?.revoke(), [urls]);
  if (urls === null) return <span className="padron-quiet">{texts.files.unreadable}</span>;
  return (
    <span className="padron-row">
      <a
        className="padron-button"
        href={urls.view}
        target="_blank"
        rel="noopener"
        aria-label={`${texts.files.view} ${file.name}`}
      >
        {texts.files.view}
      </a>
      <a
        className="padron-button"
        href={urls.save}
        download={file.name}
        aria-label={`${texts.files.save} ${file.name}`}
      >
        {texts.files.save}
      </a>
      <span className="padron-quiet">{texts.bytes(urls.size)}</span>
    </span>
  );
}

interface ObjectUrls {
  readonly view: string;
  readonly save: string;
  readonly size: number;
  revoke(): void;
}

/** A PDF is shown as such; anything else as text, since XML could run scripts as a page of its own. */
function createObjectUrls({ contentType }: AnsweredFile, content: string): ObjectUrls | null {
  try {
    const bytes = decodeBase64(content);
    const displayType = contentType === 'application/pdf' ? contentType : 'text/plain;charset=utf-8';
    const view = URL.createObjectURL(new Blob([bytes], { type: displayType }));
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
