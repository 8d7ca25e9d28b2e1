import {
  GraphQLBoolean,
  GraphQLFloat,
  type GraphQLInputType,
  GraphQLInt,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { foldName } from '../columns/match-column';
import { readIdentifier } from './identifiers';
import { readMonth } from './months';
import type { ReadValue } from './read-value';

type TextReader = (text: string) => ReadValue;

/** Readers of texts by the name of the scalar. A spreadsheet may have changed these values. */
const readers: ReadonlyMap<string, TextReader> = new Map<string, TextReader>([
  ['NSS', (text) => readIdentifier('NSS', text)],
  ['EmployerRegistration', (text) => readIdentifier('EmployerRegistration', text)],
  ['LicenceNumber', (text) => readIdentifier('LicenceNumber', text)],
  ['YearMonth', readMonth],
]);

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  verdadero: true,
  falso: false,
  '1': true,
  '0': false,
  yes: true,
  no: false,
  si: true,
};

/**
 * Converts the text of a cell to the type of its variable. The value is undefined if the cell is empty. Text that does not fit
 * is returned unchanged, because it is rejected later.
 */
export function readCell(cell: string, type: GraphQLInputType): ReadValue {
  const text = unquote(cell);
  const trimmed = text.trim();
  if (trimmed === '') return { value: undefined };
  const inner = getNullableType(type);
  if (isListType(inner) && !trimmed.startsWith('[')) return readCell(text, inner.ofType);
  if (isListType(inner) || isInputObjectType(inner)) return readJson(trimmed, inner);
  return readText(text, inner);
}

/** Returns the text that a spreadsheet shows for `="041…"` and for `'041…`, which keep zeros and formulas as text. */
function unquote(cell: string): string {
  const formula = /^\s*="((?:[^"]|"")*)"\s*$/.exec(cell)?.[1];
  if (formula !== undefined) return formula.replaceAll('""', '"');
  return /^\s*'[\d=+@-]/.test(cell) ? cell.replace("'", '') : cell;
}

function readText(text: string, type: GraphQLInputType): ReadValue {
  const trimmed = text.trim();
  if (type === GraphQLInt || type === GraphQLFloat)
    return { value: /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : text };
  if (type === GraphQLBoolean) return { value: booleans[foldName(trimmed)] ?? text };
  const read = 'name' in type ? readers.get(type.name) : undefined;
  return read?.(text) ?? { value: text };
}

/** Reads a list or an input object in JSON. Its texts are read as those of cells. */
function readJson(text: string, type: GraphQLInputType): ReadValue {
  try {
    const remarks: ReadValue[] = [];
    const value = readMembers(JSON.parse(text), type, remarks);
    return { ...remarks.find(({ rejection }) => rejection !== undefined), ...remarks[0], value };
  } catch {
    return { value: text };
  }
}

function readMembers(value: unknown, type: GraphQLInputType, read: ReadValue[]): unknown {
  const inner = getNullableType(type);
  if (isListType(inner) && Array.isArray(value)) return value.map((item) => readMembers(item, inner.ofType, read));
  if (isInputObjectType(inner) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const fields = inner.getFields();
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
        return [name, field === undefined ? member : readMembers(member, field.type, read)];
      }),
    );
  }
  if (typeof value !== 'string' || isListType(inner) || isInputObjectType(inner)) return value;
  const leaf = readText(value, inner);
  if (leaf.remark !== undefined || leaf.rejection !== undefined) read.push(leaf);
  return leaf.value;
}
