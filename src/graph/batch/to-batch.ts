import type { Batch } from '../../batch/batch';
import type { BatchChange, BatchView } from '../../batch/batches';
import type { BatchRow } from '../../batch/storage/row-store';
import { type ProblemCode, problem } from '../../registry/answer/problem';
import type { RegistryBatch, RegistryBatchChange, RegistryBatchProgress, RegistryBatchRow } from './types';

const msPerMinute = 60_000;

/** Codes whose own words speak of a request, or of a token that may not be this one. */
const reasonTexts: Partial<Record<ProblemCode, { readonly message: string; readonly spanish: string }>> = {
  UNIT_BUDGET_EXCEEDED: {
    message: 'The next question would go above the ceiling of this batch, `maxUnits`.',
    spanish: 'La siguiente consulta pasaría del tope de este lote, `maxUnits`.',
  },
  TOKEN_REFUSED: {
    message: 'The token with which this batch asks was refused.',
    spanish: 'El token con el que pregunta este lote fue rechazado.',
  },
  INVALID_FORMAT: {
    message: 'This version of the graph cannot run the operation of this batch.',
    spanish: 'Esta versión del grafo no puede ejecutar la operación de este lote.',
  },
};

export function toBatch(view: BatchView, now: Date): RegistryBatch {
  const { batch, head } = view;
  const { id, state, reason, refusedCount, maxUnits, createdAt, startedAt, finishedAt, expiresAt } = batch;
  return {
    id,
    name: head?.name ?? null,
    state,
    reason: reason === null ? null : problem(reason, explainReason(batch, reason)),
    operation: head?.operation ?? null,
    columns: head?.columns ?? [],
    refusedCount,
    maxUnits,
    progress: toProgress(batch, now),
    createdAt,
    startedAt,
    finishedAt,
    expiresAt,
    view,
  };
}

function explainReason({ rowUnits, estimate }: Batch, reason: ProblemCode) {
  const { number = 0, units = 0 } = estimate?.costliestRow ?? {};
  if (reason !== 'UNIT_BUDGET_EXCEEDED' || rowUnits === null || units <= rowUnits) return reasonTexts[reason] ?? {};
  return {
    message: `Row ${number} costs ${units} units, and a process that runs batches allows ${rowUnits} for a row (\`MAX_UNITS\`).`,
    spanish: `La fila ${number} cuesta ${units} unidades, y un proceso que ejecuta lotes permite ${rowUnits} por fila (\`MAX_UNITS\`).`,
  };
}

export function toChange({ view, problems }: BatchChange, now: Date): RegistryBatchChange {
  return { batch: view === null ? null : toBatch(view, now), problems };
}

function toProgress(batch: Batch, now: Date): RegistryBatchProgress {
  const { total, done, failed, unknown, canceled, spent, uncertain, saved } = batch;
  const ended = done + failed + unknown + canceled;
  const pace = rowsPerMs(batch, ended, now);
  return {
    rows: total,
    done,
    failed,
    unknown,
    waiting: total - ended,
    spentUnits: spent,
    uncertainUnits: uncertain,
    savedUnits: saved,
    rowsPerMinute: pace === null ? null : Math.round(pace * msPerMinute * 10) / 10,
    secondsLeft: pace === null || pace === 0 ? null : Math.ceil((total - ended) / pace / 1_000),
  };
}

function rowsPerMs({ state, runningSince, runningFrom }: Batch, ended: number, now: Date): number | null {
  if (state !== 'RUNNING' || runningSince === null) return null;
  const ms = now.getTime() - runningSince.getTime();
  return ms <= 0 ? null : Math.max(0, ended - runningFrom) / ms;
}

export function toRow({ number, ref, state, attempts, units, uncertain, result }: BatchRow): RegistryBatchRow {
  return {
    number,
    ref,
    state,
    attempts,
    units,
    uncertainUnits: uncertain,
    problems: result?.problems ?? [],
    data: result?.data ?? null,
    evidence: (result?.lookups ?? []).map(({ evidence: { checkedAt, ...evidence } }) => ({
      ...evidence,
      checkedAt: checkedAt === null ? null : new Date(checkedAt),
    })),
  };
}
