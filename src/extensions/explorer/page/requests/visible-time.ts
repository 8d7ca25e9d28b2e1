import { useEffect, useState } from 'react';

/** Returns the time, which advances at this interval while the page is visible, and when the user returns to it. */
export function useVisibleTime(intervalMs: number): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const advance = (): void => {
      if (document.visibilityState === 'visible') setNow(new Date());
    };
    const timer = setInterval(advance, intervalMs);
    window.addEventListener('focus', advance);
    document.addEventListener('visibilitychange', advance);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', advance);
      document.removeEventListener('visibilitychange', advance);
    };
  }, [intervalMs]);
  return now;
}
