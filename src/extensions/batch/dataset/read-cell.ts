import {
  GraphQLBoolean,
  GraphQLFloat,
  type GraphQLInputType,
  GraphQLInt,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { isCalendarDay } from '../../../identifiers/dates';
import { stripSeparators } from '../../../identifiers/normalise';
import { checkEmployerRegistration, checkNss } from '../../../identifiers/subjects';
import type { Text } from '../../../identifiers/text';
import { hasOnlyZeros } from '../../../identifiers/violation';
import { foldName } from './columns/match-column';

const monthNames = [
  ['enero', 'january'],
  ['febrero', 'february'],
  ['marzo', 'march'],
  ['abril', 'april'],
  ['mayo', 'may'],
  ['junio', 'june'],
  ['julio', 'july'],
  ['agosto', 'agto', 'august'],
  ['septiembre', 'setiembre', 'september'],
  ['octubre', 'october'],
  ['noviembre', 'november'],
  ['diciembre', 'december'],
];

type Reading = 'day first' | 'month and year';

/**
 * Reads a month, such as `01/2025`, `202501`, `ene-25` or `ENERO DE 2025`, or a day of it. Rejects `03/04`, which can be a month of 2004
 * or a day of any year. Returns other text unchanged.
 */
function readMonth(text: string): ReadValue {
  const trimmed = text.trim();
  if (trimmed.length > 40) return { value: text };
  const iso = /^(\d{4})[-/. ](\d{1,2})(?:[-/.](\d{1,2})(?:[T ][\d:.]+Z?)?)?$/.exec(trimmed);
  const yearFirst = iso ?? /^((?:19|20)\d{2})(\d{2})(?:\.0+)?$/.exec(trimmed);
  if (yearFirst !== null) return { value: toMonth(yearFirst[1], yearFirst[2], yearFirst[3]) ?? text };
  const [, leadingYear, name = ''] = /^(\d{4})[-/., ]+(\p{L}{3,10})\.?$/u.exec(trimmed) ?? [];
  if (leadingYear !== undefined) return { value: toMonth(leadingYear, monthOf(name)) ?? text };
  const [, day, month, separator, namedYear] =
    /^(?:(\d{1,2})[-/. ]+(?:de +)?)?(\p{L}{3,10})(\.?[-/., ]+(?:(?:de|del) +)?'?)(\d{4}|\d{2})$/iu.exec(trimmed) ?? [];
  if (month !== undefined) {
    // Excel writes a month as `ene-25`, and a day as `25-ene`. In `ene 25` the number can be either.
    const isUnambiguous =
      day !== undefined || /[-']/.test(separator ?? '') || toMonth('2000', monthOf(month), namedYear) === null;
    return remarkOn(text, toMonth(namedYear, monthOf(month), day), isUnambiguous ? null : 'month and year');
  }
  const [, first, second, year] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?:[T ][\d:.]+)?$/.exec(trimmed) ?? [];
  if (year !== undefined) {
    const isUnambiguous = year.length === 4 && (first === second || toMonth(year, first, second) === null);
    return remarkOn(text, toMonth(year, second, first), isUnambiguous ? null : 'day first');
  }
  const [, number, monthYear] = /^(\d{1,2})[-/.](\d{4}|\d{2})$/.exec(trimmed) ?? [];
  if (monthYear?.length === 2 && toMonth('2000', monthYear) !== null && toMonth('2000', number) !== null)
    return { value: text, rejection: ambiguousMonth };
  return remarkOn(text, toMonth(monthYear, number), monthYear?.length === 2 ? 'month and year' : null);
}

/** Returns the month as `YYYY-MM` if it and its day are in the calendar. A year of two digits is in this century. */
function toMonth(yearText = '', monthText: string | number = '', dayText = '1'): string | null {
  const year = Number(yearText) + (yearText.length === 2 ? 2000 : 0);
  const month = Number(monthText);
  return isCalendarDay(year, month, Number(dayText)) ? `${pad(year, 4)}-${pad(month, 2)}` : null;
}

function monthOf(text: string): number {
  const start = foldName(text);
  return monthNames.findIndex((names) => names.some((name) => name.startsWith(start))) + 1;
}

const pad = (number: number, length: number): string => String(number).padStart(length, '0');

function remarkOn(text: string, value: string | null, reading: Reading | null): ReadValue {
  if (value === null) return { value: text };
  return reading === null ? { value } : { value, remark: remarks[reading](text.trim(), value) };
}

const remarks: Readonly<Record<Reading, (text: string, value: string) => Text>> = {
  'day first': (text, value) => ({
    english: `\`${text}\` is read with the day first, as ${value}.`,
    spanish: `\`${text}\` se lee con el día primero, como ${value}.`,
  }),
  'month and year': (text, value) => ({
    english: `\`${text}\` is read as a month and a year: ${value}.`,
    spanish: `\`${text}\` se lee como mes y año: ${value}.`,
  }),
};

const ambiguousMonth: Text = {
  english:
    'The month is unclear: it can be a month and a year, or a day and a month. Write the year with four digits, such as 2025-03.',
  spanish:
    'El mes no es claro: puede ser un mes y un año, o un día y un mes. Escriba el año con cuatro dígitos, por ejemplo 2025-03.',
};

type IdentifierKind = 'NSS' | 'EmployerRegistration' | 'LicenceNumber';

const names: Readonly<Record<IdentifierKind, Text>> = {
  NSS: { english: 'The NSS', spanish: 'El NSS' },
  EmployerRegistration: { english: 'The employer registration', spanish: 'El registro patronal' },
  LicenceNumber: { english: 'The licence number', spanish: 'El número de cédula' },
};

/**
 * Reads an identifier that a spreadsheet may have converted to a number. An NSS without its leading zero is completed if its
 * check digit fits. Employer registrations are not padded: a ten-digit one may just as well lack its check digit.
 */
function readIdentifier(kind: IdentifierKind, text: string): ReadValue {
  const bare = stripSeparators(text);
  if (/^\d([.,]\d+)?E\+?\d+$/.test(bare)) return { value: text, rejection: rounded(kind) };
  const digits = bare.replace(/\.0+$/, '');
  if (kind === 'LicenceNumber') return { value: /^\d+\.0+$/.test(bare) ? digits : text };
  if (hasOnlyZeros(digits)) return { value: digits };
  if (!/^\d+$/.test(digits) || digits.length > 10) return { value: digits.length === 11 ? digits : text };
  const completed = digits.padStart(11, '0');
  if (kind === 'NSS' && digits.length === 10 && checkNss(completed) === null)
    return { value: completed, remark: readAs(completed) };
  const isShortened = kind === 'NSS' || (digits.length === 10 && checkEmployerRegistration(completed) === null);
  return isShortened ? { value: digits, remark: perhapsShortened(kind, digits.length) } : { value: digits };
}

const readAs = (completed: string): Text => ({
  english: `The NSS has 10 digits. It is read as ${completed}, whose check digit fits.`,
  spanish: `El NSS tiene 10 dígitos. Se lee como ${completed}, cuyo dígito verificador corresponde.`,
});

const perhapsShortened = (kind: IdentifierKind, length: number): Text => ({
  english: `${names[kind].english} has ${length} digits. If a spreadsheet removed leading zeros, format the column as text and enter it again.`,
  spanish: `${names[kind].spanish} tiene ${length} dígitos. Si la hoja de cálculo quitó ceros a la izquierda, dé formato de texto a la columna y escríbalo de nuevo.`,
});

const rounded = (kind: IdentifierKind): Text => ({
  english: `${names[kind].english} is a number in scientific notation, which has lost digits. In the spreadsheet, format the column as text and enter it again.`,
  spanish: `${names[kind].spanish} está en notación científica, que pierde dígitos. En la hoja de cálculo, dé formato de texto a la columna y escríbalo de nuevo.`,
});

export interface ReadValue {
  readonly value: unknown;
  readonly remark?: Text;
  readonly rejection?: Text;
}

type TextReader = (text: string) => ReadValue;

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
