import { stripSeparators } from '../../../../identifiers/normalise';
import { joinTexts, type Text } from '../../../../identifiers/text';
import { looksPersonal } from '../../../../registry/caller';
import type { BatchColumn } from '../../batch';
import type { ColumnSuggestion, Dataset, DatasetError, DatasetRow } from '../dataset';
import { shorten } from '../misfit';
import { explainSuggestion, shownColumns } from './column-messages';
import type { ColumnUses } from './column-uses';
import { scalarOf } from './folded-choices';
import { type ColumnTarget, listNames } from './match-column';
import { cellsOf, countValid, isIdentifier, maxIdentifierLength, toColumnError } from './suggest-columns';

/** An unmapped column, and the variable that it seems to fill. */
export interface UnmappedColumn extends ColumnSuggestion {
  readonly position: number;
}

/**
 * Finds the columns that would disappear: their heading names a variable without a column and a value may be its value, or nine of ten
 * values are valid identifiers of its kind. The caller has not said that they are not used. Without a sample, only headings count.
 */
export function findUnmapped(
  uses: ColumnUses,
  header: readonly string[] | null,
  sample: readonly DatasetRow[],
): readonly UnmappedColumn[] {
  const { unfilled } = uses;
  const open = new Set(unfilled.map(toVariable));
  // Variables of one kind have the same valid values.
  const byKind = [...new Map(unfilled.filter(isIdentifier).map((target) => [scalarOf(target.type), target])).values()];
  const found: UnmappedColumn[] = [];
  const names = unfilled.length === 0 ? [] : (header ?? uses.columns.map(({ name }) => name));
  for (const [index, name] of names.entries()) {
    const { target: used, isRef, isDeclined } = uses.find(name);
    if (used !== null || isRef || isDeclined) continue;
    const cells = cellsOf(sample, index, name);
    const named = uses
      .findNamed(name)
      .filter((target) => open.has(toVariable(target)) && mayFill(target, cells, sample));
    const suggested = new Set(found.map(({ variable }) => variable));
    const target =
      named.find((each) => !suggested.has(toVariable(each))) ??
      named[0] ??
      byKind.find(({ type }) => {
        const { valid, filled } = countValid(cells, type);
        return valid > 0 && 10 * valid >= 9 * filled;
      });
    if (target === undefined) continue;
    found.push({ column: name, position: index + 1, variable: toVariable(target), ...countValid(cells, target.type) });
  }
  const suggested = new Set(found.map(({ variable }) => variable));
  // Without a surname, a column that is called a name has whole names, which no variable takes.
  const isWhole = (variable: string): boolean => open.has(toSurname(variable)) && !suggested.has(toSurname(variable));
  return found.filter(({ variable }) => !variable.endsWith('names') || !isWhole(variable));
}

const toVariable = ({ path }: ColumnTarget): string => path.join('.');
const toSurname = (names: string): string => names.replace(/names$/, 'paternalSurname');

const nameParts: readonly string[] = ['names', 'paternalSurname', 'maternalSurname'];

/** Whether a value may be one of a variable that the heading names. A damaged identifier counts, but no amount, date or word. */
function mayFill(target: ColumnTarget, cells: readonly string[], sample: readonly DatasetRow[]): boolean {
  if (sample.length === 0) return true;
  if (isIdentifier(target)) return cells.some(resemblesIdentifier);
  return nameParts.includes(target.path.at(-1) ?? '') ? cells.some(resemblesName) : cells.length > 0;
}

const resemblesIdentifier = (cell: string): boolean =>
  cell.length <= maxIdentifierLength &&
  (/\dE\+?\d/i.test(cell) || /^(?=(?:\D*\d){4})[\p{L}\d&]{9,20}$/u.test(stripSeparators(cell)));

const resemblesName = (cell: string): boolean => /^[\p{L}\p{M}\s.,'’#?-]{1,60}$/u.test(cell.trim());

/** Returns the error for a file with unmapped columns. It names columns, and does not quote their values. */
export function explainUnmapped(
  unmapped: readonly UnmappedColumn[],
  uses: readonly BatchColumn[],
  variables: readonly string[],
  dataset: Dataset,
): DatasetError {
  const matches = uses.flatMap(({ name, variable }) => (variable === null ? [] : [{ column: name, variable }]));
  const suggestions = unmapped.filter(isNamed).map(({ position: _, ...suggestion }) => suggestion);
  const reason = joinTexts(unmapped.map(explain), ' ');
  const [first] = suggestions;
  const header = dataset.columns ?? uses.map(({ name }) => name);
  const shown = new Set([...shownColumns(header), ...suggestions.map(({ column }) => column)]);
  const columns = header.filter((name) => shown.has(name));
  const message = joinTexts([reason, ...(first === undefined ? [] : [toAdvice(first)])], ' ');
  return toColumnError(message, { columns, variables, matches, suggestions, reason }, dataset, 'COLUMNS_UNMAPPED');
}

/** Whether a message may name a column. A name that looks like a person's data may be a value. */
const isNamed = ({ column }: UnmappedColumn): boolean => column.trim() !== '' && !looksPersonal(column);

function explain(unmapped: UnmappedColumn): Text {
  const { column, position, ...suggestion } = unmapped;
  const { variable, valid } = suggestion;
  if (!isNamed(unmapped))
    return {
      english: `No column fills \`${variable}\`. Column ${position} of the file has no usual name, and its values are valid: name it in the file, or remove it.`,
      spanish: `Ninguna columna llena \`${variable}\`. La columna ${position} del archivo no tiene un nombre usual y sus valores son válidos: póngale nombre en el archivo o quítela.`,
    };
  const name = listNames([column]);
  const reason = {
    english: `No column fills \`${variable}\`, and ${name} seems to have it.`,
    spanish: `Ninguna columna llena \`${variable}\`, y parece que ${name} la tiene.`,
  };
  return valid === 0 ? reason : joinTexts([reason, explainSuggestion({ column, ...suggestion })]);
}

function toAdvice({ column: name, variable }: ColumnSuggestion): Text {
  const column = shorten(name);
  return {
    english: `Choose the variable of each such column (\`columns\`, or \`--column "${column}=${variable}"\` on the command line), or say that the column is not used (\`columns\` with null as its variable, or \`--unused "${column}"\`).`,
    spanish: `Elija la variable de cada una de esas columnas (\`columns\`, o \`--column "${column}=${variable}"\` en la línea de comandos) o indique que la columna no se usa (\`columns\` con null como variable, o \`--unused "${column}"\`).`,
  };
}
