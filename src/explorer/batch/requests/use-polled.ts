import { useCallback, useEffect, useRef, useState } from 'react';
import type { Reply } from './batch-requests';

const pollMs = 1_000;
const afterErrorMs = 5_000;

/** What `load` last gave, and how to put something newer in its place. */
interface Polled<Value> {
  /** Null before the first answer. */
  readonly reply: Reply<Value> | null;
  readonly show: (value: Value) => void;
}

/** Loads at once, and again only while what came is live. `load` and `isLive` must stay the same between renders. */
export function usePolled<Value>(
  load: (signal: AbortSignal) => Promise<Reply<Value>>,
  isLive: (value: Value) => boolean,
): Polled<Value> {
  const [reply, setReply] = useState<Reply<Value> | null>(null);
  const [changes, setChanges] = useState(0);
  const wasLive = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a change there may again be something to wait for.
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      const next = await load(signal);
      if (signal.aborted) return;
      setReply(next);
      if ('value' in next) wasLive.current = isLive(next.value);
      if (wasLive.current) timer = setTimeout(again, 'value' in next ? pollMs : afterErrorMs);
    };
    const again = (): void => void look().catch(() => undefined);
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
