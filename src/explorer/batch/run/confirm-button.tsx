import { useEffect, useRef, useState } from 'react';
import { texts } from '../../language/texts';

interface ConfirmButtonProps {
  readonly label: string;
  /** Description of the consequences. */
  readonly about: string;
  readonly isDisabled: boolean;
  readonly onConfirm: () => void;
}

/** A button that asks for confirmation. */
export function ConfirmButton({ label, about, isDisabled, onConfirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  const keep = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (isAsking) keep.current?.focus();
    else if (wasAsking.current) first.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  if (!isAsking)
    return (
      <button type="button" ref={first} disabled={isDisabled} onClick={() => setAsking(true)}>
        {label}…
      </button>
    );
  const confirm = (): void => {
    setAsking(false);
    onConfirm();
  };
  return (
    <fieldset className="padron-confirm">
      <legend>{about}</legend>
      <button type="button" disabled={isDisabled} onClick={confirm}>
        {texts.batch.sure(label)}
      </button>
      <button type="button" ref={keep} onClick={() => setAsking(false)}>
        {texts.batch.keep}
      </button>
    </fieldset>
  );
}
