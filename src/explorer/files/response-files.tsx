import { useEffect, useMemo } from 'react';
import { texts } from '../language/texts';
import { decodeBase64, type ResponseFile } from './response-file';

/** Documents of a response, which the user can view in a new tab or save. */
export function ResponseFiles({ files }: { readonly files: readonly ResponseFile[] }) {
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

function InlineFile({ file, content }: { readonly file: ResponseFile; readonly content: string }) {
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

/** Creates URLs to view and save a document. All types except PDF are shown as text, because XML could run scripts as a page. */
function createObjectUrls({ contentType }: ResponseFile, content: string): ObjectUrls | null {
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
