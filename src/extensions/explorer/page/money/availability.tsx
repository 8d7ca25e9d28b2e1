import { useEffect, useState } from 'react';
import { texts } from '../language/texts';
import { fetchValue } from '../requests/request';
import { useLastRun } from '../requests/run';
import { useActiveTab } from '../tabs/active-tab';

const refreshMs = 15_000;

interface Endpoint {
  readonly endpoint: string;
  readonly availability: { readonly state: string; readonly medianMs: number | null };
}

type AvailabilityByUrl = ReadonlyMap<string, Endpoint['availability']>;

/** Returns the availability of endpoints by their path, which is free. Loads it again after each run, and while it is shown. */
export function useAvailability(): AvailabilityByUrl {
  const { headers } = useActiveTab();
  const run = useLastRun();
  const [byUrl, setByUrl] = useState<AvailabilityByUrl>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run may change the availability.
  useEffect(() => {
    if (headers === null) return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const load = async (): Promise<void> => {
      const query = '{ value: registryEndpoints { endpoint availability { state medianMs } } }';
      const reply = await fetchValue<readonly Endpoint[]>(headers, query, {}, controller.signal);
      if (controller.signal.aborted || !('value' in reply)) return;
      setByUrl(new Map(reply.value?.map(({ endpoint, availability }) => [endpoint.split(' ')[1] ?? '', availability])));
      timer = setTimeout(refresh, refreshMs);
    };
    const refresh = (): void => void load().catch(() => undefined);
    refresh();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [headers, run]);
  return byUrl;
}

/** A dot, with the state in words in its tooltip and for screen readers. */
export function AvailabilityDot({ availability }: { readonly availability: Endpoint['availability'] | undefined }) {
  if (availability === undefined) return null;
  const { state, medianMs } = availability;
  const words = texts.money.availability(state, medianMs);
  return (
    <span className={`padron-availability padron-${state.toLowerCase()}`} title={words}>
      <span className="padron-unseen">{words} </span>
    </span>
  );
}
