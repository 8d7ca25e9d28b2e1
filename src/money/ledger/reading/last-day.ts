import type { RegistryName } from '../../../registry/endpoint/endpoint';
import { nullIfUnavailable, type Store } from '../../../store/store';

interface Figures {
  readonly answeredPercent: number | null;
  readonly maxPauseSeconds: number;
}

const dayMs = 86_400_000;
const readMs = 60_000;

/** Reads the minutes of each endpoint, and the events of each registry since the last one before the day. A minute with an answer ends a run of failures. */
const sql = `WITH minutes AS (
    SELECT *, sum((answered > 0)::int) OVER (PARTITION BY name ORDER BY minute) AS run FROM ledger_minutes WHERE minute >= $1),
  runs AS (SELECT name, sum(answered) AS answered, sum(answered + failed) AS calls, max(failed_to) - min(failed_from) AS pause FROM minutes GROUP BY name, run)
  SELECT name, CASE WHEN sum(calls) >= 10 THEN floor(sum(answered) * 100 / sum(calls))::int END AS "answeredPercent",
    coalesce(extract(epoch FROM max(pause)), 0)::int AS "maxPauseSeconds" FROM runs GROUP BY name
  UNION ALL
  SELECT r.subject, NULL, max(extract(epoch FROM coalesce(p.until, now()) - greatest(p.at, now() - interval '24 hours')))::int
  FROM unnest($2::text[]) AS r(subject) CROSS JOIN LATERAL (
    SELECT e.type, e.at, lead(e.at) OVER (ORDER BY e.number) AS until FROM ledger_events e WHERE e.subject = r.subject AND e.number >= coalesce(
      (SELECT b.number FROM ledger_events b WHERE b.subject = r.subject AND b.at < now() - interval '24 hours' ORDER BY b.number DESC LIMIT 1), 0)) p
  WHERE p.type = 'registry.paused' GROUP BY 1`;

/** Returns a function that returns the figures of an endpoint. It reads the store once a minute at most, and returns null while that fails. */
export function createLastDay(store: Store, now: () => Date, flush: () => Promise<void>) {
  let readAt = Number.NEGATIVE_INFINITY;
  let figures: Promise<ReadonlyMap<string, Figures> | null> = Promise.resolve(null);
  /** Subjects of the events of each registry that was asked for, and how many of them were read. */
  const subjects = new Set<string>();
  let readSubjects = 0;
  const read = async (from: Date): Promise<ReadonlyMap<string, Figures>> => {
    await flush();
    readSubjects = subjects.size;
    const rows = await store.read<Figures & { readonly name: string }>(sql, [from, [...subjects]]);
    return new Map(rows.map((row) => [row.name, row]));
  };
  return async (address: string, registry: RegistryName, sandbox: boolean): Promise<Figures | null> => {
    const time = now().getTime();
    const subject = `registry:${registry}${sandbox ? ' sandbox' : ''}`;
    subjects.add(subject);
    if (store.isOpen && (Math.abs(time - readAt) >= readMs || subjects.size > readSubjects)) {
      readAt = time;
      // The fields of an operation ask one after the other, before the first of them reads.
      readSubjects = Number.POSITIVE_INFINITY;
      figures = read(new Date(time - dayMs)).catch(nullIfUnavailable);
    }
    const found = await figures;
    const calls = found?.get(`${address} ${sandbox ? 'SANDBOX' : 'LIVE'}`);
    const pauses = found?.get(subject);
    const maxPauseSeconds = Math.max(calls?.maxPauseSeconds ?? 0, pauses?.maxPauseSeconds ?? 0);
    return found && { answeredPercent: calls?.answeredPercent ?? null, maxPauseSeconds };
  };
}
