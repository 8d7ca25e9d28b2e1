import { type Problem, problem } from '../registry/answer/problem';
import type { Batch } from './batch';

/** Returns the lower one of two ceilings; null is none. */
export function lowerCeiling(first: number | null, second: number | null): number | null {
  if (first === null || second === null) return first ?? second;
  return Math.min(first, second);
}

/** Whether a row of the batch costs more than each row may. */
export function exceedsCeiling({ estimate }: Pick<Batch, 'estimate'>, ceiling: number | null): boolean {
  return ceiling !== null && (estimate?.costliestRow?.units ?? 0) > ceiling;
}

/** The reason why a batch is not started: its costliest row would be refused as a request, too. */
export function rowTooExpensive({ estimate }: Pick<Batch, 'estimate'>, ceiling: number | null): Problem {
  const { number = 0, units = 0 } = estimate?.costliestRow ?? {};
  return problem('UNIT_BUDGET_EXCEEDED', {
    message: `Row ${number} costs ${inUnits(units)}, and a row may cost ${ceiling} (\`x-max-units\`, \`MAX_UNITS\`). No call was made. Raise the limit, or select less per row.`,
    spanish: `La fila ${number} cuesta ${enUnidades(units)}, y una fila puede costar ${ceiling} (\`x-max-units\`, \`MAX_UNITS\`). No se consultó nada. Suba el tope, o pida menos por fila.`,
  });
}

/** The reason why a question of a row is not asked. */
export function rowBudgetUsedUp(ceiling: number | null): Problem {
  return problem('UNIT_BUDGET_EXCEEDED', {
    message: `No call was made: a row of this batch may cost ${inUnits(ceiling ?? 0)} (\`x-max-units\`, \`MAX_UNITS\`).`,
    spanish: `No se consultó: una fila de este lote puede costar ${enUnidades(ceiling ?? 0)} (\`x-max-units\`, \`MAX_UNITS\`).`,
  });
}

const inUnits = (units: number): string => `${units} ${units === 1 ? 'unit' : 'units'}`;
const enUnidades = (units: number): string => `${units} ${units === 1 ? 'unidad' : 'unidades'}`;
