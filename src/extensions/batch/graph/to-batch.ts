import { coreCodes } from '../../../graph/schema/build-schema';
import { inGroups } from '../../../identifiers/code-entry';
import { type Language, say } from '../../../identifiers/text';
import { isProblem, type ProblemCode, problem } from '../../../registry/answer/problem';
import { clientOf } from '../../../registry/caller';
import { type Batch, chosenEstimate } from '../batch';
import type { BatchChange, BatchView } from '../batches';
import { batchCodes } from '../codes';
import type { BatchRow } from '../storage/row-store';
import { type RegistryBatch, type RegistryBatchChange, type RegistryBatchRow, toProgress } from './types';

/** Reasons for which a batch pauses are problems of its calls, or its own. */
const reasons = inGroups([...coreCodes, batchCodes]).filter(isProblem);

/** Messages for codes whose general message is about a request or about the token of the caller, not about a batch. */
const reasonTexts: Partial<Record<ProblemCode, { readonly message: string; readonly spanish: string }>> = {
  UNIT_BUDGET_EXCEEDED: {
    message: 'The next call would exceed `maxUnits` of this batch. Resume it with a higher limit.',
    spanish: 'La siguiente consulta rebasaría el límite del lote. Continúelo con un límite mayor.',
  },
  TOKEN_REFUSED: {
    message: 'The service refused the token of this batch. Resume it with a valid token.',
    spanish: 'El servicio rechazó el token de este lote. Continúelo con un token válido.',
  },
  INVALID_FORMAT: {
    message:
      'This server cannot run the operation of this batch any more: its graph has changed, or the document is no longer trusted. Create a new batch, or publish the document again and resume this one.',
    spanish:
      'Este servidor ya no puede ejecutar la operación de este lote: cambió el grafo, o el documento dejó de ser de confianza. Cree un lote nuevo, o publique de nuevo el documento y continúe este.',
  },
};

export function toBatch(view: BatchView, now: Date): RegistryBatch {
  const { batch, header } = view;
  const until = batch.state === 'PAUSED' ? batch.pause?.until : null;
  const pausedUntil = until ? new Date(until) : null;
  const retryAfter = pausedUntil && Math.max(0, Math.ceil((pausedUntil.getTime() - now.getTime()) / 1_000));
  const { id, state, reason, refusedCount, maxUnits, createdAt, startedAt, finishedAt, expiresAt } = batch;
  const entry = reasons.find(({ code }) => code === reason);
  return {
    id,
    name: header?.name ?? null,
    client: clientOf(batch.owner),
    state,
    reason: entry === undefined ? null : problem(entry, { ...explainReason(batch, entry.code), retryAfter }),
    pausedUntil,
    operation: header?.operation ?? null,
    operationName: header?.operationName ?? null,
    columns: header?.columns ?? [],
    sheet: header?.sheet ?? null,
    sheets: header?.sheets ?? [],
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

function explainReason(batch: Batch, reason: ProblemCode) {
  const { rowUnits, maxUnits, estimate, pause } = batch;
  if (pause?.budget) return pause.budget;
  const { line, number = 0, units = 0 } = estimate?.costliestRow ?? {};
  const price = chosenEstimate(batch)?.estimatedUnits ?? 0;
  if (reason === 'UNIT_BUDGET_EXCEEDED' && rowUnits !== null && units > rowUnits)
    return {
      message: `The row in line ${line ?? number} costs ${units} units, but a row may cost at most ${rowUnits} (\`MAX_UNITS\`). Ask the operator to raise the limit.`,
      spanish: `La fila de la línea ${line ?? number} cuesta ${units} unidades, pero una fila puede costar ${rowUnits} como máximo (\`MAX_UNITS\`). Pida al operador que suba el límite.`,
    };
  if (reason !== 'UNIT_BUDGET_EXCEEDED' || price <= (maxUnits ?? 0)) return reasonTexts[reason] ?? {};
  return {
    message: `The next call would exceed \`maxUnits\` of this batch. Resume it with a limit of ${price}.`,
    spanish: `La siguiente consulta rebasaría el límite del lote. Continúelo con un límite de ${price}.`,
  };
}

export function toChange({ view, problems }: BatchChange, now: Date): RegistryBatchChange {
  return { batch: view === null ? null : toBatch(view, now), problems };
}

/** Returns a row. `recordReading` is called if its answer is selected, which is returned when it has resolved. */
export function toRow(row: BatchRow, language: Language, recordReading: () => Promise<void>): RegistryBatchRow {
  const { number, line, ref, state, attempts, units, uncertain, remarks, result } = row;
  return {
    number,
    line,
    ref,
    state,
    attempts,
    units,
    uncertainUnits: uncertain,
    remarks: remarks.map((remark) => say(remark, language)),
    problems: result?.problems ?? [],
    get data() {
      const data: unknown = result?.data ?? null;
      return data === null ? null : recordReading().then(() => data);
    },
    evidence: (result?.lookups ?? []).map(({ evidence: { checkedAt, ...evidence } }) => ({
      ...evidence,
      checkedAt: checkedAt === null ? null : new Date(checkedAt),
    })),
  };
}
