import { registryCodes } from '../../registry/answer/codes';
import { isRegistryFailure } from '../../registry/answer/problem';
import { type RegistryName, registries } from '../../registry/endpoint/endpoint';
import { type Store, StoreUnavailableError } from '../../store/store';
import { firstIdOf } from '../entries/entry-json';

interface Figures {
  readonly answeredPercent: number | null;
  readonly maxPauseSeconds: number;
}

const dayMs = 86_400_000;
const readMs = 60_000;
const failures = Object.values(registryCodes).flatMap((entry) => (isRegistryFailure(entry) ? entry.code : []));
const subjects = registries.flatMap((name) => [`registry:${name}`, `registry:${name} sandbox`]);

/** Reads the entries of each account since an ID, and the events of each registry since the last one before the day, by their indexes. */
const sql = `WITH calls AS (
    SELECT e.endpoint || ' ' || e.served_from AS name, e.id, e.at, e.outcome = 'UNAVAILABLE' AS failed
    FROM ledger_entries e WHERE e.account = ANY(ARRAY(SELECT ledger_accounts())) AND e.id >= $1
      AND e.served_from IN ('LIVE', 'SANDBOX') AND (e.outcome IN ('FOUND', 'NOT_FOUND', 'INVALID_INPUT') OR e.problem = ANY($2))),
  runs AS (SELECT *, failed AND NOT lag(failed, 1, false) OVER w AS begins FROM calls WINDOW w AS (PARTITION BY name ORDER BY id)),
  timed AS (SELECT *, max(at) FILTER (WHERE begins) OVER w AS begun FROM runs WINDOW w AS (PARTITION BY name ORDER BY id))
  SELECT name, CASE WHEN count(*) >= 10 THEN count(*) FILTER (WHERE NOT failed) * 100 / count(*) END AS "answeredPercent",
    coalesce(extract(epoch FROM max(at - begun) FILTER (WHERE failed)), 0)::int AS "maxPauseSeconds" FROM timed GROUP BY name
  UNION ALL
  SELECT r.subject, NULL, max(extract(epoch FROM coalesce(p.until, now()) - greatest(p.at, now() - interval '24 hours')))::int
  FROM unnest($3::text[]) AS r(subject) CROSS JOIN LATERAL (
    SELECT e.type, e.at, lead(e.at) OVER (ORDER BY e.number) AS until FROM ledger_events e WHERE e.subject = r.subject AND e.number >= coalesce(
      (SELECT b.number FROM ledger_events b WHERE b.subject = r.subject AND b.at < now() - interval '24 hours' ORDER BY b.number DESC LIMIT 1), 0)) p
  WHERE p.type = 'registry.paused' GROUP BY 1`;

/** Returns a function that returns the figures of an endpoint. It reads the store once a minute at most, and returns null while that fails. */
export function createLastDay(store: Store, now: () => Date, flush: () => Promise<void>) {
  let readAt = Number.NEGATIVE_INFINITY;
  let figures: Promise<ReadonlyMap<string, Figures> | null> = Promise.resolve(null);
  const read = async (from: Date): Promise<ReadonlyMap<string, Figures>> => {
    await flush();
    const rows = await store.read<Figures & { readonly name: string }>(sql, [firstIdOf(from), failures, subjects]);
    return new Map(rows.map((row) => [row.name, row]));
  };
  return async (address: string, registry: RegistryName, sandbox: boolean): Promise<Figures | null> => {
    const time = now().getTime();
    if (store.isOpen && Math.abs(time - readAt) >= readMs) {
      readAt = time;
      figures = read(new Date(time - dayMs)).catch(ignoreUnavailable);
    }
    const found = await figures;
    const calls = found?.get(`${address} ${sandbox ? 'SANDBOX' : 'LIVE'}`);
    const pauses = found?.get(`registry:${registry}${sandbox ? ' sandbox' : ''}`);
    const maxPauseSeconds = Math.max(calls?.maxPauseSeconds ?? 0, pauses?.maxPauseSeconds ?? 0);
    return found && { answeredPercent: calls?.answeredPercent ?? null, maxPauseSeconds };
  };
}

function ignoreUnavailable(error: unknown): null {
  if (error instanceof StoreUnavailableError) return null;
  throw error;
}
