import { stripSeparators } from '../../../../identifiers/normalise';
import { checkCurp, checkEmployerRegistration, checkNss, checkRfc } from '../../../../identifiers/subjects';
import { joinTexts, type Text } from '../../../../identifiers/text';
import { looksPersonal } from '../../../../registry/caller';
import type { BatchColumn } from '../../batch';
import { type ColumnSuggestion, type Dataset, type DatasetChoice, DatasetError, type DatasetRow } from '../dataset';
import { readCell } from '../read-cell';
import { type ColumnProblem, explainSuggestion, shownColumns, toMessage, withSheet } from './column-messages';
import { scalarOf } from './folded-choices';
import type { ColumnTarget } from './match-column';

const maxTargets = 10;

/** Checks of identifiers by scalar. The values of other scalars do not show which variable they belong to. */
const checks: Readonly<Record<string, (value: string) => unknown>> = {
  NSS: checkNss,
  CURP: checkCurp,
  RFC: checkRfc,
  EmployerRegistration: checkEmployerRegistration,
};

/** Returns the error for a file whose columns do not fit the operation, with the columns to choose from. */
export function explainColumns(
  problem: ColumnProblem,
  uses: readonly BatchColumn[],
  variables: readonly string[],
  dataset: Dataset,
  sample: readonly DatasetRow[],
): DatasetError {
  const columns = dataset.columns ?? [];
  const targets = problem.targets.map(({ path }) => path.join('.'));
  const matches = uses.flatMap(({ name, variable }) =>
    variable === null || targets.includes(variable) ? [] : [{ column: name, variable }],
  );
  // If the file has no header, its first row may have the identifiers of a person.
  const isNamed = (column: string): boolean => column !== '' && !looksPersonal(column);
  const isUnassigned = (column: string): boolean =>
    isNamed(column) && matches.every((match) => match.column !== column);
  const suggestions = suggestColumns(problem.targets, columns, isUnassigned, sample);
  const found = joinTexts(suggestions.map(explainSuggestion));
  const reason = joinTexts([problem.reason, found]);
  const choice = { columns: shownColumns(columns), variables, matches, suggestions, reason };
  return toColumnError(toMessage(problem, found, suggestions[0]), choice, dataset);
}

/** Returns the error of a file with the columns and sheets to choose from. */
export const toColumnError = (
  message: Text,
  choice: DatasetChoice,
  { sheet, sheets }: Dataset,
  code: DatasetError['code'] = null,
): DatasetError => new DatasetError(withSheet(message, { sheet, sheets }), { ...choice, sheet, sheets }, code);

/** Returns for each target the column with the most valid values, if at least half of its values are valid. */
function suggestColumns(
  targets: readonly ColumnTarget[],
  columns: readonly string[],
  isUnassigned: (column: string) => boolean,
  sample: readonly DatasetRow[],
): readonly ColumnSuggestion[] {
  const checked = targets.filter(isIdentifier).slice(0, maxTargets);
  const found: ColumnSuggestion[] = [];
  for (const { path, type } of checked) {
    const [best] = columns
      .map((column, index) => ({
        column,
        variable: path.join('.'),
        ...countValid(cellsOf(sample, index, column), type),
      }))
      .filter(({ column, valid, filled }) => isUnassigned(column) && valid > 0 && 2 * valid >= filled)
      .filter(({ column }) => found.every((suggestion) => suggestion.column !== column))
      .sort((left, right) => right.valid - left.valid);
    if (best !== undefined) found.push(best);
  }
  return found;
}

/** Longer cells are no identifiers, and take time to check. */
export const maxIdentifierLength = 40;

/** Counts the values that are valid identifiers of a type. */
export function countValid(
  cells: readonly string[],
  type: ColumnTarget['type'],
): Pick<ColumnSuggestion, 'valid' | 'filled'> {
  const check = checks[scalarOf(type)];
  const values = cells.map((cell) => (cell.length > maxIdentifierLength ? null : readCell(cell, type).value));
  const valid = values.filter((value) => typeof value === 'string' && check?.(stripSeparators(value)) === null).length;
  return { valid, filled: cells.length };
}

/** Returns the values of a column that are not empty. In JSON lines, the column is found by its name. */
export const cellsOf = (sample: readonly DatasetRow[], index: number, column: string): readonly string[] =>
  sample.flatMap((row) => {
    const value = 'cells' in row ? row.cells[index] : row.values[column];
    const cell = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    return cell.trim() === '' ? [] : [cell];
  });

/** Whether the values of a type show which variable they belong to. */
export const isIdentifier = ({ type }: Pick<ColumnTarget, 'type'>): boolean => scalarOf(type) in checks;
