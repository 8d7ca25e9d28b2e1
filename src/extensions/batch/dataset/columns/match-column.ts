import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
} from 'graphql';
import { suggestionList } from 'graphql/jsutils/suggestionList';
import type { BatchVariable } from '../../operation';

const maxListed = 50;
const maxNearest = 3;
/** Longer names are not compared, because the comparison takes time quadratic in their length. */
const maxComparedLength = 60;

export function nearestNames(name: string, names: readonly string[]): readonly string[] {
  const folded = foldName(name);
  const comparable = names.filter((each) => each !== '' && each.length <= maxComparedLength);
  const containing = comparable.filter((each) => foldName(each).includes(folded));
  const byFold = new Map(comparable.map((each) => [foldName(each), each]));
  const similar = suggestionList(folded, [...byFold.keys()]).map((each) => byFold.get(each) ?? each);
  return [...new Set([...containing, ...similar])].slice(0, maxNearest);
}

export function listNames(names: readonly string[]): string {
  const listed = names.filter((name) => name !== '').slice(0, maxListed);
  const quoted = listed.map((name) => `\`${name.slice(0, maxComparedLength)}\``).join(', ');
  return names.length > maxListed ? `${quoted}, …` : quoted || '—';
}

export interface ColumnTarget {
  readonly path: readonly string[];
  readonly type: GraphQLInputType;
}

/** Name of the column that labels the rows, unless the caller chooses another column. */
export const refColumn = 'ref';

/**
 * Finds the variable, or the field of an input object, that has the name of a column. Dots separate the names of fields.
 * Case, blanks, punctuation and accents are ignored, also dots if the column addresses no field: `N.S.S.` is `nss`.
 */
export function matchColumn(variables: readonly BatchVariable[], column: string): ColumnTarget | null {
  const target = findTarget(variables, column.replace(/^\$/, ''));
  if (target !== null || !column.includes('.')) return target;
  const variable = findByName(variables, column);
  return variable === undefined ? null : { path: [variable.name], type: variable.type };
}

export function findTarget(variables: readonly BatchVariable[], path: string): ColumnTarget | null {
  const [first = '', ...fields] = path.split('.');
  const variable = findByName(variables, first);
  if (variable === undefined) return null;
  let target: ColumnTarget = { path: [variable.name], type: variable.type };
  for (const segment of fields) {
    const type = getNullableType(target.type);
    const field = isInputObjectType(type) ? findByName(type, segment) : undefined;
    if (field === undefined) return null;
    target = { path: [...target.path, field.name], type: field.type };
  }
  return target;
}

interface NameIndex {
  readonly exact: ReadonlyMap<string, Entry>;
  readonly folded: ReadonlyMap<string, Entry>;
}

type Entry = BatchVariable | GraphQLInputField;

/** Indexes of all variables and fields. Each name is folded only once, and not again for each column. */
const indexes = new WeakMap<object, NameIndex>();

function findByName(source: readonly BatchVariable[] | GraphQLInputObjectType, name: string): Entry | undefined {
  const index = indexes.get(source) ?? createIndex(source);
  return index.exact.get(name) ?? index.folded.get(foldName(name));
}

function createIndex(source: readonly BatchVariable[] | GraphQLInputObjectType): NameIndex {
  // If two names are the same when they are folded, the first one is found.
  const entries = [...(isInputObjectType(source) ? Object.values(source.getFields()) : source)].reverse();
  const folded = entries.map((entry) => [foldName(entry.name), entry] as const).filter(([name]) => name !== '');
  const index = { exact: new Map(entries.map((entry) => [entry.name, entry])), folded: new Map(folded) };
  indexes.set(source, index);
  return index;
}

/** Returns a name for comparison, without case, accents, blanks and punctuation. */
export function foldName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\p{M}\p{P}\p{S}\s]/gu, '')
    .toLowerCase();
}
