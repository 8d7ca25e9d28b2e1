import { type Problem, problem } from '../registry/answer/problem';
import type { Batch } from './batch';

/** Returns the lower of two ceilings. Null means no ceiling. */
export function lowerCeiling(first: number | null, second: number | null): number | null {
  if (first === null || second === null) return first ?? second;
  return Math.min(first, second);
}

/** Whether the most expensive row of the batch exceeds the ceiling. */
export function exceedsCeiling({ estimate }: Pick<Batch, 'estimate'>, ceiling: number | null): boolean {
  return ceiling !== null && (estimate?.costliestRow?.units ?? 0) > ceiling;
}

/** Returns the problem of a batch whose most expensive row exceeds the ceiling. Such a row would be rejected as a request, too. */
export function rowTooExpensive({ estimate }: Pick<Batch, 'estimate'>, ceiling: number | null): Problem {
  const { number = 0, units = 0 } = estimate?.costliestRow ?? {};
  return problem('UNIT_BUDGET_EXCEEDED', {
    message: `Row ${number} costs ${inUnits(units)}, but a row may cost at most ${ceiling} (\`x-max-units\`, \`MAX_UNITS\`). No call was made. Raise the limit, or select fewer fields.`,
    spanish: `La fila ${number} cuesta ${enUnidades(units)}, pero una fila puede costar ${ceiling} como máximo (\`x-max-units\`, \`MAX_UNITS\`). No se consultó nada. Suba el límite, o pida menos campos.`,
  });
}

/** Returns the problem of a question that was not asked because its row would exceed the ceiling. */
export function rowBudgetExhausted(ceiling: number | null): Problem {
  return problem('UNIT_BUDGET_EXCEEDED', {
    message: `No call was made, because a row of this batch may cost at most ${inUnits(ceiling ?? 0)} (\`x-max-units\`, \`MAX_UNITS\`).`,
    spanish: `No se consultó, porque una fila de este lote puede costar ${enUnidades(ceiling ?? 0)} como máximo (\`x-max-units\`, \`MAX_UNITS\`).`,
  });
}

const inUnits = (units: number): string => `${units} ${units === 1 ? 'unit' : 'units'}`;
const enUnidades = (units: number): string => `${units} ${units === 1 ? 'unidad' : 'unidades'}`;
