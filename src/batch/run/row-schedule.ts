import type { ProblemCode } from '../../registry/answer/problem';
import type { FinishedRow, LeasedRow } from '../storage/row-store';
import type { BatchDataSource } from './batch-data-source';

/** Maximum tries of a row with temporary failures that cost nothing. */
export const maxTries = 5;
/** Tries that a row uses up when it pauses the batch, so that the same row cannot pause the batch again and again. */
const triesPerPause = 2;
const backoffMs = 1_000;
const maxBackoffMs = 60_000;

const noResult = { units: null, uncertain: null, savings: [], retryable: false, result: null, subjects: [] } as const;

/** Returns the row as WAITING, with its tries reset, because the failure that paused the batch affects many rows. */
export function resetTries({ number }: LeasedRow): FinishedRow {
  return { number, state: 'WAITING', ...noResult, delay: null, tries: 0 };
}

/** Returns an interrupted row as WAITING. */
export function toWaiting(row: LeasedRow, source: BatchDataSource): FinishedRow {
  const { interruption } = source;
  const waiting = { number: row.number, state: 'WAITING', ...noResult } as const;
  if (interruption?.kind === 'pause') return { ...waiting, delay: null, tries: row.tries + triesPerPause };
  if (interruption?.kind !== 'delay') return { ...waiting, delay: null, tries: row.tries };
  return { ...waiting, delay: delayMs(row.tries, interruption.retryAfter), tries: row.tries + 1 };
}

function delayMs(tries: number, retryAfter: number | null): number {
  const backoff = backoffMs * 2 ** tries * (0.5 + Math.random());
  return Math.min(maxBackoffMs, Math.max(backoff, (retryAfter ?? 0) * 1_000));
}

/** Whether the problem affects the registry or the account, and therefore other rows too. */
export function isSystemic(code: ProblemCode): boolean {
  return systemicProblems.has(code);
}

const systemicProblems: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'RATE_LIMITED',
  'REGISTRY_PAUSED',
  'REGISTRY_UNREACHABLE',
  'TOO_MANY_CALLS',
  'LEDGER_UNAVAILABLE',
]);
