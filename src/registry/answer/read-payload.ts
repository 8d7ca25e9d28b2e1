import type { ZodType } from 'zod';
import { unreadable } from '../endpoint/endpoint';
import { type Problem, problem } from './problem';

type Path = readonly PropertyKey[];

export interface ReadPayload {
  readonly payload: unknown;
  /** A remark for each column with values that cannot be read. */
  readonly remarks: readonly Problem[];
}

/**
 * Reads the payload of an answer that was just parsed. Values that the schema does not accept are marked in it, and it is read again, so that the rest is
 * delivered. If the schema does not accept a mark, what contains the value is marked. Returns where the payload differs if nothing of it can be used.
 */
export function readPayload(schema: ZodType, received: unknown): ReadPayload | { readonly places: readonly string[] } {
  let marked: readonly Path[] = [];
  for (;;) {
    const { data: payload, error } = schema.safeParse(received);
    if (error === undefined) return { payload, remarks: toRemarks(received, marked) };
    const paths = error.issues.map(({ path }) => placeOf(received, path));
    for (const path of paths) mark(received, path);
    const lists = emptiedLists(received, paths);
    for (const path of lists) mark(received, path);
    marked = [...marked, ...paths, ...lists];
    if (marked.some((path) => path.length === 0)) return { places: marked.map((path) => path.join('.')) };
  }
}

/** Returns the place to mark for an issue: its own, or the innermost around it that is not marked yet. */
function placeOf(received: unknown, path: Path): Path {
  return valueAt(received, path) === unreadable ? placeOf(received, path.slice(0, -1)) : path;
}

/** Returns the lists of which no entry can be read. */
function emptiedLists(received: unknown, paths: readonly Path[]): readonly Path[] {
  const holders = new Map(paths.map((path) => [valueAt(received, path.slice(0, -1)), path.slice(0, -1)]));
  const isEmptied = (holder: unknown) => Array.isArray(holder) && holder.every((entry) => entry === unreadable);
  return [...holders].filter(([holder]) => isEmptied(holder)).map(([, path]) => path);
}

const isContainer = (value: unknown): value is Record<PropertyKey, unknown> =>
  typeof value === 'object' && value !== null;

const valueAt = (received: unknown, path: Path): unknown =>
  path.reduce((value, key) => (isContainer(value) ? value[key] : unreadable), received);

function mark(received: unknown, path: Path): void {
  const holder = valueAt(received, path.slice(0, -1));
  const key = path.at(-1);
  if (isContainer(holder) && key !== undefined) holder[key] = unreadable;
}

/** Returns a remark for each column, with the path of its first value, because a list may have the same in each of its records. */
function toRemarks(received: unknown, marked: readonly Path[]): readonly Problem[] {
  const byColumn = new Map<string, { readonly path: readonly string[]; count: number }>();
  for (const path of marked) {
    if (valueAt(received, path.slice(0, -1)) === unreadable) continue;
    const column = path.filter((key) => typeof key === 'string').join('.');
    const found = byColumn.get(column) ?? { path: path.map(String), count: 0 };
    found.count += 1;
    byColumn.set(column, found);
  }
  return [...byColumn.values()].map(({ path, count }) => {
    const place = path.join('.');
    const [more, spanishMore] =
      count === 1
        ? ['', '']
        : [`, like ${count - 1} more of this column`, `, igual que ${count - 1} más de esta columna`];
    return problem('FIELD_UNREADABLE', {
      path,
      message: `The service's value of \`${place}\` is missing or cannot be read${more}. The rest is delivered.`,
      spanish: `El valor de \`${place}\` que entregó el servicio falta o no se puede leer${spanishMore}. El resto se entrega.`,
    });
  });
}
