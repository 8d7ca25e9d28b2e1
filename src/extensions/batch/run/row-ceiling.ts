import { moneyCodes } from '../../../money/codes';
import { type Problem, problem } from '../../../registry/answer/problem';
import type { Batch } from '../batch';

/** Returns the lower of two ceilings. Null means no ceiling. */
export function lowerCeiling(first: number | null, second: number | null): number | null {
  if (first === null || second === null) return first ?? second;
  return Math.min(first, second);
}

export function exceedsCeiling({ estimate }: Pick<Batch, 'estimate'>, ceiling: number | null): boolean {
  return ceiling !== null && (estimate?.costliestRow?.units ?? 0) > ceiling;
}

export function rowTooExpensive({ estimate }: Pick<Batch, 'estimate'>, ceiling: number | null): Problem {
  const { line, number = 0, units = 0 } = estimate?.costliestRow ?? {};
  return problem(moneyCodes.UNIT_BUDGET_EXCEEDED, {
    message: `The row in line ${line ?? number} costs ${inUnits(units)}, but a row may cost at most ${ceiling} (\`x-max-units\`, \`MAX_UNITS\`). No call was made. Raise the limit, or select fewer fields.`,
    spanish: `La fila de la línea ${line ?? number} cuesta ${enUnidades(units)}, pero una fila puede costar ${ceiling} como máximo (\`x-max-units\`, \`MAX_UNITS\`). No se consultó nada. Suba el límite, o pida menos campos.`,
  });
}

export const inUnits = (units: number): string => `${units} ${units === 1 ? 'unit' : 'units'}`;
export const enUnidades = (units: number): string => `${units} ${units === 1 ? 'unidad' : 'unidades'}`;
