import { useEffect, useState } from 'react';
import { texts } from '../language/texts';

const feedbackMs = 1_500;

/** A button that copies an identifier. */
export function CopyButton({ name, value }: { readonly name: string; readonly value: string }) {
  const [feedback, setFeedback] = useState('');
  useEffect(() => {
    if (feedback === '') return;
    const timer = setTimeout(() => setFeedback(''), feedbackMs);
    return () => clearTimeout(timer);
  }, [feedback]);
  const copy = (): void => {
    navigator.clipboard.writeText(value).then(
      () => setFeedback(texts.copied),
      () => setFeedback(texts.notCopied),
    );
  };
  return (
    <button type="button" className="padron-copy" onClick={copy} aria-label={texts.sandbox.copy(name, value)}>
      <span className="padron-quiet">{feedback === '' ? name : feedback}</span> <code>{value}</code>
    </button>
  );
}
