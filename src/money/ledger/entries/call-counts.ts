import { registryCodes } from '../../../registry/answer/codes';
import { isRegistryFailure } from '../../../registry/answer/problem';
import type { Store } from '../../../store/store';
import type { ClosedEntry } from './entry-json';

interface MinuteCount {
  readonly name: string;
  readonly minute: number;
  readonly answered: number;
  readonly failed: number;
  /** Time of the first call that failed after the last answer, and of the last one that failed. */
  readonly from: number | null;
  readonly to: number | null;
}

const minuteMs = 60_000;
const answers: ReadonlySet<string> = new Set(['FOUND', 'NOT_FOUND', 'INVALID_INPUT']);
const failures: ReadonlySet<string> = new Set(
  Object.values(registryCodes).flatMap((entry) => (isRegistryFailure(entry) ? entry.code : [])),
);

/** Processes add in the same order, so that none waits for one that waits for it. */
const addSql = `INSERT INTO ledger_minutes AS m
  SELECT c.name, to_timestamp(c.minute / 1000.0), c.answered, c.failed, to_timestamp(c."from" / 1000.0), to_timestamp(c."to" / 1000.0)
  FROM json_to_recordset($1::json) AS c(name text, minute int8, answered int4, failed int4, "from" int8, "to" int8) ORDER BY 1, 2
  ON CONFLICT (name, minute) DO UPDATE SET answered = m.answered + excluded.answered, failed = m.failed + excluded.failed,
    failed_from = CASE WHEN excluded.answered > 0 THEN excluded.failed_from ELSE coalesce(m.failed_from, excluded.failed_from) END,
    failed_to = greatest(m.failed_to, excluded.failed_to)`;

/** Counts the calls of this process by endpoint and minute, and adds them to those of all processes with each heartbeat. */
export class CallCounts {
  private readonly counts = new Map<string, MinuteCount>();

  constructor(private readonly store: Store) {}

  record({ endpoint, served, outcome, problem, at }: ClosedEntry): void {
    if (served !== 'LIVE' && served !== 'SANDBOX') return;
    if (!answers.has(outcome) && !failures.has(problem ?? '')) return;
    const [name, minute] = [`${endpoint} ${served}`, Math.floor(at / minuteMs) * minuteMs];
    const key = `${name} ${minute}`;
    const count = this.counts.get(key) ?? { name, minute, answered: 0, failed: 0, from: null, to: null };
    const { answered, failed, from, to } = count;
    const changed =
      outcome === 'UNAVAILABLE'
        ? { failed: failed + 1, from: from ?? at, to: Math.max(at, to ?? at) }
        : { answered: answered + 1, from: null };
    this.counts.set(key, { ...count, ...changed });
  }

  async flush(): Promise<void> {
    if (this.counts.size === 0) return;
    const counts = JSON.stringify([...this.counts.values()]);
    this.counts.clear();
    await this.store.query(addSql, [counts]);
  }
}
