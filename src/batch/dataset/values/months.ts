import { isCalendarDay } from '../../../identifiers/calendar';
import type { Remark } from '../../batch';
import { foldName } from '../columns/match-column';
import type { ReadValue } from './read-value';

/** The names of the months, in Spanish and in English. */
const monthNames = [
  ['enero', 'january'],
  ['febrero', 'february'],
  ['marzo', 'march'],
  ['abril', 'april'],
  ['mayo', 'may'],
  ['junio', 'june'],
  ['julio', 'july'],
  ['agosto', 'august'],
  ['septiembre', 'setiembre', 'september'],
  ['octubre', 'october'],
  ['noviembre', 'november'],
  ['diciembre', 'december'],
];

/** Interpretation of an ambiguous text. */
type Reading = 'day first' | 'month and year';

/**
 * Reads a month, such as `01/2025`, `ene-25` or `enero de 2025`, or a day of it. Rejects `03/04`, which can be a month of 2004
 * or a day of any year. Returns other text unchanged.
 */
export function readMonth(text: string): ReadValue {
  const trimmed = text.trim();
  if (trimmed.length > 40) return { value: text };
  const iso = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2})(?:[T ][\d:.]+Z?)?)?$/.exec(trimmed);
  if (iso !== null) return { value: toMonth(iso[1], iso[2], iso[3]) ?? text };
  const [, day, month, separator, namedYear] =
    /^(?:(\d{1,2})[-/. ]+(?:de +)?)?(\p{L}{3,10})(\.?[-/., ]+(?:(?:de|del) +)?'?)(\d{4}|\d{2})$/u.exec(trimmed) ?? [];
  if (month !== undefined) {
    // Excel writes a month as `ene-25`, and a day as `25-ene`. In `ene 25` the number can be either.
    const isClear =
      day !== undefined || /[-']/.test(separator ?? '') || toMonth('2000', monthOf(month), namedYear) === null;
    return remarkOn(text, toMonth(namedYear, monthOf(month), day), isClear ? null : 'month and year');
  }
  const [, first, second, year] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?:[T ][\d:.]+)?$/.exec(trimmed) ?? [];
  if (year !== undefined) {
    const isClear = year.length === 4 && (first === second || toMonth(year, first, second) === null);
    return remarkOn(text, toMonth(year, second, first), isClear ? null : 'day first');
  }
  const [, number, monthYear] = /^(\d{1,2})[-/.](\d{4}|\d{2})$/.exec(trimmed) ?? [];
  if (monthYear?.length === 2 && toMonth('2000', monthYear) !== null && toMonth('2000', number) !== null)
    return { value: text, rejection: unclear };
  return remarkOn(text, toMonth(monthYear, number), monthYear?.length === 2 ? 'month and year' : null);
}

/** Returns the month as `YYYY-MM` if it and its day are in the calendar. A year of two digits is in this century. */
function toMonth(yearText = '', monthText: string | number = '', dayText = '1'): string | null {
  const year = Number(yearText) + (yearText.length === 2 ? 2000 : 0);
  const month = Number(monthText);
  return isCalendarDay(year, month, Number(dayText)) ? `${pad(year, 4)}-${pad(month, 2)}` : null;
}

/** Returns the number of a month by its name or the beginning of it, or 0 if it is not one. */
function monthOf(text: string): number {
  const start = foldName(text);
  return monthNames.findIndex((names) => names.some((name) => name.startsWith(start))) + 1;
}

const pad = (number: number, length: number): string => String(number).padStart(length, '0');

function remarkOn(text: string, value: string | null, reading: Reading | null): ReadValue {
  if (value === null) return { value: text };
  return reading === null ? { value } : { value, remark: remarks[reading](text.trim(), value) };
}

const remarks: Readonly<Record<Reading, (text: string, value: string) => Remark>> = {
  'day first': (text, value) => ({
    english: `\`${text}\` is read with the day first, as ${value}.`,
    spanish: `\`${text}\` se lee con el día primero, como ${value}.`,
  }),
  'month and year': (text, value) => ({
    english: `\`${text}\` is read as a month and a year: ${value}.`,
    spanish: `\`${text}\` se lee como mes y año: ${value}.`,
  }),
};

const unclear: Remark = {
  english:
    'The month is unclear: it can be a month and a year, or a day and a month. Write the year with four digits, such as 2025-03.',
  spanish:
    'El mes no es claro: puede ser un mes y un año, o un día y un mes. Escriba el año con cuatro dígitos, por ejemplo 2025-03.',
};
