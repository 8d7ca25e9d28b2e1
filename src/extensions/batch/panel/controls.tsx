import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { texts } from '../../explorer/page/language/texts';
import type { Headers } from '../../explorer/page/requests/request';
import { type BatchDetails, type ControlAction, changeBatch, type EarlierChoice, isStartable } from './batch-requests';
import { batchTexts as words } from './batch-texts';

interface ConfirmButtonProps {
  readonly label: string;
  readonly about: string;
  readonly isDisabled: boolean;
  readonly onConfirm: () => void;
}

function ConfirmButton({ label, about, isDisabled, onConfirm }: ConfirmButtonProps) {
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
    <fieldset className="padron-note padron-row padron-confirm">
      <legend>{about}</legend>
      <button type="button" disabled={isDisabled} onClick={confirm}>
        {words.sure(label)}
      </button>
      <button type="button" ref={keep} onClick={() => setAsking(false)}>
        {words.keep}
      </button>
    </fieldset>
  );
}

interface ControlsProps {
  readonly headers: Headers;
  readonly batch: BatchDetails;
  readonly onChange: (batch: BatchDetails) => void;
}

export function Controls({ headers, batch, onChange }: ControlsProps) {
  const { id, state, progress } = batch;
  const [typed, setTyped] = useState<string | null>(null);
  const [message, setMessage] = useState('');
  const [isBusy, setBusy] = useState(false);
  const ceiling = typed ?? String(proposeCeiling(batch) ?? '');
  const maxUnits = /^\d{1,9}$/.test(ceiling.trim()) ? Number(ceiling) : null;
  const act = async (action: ControlAction, choice: EarlierChoice | null = null, limit = maxUnits): Promise<void> => {
    setBusy(true);
    const reply = await changeBatch(headers, id, action, limit, choice);
    setBusy(false);
    setMessage('value' in reply ? '' : words.notDone(reply.reason));
    if (!('value' in reply)) return;
    setTyped(null);
    onChange(reply.value);
  };
  const run = (action: ControlAction, label: string, isAllowed = true) => (
    <button
      type="button"
      className={action === 'RETRY_FAILED' ? '' : 'padron-primary'}
      disabled={isBusy || maxUnits === null || !isAllowed}
      onClick={() => void act(action)}
    >
      {label}
    </button>
  );
  /** Starts with a choice, within its price unless the user typed another limit. */
  const startWith = (choice: EarlierChoice, units: number) => (
    <button
      type="button"
      disabled={isBusy || maxUnits === null}
      onClick={() => void act('START', choice, typed === null ? units : maxUnits)}
    >
      {words.startWith[choice](texts.units(units))}
    </button>
  );
  const confirm = (action: ControlAction, label: string, about: string, hasLimit = false) => (
    <ConfirmButton
      label={label}
      about={about}
      isDisabled={isBusy || (hasLimit && maxUnits === null)}
      onConfirm={() => void act(action)}
    />
  );
  const isOver = state === 'DONE' || state === 'PAUSED';
  const { startProblem, earlierAnswers } = batch;
  const isAsked = startProblem?.code === 'EARLIER_ANSWERS' && earlierAnswers !== null;
  return (
    <Focused state={state}>
      {hasCeiling(batch) && <Ceiling value={ceiling} onChange={setTyped} />}
      <div className="padron-row">
        {isAsked && startWith('USE', earlierAnswers.estimatedUnits)}
        {isAsked && startWith('PAY_AGAIN', batch.estimate?.estimatedUnits ?? 0)}
        {state === 'READY' && !isAsked && run('START', words.start, isStartable(batch))}
        {state === 'RUNNING' && (
          <button type="button" className="padron-primary" disabled={isBusy} onClick={() => void act('PAUSE')}>
            {words.pause}
          </button>
        )}
        {state === 'PAUSED' && run('RESUME', words.resume)}
        {isOver && progress.retryable > 0 && run('RETRY_FAILED', words.retryFailed(progress.retryable))}
        {isOver &&
          progress.unknown > 0 &&
          confirm(
            'RETRY_UNKNOWN',
            words.retryUnknown(progress.unknown),
            words.retryUnknownAbout(texts.units(progress.uncertainUnits)),
            true,
          )}
        {(state === 'RUNNING' || state === 'PAUSED') && confirm('CANCEL', words.cancel, words.cancelAbout)}
        {state !== 'ERASED' && state !== 'RUNNING' && confirm('ERASE', words.erase, words.eraseAbout)}
      </div>
      <p role="status" className="padron-message">
        {message}
      </p>
    </Focused>
  );
}

/** Moves the keyboard focus to the next button when the pressed button disappears with a change of state. */
function Focused({ state, children }: { readonly state: string; readonly children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const last = useRef(state);
  useEffect(() => {
    if (last.current !== state && document.activeElement === document.body)
      place.current?.querySelector<HTMLElement>('button:enabled')?.focus();
    last.current = state;
  }, [state]);
  return (
    <div ref={place} className="padron-controls">
      {children}
    </div>
  );
}

function Ceiling({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div className="padron-slot">
      <label htmlFor={id}>{words.ceiling}</label>
      <input
        id={id}
        type="number"
        min="0"
        step="1"
        value={value}
        aria-describedby={`${id}-about`}
        onChange={({ target }) => onChange(target.value)}
      />
      <span id={`${id}-about`} className="padron-quiet">
        {words.ceilingAbout}
      </span>
    </div>
  );
}

function hasCeiling(batch: BatchDetails): boolean {
  const { retryable, unknown } = batch.progress;
  if (batch.state === 'READY') return isStartable(batch);
  return batch.state === 'PAUSED' || (batch.state === 'DONE' && retryable + unknown > 0);
}

/** Returns the proposed ceiling: the estimate, after a pause the higher limit, and after a run at least the estimate and the cost of retrying unknown rows. */
function proposeCeiling({ state, maxUnits, estimate, progress: { uncertainUnits } }: BatchDetails): number | null {
  const usual = estimate?.estimatedUnits ?? null;
  if (state !== 'DONE') return maxUnits === null ? usual : Math.max(maxUnits, usual ?? 0);
  return Math.max(maxUnits ?? 0, (usual ?? 0) + uncertainUnits);
}
