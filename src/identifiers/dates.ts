import { checkYearMonth } from './document';

/** Whether the day exists. Years before 1000 are invalid, because registries use them for "no date". */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  if (year < 1000 || year > 9999 || month < 1 || month > 12 || day < 1) return false;
  return day <= lastDay(year, month);
}

function lastDay(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Whether the time of day exists. Leap seconds are invalid. */
function isClockTime(hour: number, minute: number, second: number): boolean {
  return hour <= 23 && minute <= 59 && second <= 59;
}

type WireText = string | null | undefined;

export function parseCompactDate(text: WireText): string | null {
  const match = /^(\d{4})(\d{2})(\d{2})$/.exec(text?.trim() ?? '');
  return match ? formatDay(match[1], match[2], match[3]) : null;
}

/** Parses `31/01/2024` as `2024-01-31`. */
export function parseDayFirstDate(text: WireText): string | null {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text?.trim() ?? '');
  return match ? formatDay(match[3], match[2], match[1]) : null;
}

export function parseIsoDate(text: WireText): string | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:$|[T ])/.exec(text?.trim() ?? '');
  return match ? formatDay(match[1], match[2], match[3]) : null;
}

/** Parses `31/01/2024 13:05:59` as `2024-01-31T13:05:59`. */
export function parseDayFirstDateTime(text: WireText): string | null {
  const match = /^(\S+)\s+(\d{2}):(\d{2}):(\d{2})$/.exec(text?.trim() ?? '');
  if (!match || !isClockTime(Number(match[2]), Number(match[3]), Number(match[4]))) return null;
  const date = parseDayFirstDate(match[1]);
  return date === null ? null : `${date}T${match[2]}:${match[3]}:${match[4]}`;
}

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s?(?:(Z|UTC)|([+-])(\d{2})(?::?(\d{2}))?)$/i;

/** Parses an ISO 8601 instant with a time zone and any precision. Returns it in UTC, in milliseconds. */
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

/** Returns the months from `from` to `to`, both included. Returns none if `from` is after `to` or a month is invalid. */
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

/** Returns 23:59:59 of the current day in Mexico City, where documents valid for one day are issued. */
export function endOfDayInMexicoCity(now: Date): Date {
  return instantInMexicoCity(`${wallClock(now.getTime()).toISOString().slice(0, 10)}T23:59:59`);
}

export function instantInMexicoCity(localDateTime: string): Date {
  const target = Date.parse(`${localDateTime}Z`);
  // The offset at the first estimate may differ from the right one around a clock change.
  const near = target - zoneOffset(target);
  return new Date(target - zoneOffset(near));
}

/** Whether a month (`YYYY-MM`) has not begun in Mexico City, whose time is behind UTC. */
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

/** Returns the local time of Mexico City as a date in UTC. */
function wallClock(time: number): Date {
  const parts = new Map(CLOCK.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  return new Date(Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')));
}
