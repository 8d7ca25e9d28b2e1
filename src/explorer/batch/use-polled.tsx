import { useCallback, useEffect, useRef, useState } from 'react';
import { texts } from '../language/texts';
import type { Reply } from '../requests/request';

const words = texts.batch;

export function BatchError({ code, reason }: { readonly code: string | undefined; readonly reason: string }) {
  if (code === 'BATCHES_OFF') return <p>{words.off}</p>;
  if (code === 'UNAUTHENTICATED')
    return (
      <>
        <p>{words.tokenNeeded}</p>
        <p className="padron-quiet">{reason}</p>
      </>
    );
  return <p>{words.unread(reason)}</p>;
}

const pollMs = 1_000;
const afterErrorMs = 5_000;

interface Polled<Value> {
  /** The last reply, or null before the first one. */
  readonly reply: Reply<Value> | null;
  readonly show: (value: Value) => void;
}

/** Loads a value immediately, and again while `isLive` returns true for it. `load` and `isLive` must be stable between renders. */
export function usePolled<Value>(
  load: (signal: AbortSignal) => Promise<Reply<Value>>,
  isLive: (value: Value) => boolean,
): Polled<Value> {
  const [reply, setReply] = useState<Reply<Value> | null>(null);
  const [changes, setChanges] = useState(0);
  const wasLive = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a change the value may be live again.
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async (): Promise<void> => {
      const next = await load(signal);
      if (signal.aborted) return;
      setReply(next);
      if ('value' in next) wasLive.current = isLive(next.value);
      if (wasLive.current) timer = setTimeout(again, 'value' in next ? pollMs : afterErrorMs);
    };
    const again = (): void => void poll().catch(() => undefined);
    again();
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [load, isLive, changes]);
  const show = useCallback((value: Value): void => {
    setReply({ value });
    setChanges((count) => count + 1);
  }, []);
  return { reply, show };
}
