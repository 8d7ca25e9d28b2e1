import { useEffect, useMemo } from 'react';
import { texts } from '../language/texts';
import type { GraphqlResponse } from '../requests/request';

interface ResponseFile {
  /** Path in the response, for example `employer.receiptFiles.pdf`. */
  readonly path: string;
  readonly name: string;
  readonly contentType: string;
  readonly content: string | null;
  readonly url: string | null;
}

const shownCharacters = 60;

export function findFiles(value: unknown, path: readonly string[] = []): readonly ResponseFile[] {
  if (typeof value !== 'object' || value === null) return [];
  const file = toResponseFile(value as Record<string, unknown>, path);
  if (file !== null) return [file];
  return Object.entries(value).flatMap(([name, inner]) => findFiles(inner, [...path, name]));
}

function toResponseFile(value: Readonly<Record<string, unknown>>, path: readonly string[]): ResponseFile | null {
  const content = typeof value.content === 'string' && isBase64(value.content) ? value.content : null;
  const url = typeof value.url === 'string' && /^https?:\/\//.test(value.url) ? value.url : null;
  if (content === null && url === null) return null;
  const contentType = detectContentType(content, value.contentType, path);
  const extension = contentType.includes('xml') ? 'xml' : contentType.includes('pdf') ? 'pdf' : 'bin';
  const name = typeof value.filename === 'string' ? value.filename : `${path.at(-1) ?? 'document'}.${extension}`;
  return { path: path.join('.'), name, contentType, content, url };
}

function isBase64(text: string): boolean {
  return text.length >= 16 && text.length % 4 === 0 && /^[A-Za-z0-9+/]{16}/.test(text);
}

/** Detects the type of a document. Its first bytes are more reliable than its name. */
function detectContentType(content: string | null, claimed: unknown, path: readonly string[]): string {
  if (content?.startsWith('JVBERi')) return 'application/pdf';
  if (typeof claimed === 'string') return claimed;
  return /xml/i.test(path.at(-1) ?? '') ? 'application/xml' : 'application/pdf';
}

function computeDecodedSize(base64: string): number {
  return (base64.length * 3) / 4 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);
}

export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Shortens the base64 of documents in a response. The Files panel has the complete documents. */
export function truncateContent(response: GraphqlResponse): GraphqlResponse {
  return JSON.parse(
    JSON.stringify(response, (name, value) => {
      if (name !== 'content' || typeof value !== 'string' || value.length <= 2 * shownCharacters || !isBase64(value))
        return value;
      return `${value.slice(0, shownCharacters)}… ${texts.truncated(computeDecodedSize(value))}`;
    }),
  );
}

export function ResponseFiles({ files }: { readonly files: readonly ResponseFile[] }) {
  return (
    <ul className="padron-list">
      {files.map((file) => (
        <li key={file.path}>
          <span className="padron-path">{file.path}</span>
          <span>{file.name}</span>
          <span className="padron-row">
            {file.content === null ? (
              <a className="padron-button" href={file.url ?? ''} target="_blank" rel="noopener noreferrer">
                {texts.files.openLink}
              </a>
            ) : (
              <InlineFile file={file} content={file.content} />
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function InlineFile({ file, content }: { readonly file: ResponseFile; readonly content: string }) {
  const urls = useMemo(() => createObjectUrls(file, content), [file, content]);
  useEffect(() => () => urls?.revoke(), [urls]);
  if (urls === null) return <span className="padron-quiet">{texts.files.unreadable}</span>;
  const { view, save } = texts.files;
  return (
    <>
      <a className="padron-button" href={urls.view} target="_blank" rel="noopener" aria-label={`${view} ${file.name}`}>
        {view}
      </a>
      <a className="padron-button" href={urls.save} download={file.name} aria-label={`${save} ${file.name}`}>
        {save}
      </a>
      <span className="padron-quiet">{texts.bytes(urls.size)}</span>
    </>
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
