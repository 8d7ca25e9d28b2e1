import type { Text } from '../../../../identifiers/text';
import type { ColumnChoices } from '../../batch';
import type { BatchVariable } from '../../operation';
import { listTargets } from './folded-choices';
import { maxNameLength } from './header';
import { findTarget, listNames, nearestNames } from './match-column';

export const noChoices: ColumnChoices = { columns: [], ref: null, sheet: null };

const maxChoices = 200;

export interface ChoiceProblem {
  readonly path: readonly string[];
  readonly reason: Text;
}

export function findChoiceProblem(
  { columns, ref, sheet }: ColumnChoices,
  variables: readonly BatchVariable[],
): ChoiceProblem | null {
  if (columns.length > maxChoices) return { path: ['columns'], reason: tooMany };
  if (ref !== null && !isName(ref)) return { path: ['refColumn'], reason: notAName };
  if (sheet !== null && !isName(sheet)) return { path: ['sheet'], reason: notASheet };
  const used = new Set<string>();
  for (const [index, { column, variable }] of columns.entries()) {
    const path = ['columns', String(index)];
    if (!isName(column)) return { path: [...path, 'column'], reason: notAName };
    if (variable !== null && (variable.length > maxNameLength || findTarget(variables, variable) === null))
      return { path: [...path, 'variable'], reason: notAVariable(variable, variablePaths(variables)) };
    if (used.has(column)) return { path: [...path, 'column'], reason: chosenTwice(column) };
    used.add(column);
  }
  return null;
}

/** Returns the variables that a column can fill, with dots for the fields of input objects. */
export function variablePaths(variables: readonly BatchVariable[]): readonly string[] {
  return listTargets(variables).map(({ path }) => path.join('.'));
}

const isName = (name: string): boolean => name.trim() !== '' && name.length <= maxNameLength;

const tooMany: Text = {
  english: `At most ${maxChoices} columns can be chosen.`,
  spanish: `Se pueden elegir ${maxChoices} columnas como máximo.`,
};
const notAName: Text = {
  english: `The name of a column has 1 to ${maxNameLength} characters.`,
  spanish: `El nombre de una columna tiene de 1 a ${maxNameLength} caracteres.`,
};
const notASheet: Text = {
  english: `The name of a sheet has 1 to ${maxNameLength} characters.`,
  spanish: `El nombre de una hoja tiene de 1 a ${maxNameLength} caracteres.`,
};
const chosenTwice = (column: string): Text => ({
  english: `The column \`${column}\` is chosen twice. Choose it for one variable.`,
  spanish: `La columna \`${column}\` se eligió dos veces. Elíjala para una sola variable.`,
});

function notAVariable(variable: string, paths: readonly string[]): Text {
  const name = variable.slice(0, maxNameLength);
  const [nearest] = nearestNames(name, paths);
  return {
    english: `\`${name}\` is not a variable of the operation${nearest === undefined ? '.' : `: is \`${nearest}\` meant?`} Its variables: ${listNames(paths)}.`,
    spanish: `\`${name}\` no es una variable de la operación${nearest === undefined ? '.' : `: ¿quiso decir \`${nearest}\`?`} Sus variables: ${listNames(paths)}.`,
  };
}
