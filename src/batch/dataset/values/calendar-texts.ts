import { isCalendarDay } from '../../../graph/validation/calendar';
import type { Remark } from '../../batch';
import { foldName } from '../columns/match-column';
import type { ReadValue } from './read-value';

/** The first three letters of the months, in Spanish and in English. */
const monthNames = ['ene jan', 'feb', 'mar', 'abr apr', 'may', 'jun', 'jul', 'ago aug', 'sep', 'oct', 'nov', 'dic dec'];

/** A day or a month. The day is null for a month. `isAmbiguous`: the text can also be read with the month first. */
interface CalendarText {
  readonly year: number;
  readonly month: number;
  readonly day: number | null;
  readonly isAmbiguous: boolean;
}

/** Reads a month, such as `01/2025`, `ene-25` or `enero de 2025`, or a day of it. Returns other text unchanged. */
export function readMonth(text: string): ReadValue {
  const read = readCalendarText(text.trim());
  if (read === null) return { value: text };
  const value = `${pad(read.year, 4)}-${pad(read.month, 2)}`;
  return read.isAmbiguous ? { value, remark: dayFirst(text.trim(), value) } : { value };
}

/** Reads a day, such as `15/01/2025` or `15 de enero de 2025`. Returns other text unchanged. */
export function readDay(text: string): ReadValue {
  const read = readCalendarText(text.trim());
  if (read === null || read.day === null) return { value: text };
  const value = `${pad(read.year, 4)}-${pad(read.month, 2)}-${pad(read.day, 2)}`;
  return read.isAmbiguous ? { value, remark: dayFirst(text.trim(), value) } : { value };
}

function readCalendarText(text: string): CalendarText | null {
  if (text.length > 40) return null;
  const iso = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2})(?:[T ][\d:.]+Z?)?)?$/.exec(text);
  if (iso !== null) return check(iso[1], Number(iso[2]), iso[3]);
  const named = /^(?:(\d{1,2})[-/. ]+(?:de +)?)?(\p{L}{3,10})\.?(?:[-/., ]+(?:(?:de|del) +)?)'?(\d{4}|\d{2})$/u.exec(
    text,
  );
  if (named !== null) return check(named[3], monthOf(named[2] ?? ''), named[1]);
  const month = /^(\d{1,2})[-/.](\d{4}|\d{2})$/.exec(text);
  if (month !== null) return check(month[2], Number(month[1]), undefined);
  const day = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?:[T ][\d:.]+)?$/.exec(text);
  if (day === null) return null;
  const read = check(day[3], Number(day[2]), day[1]);
  const isAmbiguous = day[1] !== day[2] && check(day[3], Number(day[1]), day[2]) !== null;
  return read === null ? null : { ...read, isAmbiguous };
}

/** Returns the day or the month if it is in the calendar. A year of two digits is in this century. */
function check(yearText = '', month: number, dayText: string | undefined): CalendarText | null {
  const year = Number(yearText) + (yearText.length === 2 ? 2000 : 0);
  const day = dayText === undefined ? null : Number(dayText);
  return isCalendarDay(year, month, day ?? 1) ? { year, month, day, isAmbiguous: false } : null;
}

/** Returns the number of a month by its name, or 0 if it is not one. */
function monthOf(name: string): number {
  const start = foldName(name).slice(0, 3);
  return monthNames.findIndex((names) => names.split(' ').includes(start)) + 1;
}

const pad = (number: number, length: number): string => String(number).padStart(length, '0');

const dayFirst = (text: string, value: string): Remark => ({
  english: `\`${text}\` is read with the day first, as ${value}.`,
  spanish: `\`${text}\` se lee con el día primero, como ${value}.`,
});
