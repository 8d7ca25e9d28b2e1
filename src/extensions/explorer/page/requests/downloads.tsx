import { useState } from 'react';
import { texts } from '../language/texts';
import type { Reply } from './request';

interface Download {
  readonly label: string;
  /** Requests the link, which is valid for ten minutes. Null if padron cannot create it. */
  readonly fetchLink: () => Promise<Reply<string | null>>;
  readonly isPrimary?: boolean;
}

interface DownloadsProps {
  readonly files: readonly Download[];
  readonly unread: (reason: string) => string;
}

/** Buttons that download files. A link is requested when the user clicks. */
export function Downloads({ files, unread }: DownloadsProps) {
  const [message, setMessage] = useState('');
  const download = async ({ fetchLink }: Download): Promise<void> => {
    const reply = await fetchLink();
    if (!('value' in reply)) return setMessage(unread(reply.reason));
    if (reply.value === null) return setMessage(texts.noLink);
    setMessage('');
    const link = document.createElement('a');
    link.href = reply.value;
    link.download = '';
    link.click();
  };
  return (
    <>
      <div className="padron-row">
        {files.map((file) => (
          <button
            key={file.label}
            type="button"
            className={file.isPrimary === true ? 'padron-primary' : ''}
            onClick={() => void download(file)}
          >
            {file.label}
          </button>
        ))}
      </div>
      <p role="status" className="padron-message">
        {message}
      </p>
    </>
  );
}
