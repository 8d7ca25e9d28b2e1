import { useState } from 'react';
import { texts } from '../../language/texts';
import { parseObject, useActiveTab } from '../../tabs/active-tab';
import { fetchCsvUrl } from './ledger';

/** Buttons that download the entries of the chosen month or all entries. A link is valid for ten minutes, so it is requested on a click. */
export function Downloads({ month }: { readonly month: string }) {
  const { headers } = useActiveTab();
  const [message, setMessage] = useState('');
  const download = async (wanted: string | null): Promise<void> => {
    const file = await fetchCsvUrl(parseObject(headers) ?? {}, wanted);
    setMessage('reason' in file ? texts.ledger.unknown(file.reason) : '');
    if ('reason' in file) return;
    const link = document.createElement('a');
    link.href = file.url;
    link.download = '';
    link.click();
  };
  return (
    <>
      <div className="padron-row">
        <button type="button" onClick={() => void download(month)}>
          {texts.ledger.downloadMonth(month)}
        </button>
        <button type="button" onClick={() => void download(null)}>
          {texts.ledger.download}
        </button>
      </div>
      <p className="padron-message" role="status">
        {message}
      </p>
    </>
  );
}
