import type { ProblemCode } from '../../registry/answer/problem';
import type { FinishedRow, LeasedRow } from '../storage/row-store';
import type { BatchDataSource } from './batch-data-source';

/** Maximum tries of a row with temporary failures that cost nothing. */
export const maxTries = 5;
/** A batch that was stopped by a row is not stopped by it for ever. */
const triesOfPause = 2;
const backoffMs = 1_000;
const maxBackoffMs = 60_000;

const nothing = { units: null, uncertain: null, saved: null, result: null, subjects: [] } as const;

/** A row whose batch is paused because of what many rows have met: it has all its tries when the batch is resumed. */
export function toUntried({ number }: LeasedRow): FinishedRow {
  return { number, state: 'WAITING', ...nothing, delay: null, tries: 0 };
}

/** A row that goes back, to be run later. */
export function toWaiting(row: LeasedRow, source: BatchDataSource): FinishedRow {
  const { interruption } = source;
  const waiting = { number: row.number, state: 'WAITING', ...nothing } as const;
  if (interruption?.kind === 'pause') return { ...waiting, delay: null, tries: row.tries + triesOfPause };
  if (interruption?.kind !== 'delay') return { ...waiting, delay: null, tries: row.tries };
  return { ...waiting, delay: delayMs(row.tries, interruption.retryAfter), tries: row.tries + 1 };
}

function delayMs(tries: number, retryAfter: number | null): number {
  const backoff = backoffMs * 2 ** tries * (0.5 + Math.random());
  return Math.min(maxBackoffMs, Math.max(backoff, (retryAfter ?? 0) * 1_000));
}

/** Whether the problem affects the whole account and not only one row. */
export function concernsAccount(code: ProblemCode): boolean {
  return systemic.has(code);
}

const systemic: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'RATE_LIMITED',
  'REGISTRY_PAUSED',
  'REGISTRY_UNREACHABLE',
  'TOO_MANY_CALLS',
  'LEDGER_UNAVAILABLE',
]);
