import { joinTexts, type Text } from '../../../../identifiers/text';
import type { BatchColumn } from '../../batch';
import { type ColumnSuggestion, type Dataset, DatasetError, type DatasetRow } from '../dataset';
import { explainSuggestion, shownColumns, withSheet } from './column-messages';
import type { ColumnUses } from './column-uses';
import { findNamed, type NamedTarget } from './folded-choices';
import { foldName, listNames } from './match-column';
import { countValid } from './suggest-columns';

/** A column that nobody mapped, and the variable that it seems to fill. Its name is empty if the file gives it none. */
export interface UnmappedColumn extends ColumnSuggestion {
  readonly position: number;
}

/**
 * Finds the columns that would disappear: a variable without a column is named by their heading, or nine of ten of their values are
 * valid identifiers of its kind. The caller has not said that they are not used.
 */
export function findUnmapped(
  uses: ColumnUses,
  header: readonly string[] | null,
  sample: readonly DatasetRow[],
): readonly UnmappedColumn[] {
  const left = new Set(uses.unfilled);
  const found: UnmappedColumn[] = [];
  for (const [index, name] of (header ?? uses.columns.map((column) => column.name)).entries()) {
    if (left.size === 0) break;
    const { target: used, isRef, isDeclined } = uses.find(name);
    if (used !== null || isRef || isDeclined) continue;
    const target = findNamed([...left], foldName(name)) ?? findByValues(name, index, [...left], sample);
    if (target === undefined) continue;
    left.delete(target);
    const counts = countValid(sample, index, name, target.type);
    found.push({ column: name, position: index + 1, variable: target.path.join('.'), ...counts });
  }
  const open = new Set([...left].map(({ path }) => path.join('.')));
  // Without a surname, a column that is called a name has whole names, which no variable takes.
  return found.filter(({ variable }) => !variable.endsWith('names') || !open.has(toSurname(variable)));
}

const toSurname = (names: string): string => names.replace(/names$/, 'paternalSurname');

const findByValues = (name: string, index: number, targets: readonly NamedTarget[], sample: readonly DatasetRow[]) =>
  targets.find(({ type }) => {
    const { valid, filled } = countValid(sample, index, name, type);
    return valid > 0 && 10 * valid >= 9 * filled;
  });

/** Returns the error for a file with columns that nobody mapped. It names columns, and does not quote their values. */
export function explainUnmapped(
  unmapped: readonly UnmappedColumn[],
  uses: readonly BatchColumn[],
  variables: readonly string[],
  dataset: Dataset,
): DatasetError {
  const matches = uses.flatMap(({ name, variable }) => (variable === null ? [] : [{ column: name, variable }]));
  const suggestions = unmapped
    .filter(({ column }) => column !== '')
    .map(({ position: _, ...suggestion }) => suggestion);
  const reason = joinTexts(unmapped.map(explain), ' ');
  const [first] = suggestions;
  const { sheet, sheets, columns } = dataset;
  const message = withSheet(joinTexts([reason, ...(first === undefined ? [] : [toAdvice(first)])], ' '), dataset);
  return new DatasetError(
    message,
    {
      columns: shownColumns(columns ?? uses.map(({ name }) => name)),
      variables,
      matches,
      suggestions,
      reason,
      sheet,
      sheets,
    },
    'COLUMNS_UNMAPPED',
  );
}

function explain({ column, position, ...suggestion }: UnmappedColumn): Text {
  const { variable, valid } = suggestion;
  if (column === '')
    return {
      english: `No column fills \`${variable}\`. Column ${position} of the file has no name, and its values are valid: give it a name in the file.`,
      spanish: `Ninguna columna llena \`${variable}\`. La columna ${position} del archivo no tiene nombre y sus valores son válidos: póngale nombre en el archivo.`,
    };
  const name = listNames([column]);
  const reason = {
    english: `No column fills \`${variable}\`, and ${name} seems to have it.`,
    spanish: `Ninguna columna llena \`${variable}\`, y parece que ${name} la tiene.`,
  };
  return valid === 0 ? reason : joinTexts([reason, explainSuggestion({ column, ...suggestion })]);
}

const toAdvice = ({ column, variable }: ColumnSuggestion): Text => ({
  english: `Choose the variable of each such column (\`columns\`, or \`--column "${column}=${variable}"\` on the command line), or say that the column is not used (\`columns\` with null as its variable, or \`--unused "${column}"\`).`,
  spanish: `Elija la variable de cada una de esas columnas (\`columns\`, o \`--column "${column}=${variable}"\` en la línea de comandos) o indique que la columna no se usa (\`columns\` con null como variable, o \`--unused "${column}"\`).`,
});
