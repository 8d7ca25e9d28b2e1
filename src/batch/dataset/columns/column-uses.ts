import { getNullableType, isInputObjectType, isRequiredInputField } from 'graphql';
import type { BatchColumn, ColumnChoices, Remark } from '../../batch';
import type { BatchVariable } from '../../operation';
import { type ColumnTarget, findTarget, foldName, matchColumn, overlaps, refColumn } from './match-column';
import { listNames, nearestNames } from './nearest-names';

/** Maximum columns that are remembered, because in JSON lines each row can have other columns. */
const maxColumns = 500;

/** A column and its use: it can fill a variable, be the label of the row, or both. */
export interface ColumnUse {
  readonly name: string;
  readonly target: ColumnTarget | null;
  readonly isRef: boolean;
}

/** The columns of a dataset, and what the operation uses them for: as the caller chose, otherwise by name. */
export class ColumnUses {
  private readonly uses = new Map<string, ColumnUse>();
  private readonly chosenPaths: readonly (readonly string[])[];

  constructor(
    private readonly variables: readonly BatchVariable[],
    private readonly choices: ColumnChoices,
    /** The columns of a table, or null if each row has its own columns. */
    private readonly header: readonly string[] | null,
  ) {
    this.chosenPaths = choices.columns.flatMap(({ variable }) => {
      const target = variable === null ? null : findTarget(variables, variable);
      return target === null ? [] : [target.path];
    });
    for (const name of header ?? []) this.of(name);
  }

  /** The columns that have been read so far. */
  get columns(): readonly BatchColumn[] {
    return [...this.uses.values()].map(({ name, target, isRef }) => ({
      name,
      variable: target?.path.join('.') ?? (isRef ? refColumn : null),
    }));
  }

  of(name: string): ColumnUse {
    const existing = this.uses.get(name);
    if (existing !== undefined) return existing;
    const use = { name, target: this.findTarget(name), isRef: this.isLabel(name) };
    if (this.uses.size < maxColumns) this.uses.set(name, use);
    return use;
  }

  /** Returns why a table cannot fill the variables, so that every row would be rejected. Returns null if it can. */
  findMissing(): Remark | null {
    const header = this.header ?? [];
    const chosen = [
      ...this.choices.columns.map(({ column }) => column),
      ...(this.choices.ref === null ? [] : [this.choices.ref]),
    ];
    const absent = chosen.find((column) => !header.some((name) => this.isChosen(column, name)));
    if (absent !== undefined) return explainAbsent(absent, header);
    const matched = [...this.uses.values()].flatMap(({ target }) => (target === null ? [] : [target.path]));
    const missing = this.variables.flatMap((variable) =>
      variable.isRequired ? missingPaths({ path: [variable.name], type: variable.type }, matched) : [],
    );
    if (missing.length > 0) return explainMissing(missing, header);
    if (this.variables.length === 0 || matched.length > 0) return null;
    return explainMissing([this.variables[0]?.name ?? ''], header);
  }

  findCollision(): Remark | null {
    return findCollision([...this.uses.values()]);
  }

  private findTarget(name: string): ColumnTarget | null {
    if (name === '') return null;
    const choice = this.choices.columns.find(({ column }) => this.isChosen(column, name));
    if (choice !== undefined) return choice.variable === null ? null : findTarget(this.variables, choice.variable);
    const target = matchColumn(this.variables, name);
    return target !== null && this.chosenPaths.some((path) => overlaps(path, target.path)) ? null : target;
  }

  private isLabel(name: string): boolean {
    const { ref, columns } = this.choices;
    if (ref !== null) return this.isChosen(ref, name);
    const isUnused = columns.some(({ column, variable }) => variable === null && this.isChosen(column, name));
    return !isUnused && this.isChosen(refColumn, name);
  }

  /** Whether a choice names this column. Differences in spelling are only ignored if no column has exactly that name. */
  private isChosen(choice: string, name: string): boolean {
    if (choice.trim() === name) return true;
    if (this.choices.columns.length > 0 && this.header?.includes(choice.trim())) return false;
    return name !== '' && foldName(choice) !== '' && foldName(choice) === foldName(name);
  }
}

/** Returns the paths that have no value although the type requires one: the variable itself, or required fields of it. */
function missingPaths({ path, type }: ColumnTarget, matched: readonly (readonly string[])[]): readonly string[] {
  const place = path.join('.');
  if (matched.some((each) => each.join('.') === place)) return [];
  const inner = getNullableType(type);
  const isPartial = matched.some((each) => overlaps(each, path));
  if (!isInputObjectType(inner)) return isPartial ? [] : [place];
  const required = Object.values(inner.getFields()).filter(isRequiredInputField);
  const missing = required.flatMap((field) => missingPaths({ path: [...path, field.name], type: field.type }, matched));
  return missing.length > 0 || isPartial ? missing : [place];
}

/** Returns why one of two columns would overwrite the other. Returns null if there are no such columns. */
export function findCollision(uses: readonly ColumnUse[]): Remark | null {
  const places: { readonly path: readonly string[]; readonly name: string }[] = [];
  for (const { name, target, isRef } of uses) {
    const path = target?.path ?? (isRef ? [refColumn] : []);
    if (path.length === 0) continue;
    const before = places.find((place) => overlaps(place.path, path));
    if (before !== undefined) return explainCollision(before.name, name, shorter(before.path, path).join('.'));
    places.push({ path, name });
  }
  return null;
}

const shorter = (left: readonly string[], right: readonly string[]): readonly string[] =>
  left.length < right.length ? left : right;

/** Returns a message. It may quote the columns, because their names match a variable and are not personal data. */
const explainCollision = (first: string, second: string, place: string): Remark => ({
  english: `The columns \`${first}\` and \`${second}\` both fill \`${place}\`, because case, blanks, punctuation and accents are ignored. Remove one of them, or choose one (\`columns\`, or \`--map\` on the command line).`,
  spanish: `Las columnas \`${first}\` y \`${second}\` llenan \`${place}\`, porque no se distinguen mayúsculas, espacios, signos ni acentos. Quite una de las dos o elija una (\`columns\`, o \`--map\` en la línea de comandos).`,
});

function explainMissing(missing: readonly string[], header: readonly string[]): Remark {
  const [first = ''] = missing;
  const list = missing.map((path) => `\`${path}\``).join(', ');
  const nearest = missing.flatMap((path) => nearestNames(path.split('.').at(-1) ?? '', header)).slice(0, 3);
  const example = nearest[0] ?? header.find((name) => name !== '') ?? '';
  const [english, spanish] =
    missing.length === 1
      ? [`No column has the name of the variable ${list}.`, `Ninguna columna tiene el nombre de la variable ${list}.`]
      : [
          `No columns have the names of the variables ${list}.`,
          `Ninguna columna tiene el nombre de las variables ${list}.`,
        ];
  return {
    english: `${english} Columns of the file: ${listNames(header)}.${nearest.length === 0 ? '' : ` The nearest names: ${listNames(nearest)}.`} Rename a column, or choose one (\`columns\`, or \`--map "${example}=${first}"\` on the command line).`,
    spanish: `${spanish} Columnas del archivo: ${listNames(header)}.${nearest.length === 0 ? '' : ` Los más parecidos: ${listNames(nearest)}.`} Cambie el nombre de una columna o elija una (\`columns\`, o \`--map "${example}=${first}"\` en la línea de comandos).`,
  };
}

function explainAbsent(column: string, header: readonly string[]): Remark {
  const nearest = nearestNames(column, header);
  return {
    english: `The file has no column \`${column}\`. Columns of the file: ${listNames(header)}.${nearest.length === 0 ? '' : ` The nearest names: ${listNames(nearest)}.`}`,
    spanish: `El archivo no tiene la columna \`${column}\`. Columnas del archivo: ${listNames(header)}.${nearest.length === 0 ? '' : ` Los más parecidos: ${listNames(nearest)}.`}`,
  };
}
