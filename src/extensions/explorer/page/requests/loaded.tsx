import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { texts } from '../language/texts';
import type { Reply } from './request';

const pollMs = 1_000;
const afterErrorMs = 5_000;

interface Loading<Value> {
  /** The last reply, or null before the first one. */
  readonly reply: Reply<Value> | null;
  readonly show: (value: Value) => void;
}

interface LoadingOptions<Value> {
  /** Whether the value changes by itself, so that it is loaded again after a second. Must be stable between renders. */
  readonly isLive?: (value: Value) => boolean;
  /** The pause before the first request, for a user who is still typing. */
  readonly delayMs?: number;
}

export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Reply<Value>>,
  { isLive, delayMs = 0 }: LoadingOptions<Value> = {},
): Loading<Value> {
  const [reply, setReply] = useState<Reply<Value> | null>(null);
  const [changes, setChanges] = useState(0);
  const wasLive = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a change the value may be live again.
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const poll = async (): Promise<void> => {
      const next = await load(signal);
      if (signal.aborted) return;
      setReply(next);
      if ('value' in next) wasLive.current = isLive?.(next.value) === true;
      if (wasLive.current) timer = setTimeout(again, 'value' in next ? pollMs : afterErrorMs);
    };
    const again = (): void => void poll().catch(() => undefined);
    let timer = setTimeout(again, delayMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [load, isLive, delayMs, changes]);
  const show = useCallback((value: Value): void => {
    setReply({ value });
    setChanges((count) => count + 1);
  }, []);
  return { reply, show };
}

interface LoadedProps<Value> {
  readonly reply: Reply<Value> | null;
  /** Messages if the server has the feature off, and if the value cannot be read. */
  readonly words: { readonly off: string; readonly unread: (reason: string) => string };
  readonly children: (value: Value) => ReactNode;
}

export function Loaded<Value>({ reply, words, children }: LoadedProps<Value>): ReactNode {
  if (reply === null) return <p>…</p>;
  if ('value' in reply) return children(reply.value);
  const { code, reason } = reply;
  if (code === 'BATCHES_OFF' || code === 'LEDGER_OFF') return <p>{words.off}</p>;
  if (code !== 'UNAUTHENTICATED') return <p>{words.unread(reason)}</p>;
  return (
    <>
      <p>{texts.tokenNeeded}</p>
      <p className="padron-quiet">{reason}</p>
    </>
  );
}
