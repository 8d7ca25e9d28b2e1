import { isCalendarDay, isClockTime } from '../validation/calendar';
import { checkYearMonth } from '../validation/document';

/** Text of a registry; some fields are empty or absent. */
type WireText = string | null | undefined;

/** `20240131` → `2024-01-31`. */
export function parseCompactDate(text: WireText): string | null {
  const digits = text?.trim() ?? '';
  if (digits.length !== 8 || !isDigits(digits)) return null;
  return formatDay(digits.slice(0, 4), digits.slice(4, 6), digits.slice(6));
}

function isDigits(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x30 || unit > 0x39) return false;
  }
  return true;
}

/** `31/01/2024` → `2024-01-31`. */
export function parseDayFirstDate(text: WireText): string | null {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text?.trim() ?? '');
  return match ? formatDay(match[3], match[2], match[1]) : null;
}

/** `1980-01-31`, with or without a time behind it → `1980-01-31`. */
export function parseIsoDate(text: WireText): string | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:$|[T ])/.exec(text?.trim() ?? '');
  return match ? formatDay(match[1], match[2], match[3]) : null;
}

/** `31/01/2024 13:05:59` → `2024-01-31T13:05:59`. */
export function parseDayFirstDateTime(text: WireText): string | null {
  const match = /^(\S+)\s+(\d{2}):(\d{2}):(\d{2})$/.exec(text?.trim() ?? '');
  if (!match || !isClockTime(Number(match[2]), Number(match[3]), Number(match[4]))) return null;
  const date = parseDayFirstDate(match[1]);
  return date === null ? null : `${date}T${match[2]}:${match[3]}:${match[4]}`;
}

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s?(?:(Z|UTC)|([+-])(\d{2})(?::?(\d{2}))?)$/i;

/** An ISO 8601 instant with a zone, of any precision → the same instant in UTC, to the millisecond. */
export function parseInstant(text: WireText): string | null {
  const match = INSTANT.exec(text?.trim() ?? '');
  if (!match) return null;
  const [, year, month, dayOfMonth, hour = '', minute = '', second = '00', fraction = ''] = match;
  const date = formatDay(year, month, dayOfMonth);
  if (date === null || !isClockTime(Number(hour), Number(minute), Number(second))) return null;
  const local = `${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const [sign, offsetHour = '0', offsetMinute = '0'] = match.slice(9);
  const offset = Number(offsetHour) * 60 + Number(offsetMinute);
  if (Number(offsetMinute) > 59 || offset > 14 * 60) return null;
  if (offset === 0) return local;
  const utc = new Date(Date.parse(local) - (sign === '-' ? -offset : offset) * 60_000);
  return utc.getUTCFullYear() > 9999 ? null : utc.toISOString();
}

/** Every month from `from` to `to`, both included; none when the range runs backwards or a month is wrong. */
export function monthsBetween(from: string, to: string): readonly string[] {
  if (checkYearMonth(from) || checkYearMonth(to)) return [];
  const [first, last] = [toMonthNumber(from), toMonthNumber(to)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => formatMonth(first + index));
}

const CLOCK = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Mexico_City',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/** 23:59:59 of the day that `now` falls on in Mexico City, where documents good for one day are issued. */
export function endOfDayInMexicoCity(now: Date): Date {
  return instantInMexicoCity(`${wallClock(now.getTime()).toISOString().slice(0, 10)}T23:59:59`);
}

/** `2026-09-13T23:59:59` on the clocks of Mexico City, as an instant. */
export function instantInMexicoCity(localDateTime: string): Date {
  const target = Date.parse(`${localDateTime}Z`);
  // The offset is asked for twice: a change of clocks may lie between the two.
  const near = target - zoneOffset(target);
  return new Date(target - zoneOffset(near));
}

/** Whether a month (`YYYY-MM`) has not begun in Mexico City, whose clocks are behind UTC. */
export function isFutureMonth(month: string, now: Date): boolean {
  const monthInUtc = monthOf(now);
  return month > monthInUtc || (month === monthInUtc && month > monthOf(wallClock(now.getTime())));
}

const monthOf = (date: Date): string => date.toISOString().slice(0, 7);

const toMonthNumber = (text: string): number => Number(text.slice(0, 4)) * 12 + Number(text.slice(5)) - 1;

const formatMonth = (months: number): string =>
  `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`;

function formatDay(year = '', month = '', dayOfMonth = ''): string | null {
  return isCalendarDay(Number(year), Number(month), Number(dayOfMonth)) ? `${year}-${month}-${dayOfMonth}` : null;
}

const zoneOffset = (time: number): number => wallClock(time).getTime() - Math.floor(time / 1000) * 1000;

/** What the clocks of Mexico City show, written as if it were UTC. */
function wallClock(time: number): Date {
  const parts = new Map(CLOCK.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  return new Date(Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')));
}
