import { useEffect, useState } from 'react';

const shownMs = 1_500;

/** An identifier that is copied when it is pressed. */
export function CopyButton({ name, value }: { readonly name: string; readonly value: string }) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => setSaid(''), shownMs);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (): void => {
    navigator.clipboard.writeText(value).then(
      () => setSaid('copied'),
      () => setSaid('not copied'),
    );
  };
  return (
    <button type="button" className="padron-copy" onClick={copy} aria-label={`Copy ${name} ${value}`}>
      <span className="padron-quiet">{said === '' ? name : said}</span> <code>{value}</code>
    </button>
  );
}
