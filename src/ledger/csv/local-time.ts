/** Returns a function that writes moments in the local time of a time zone with its offset, such as 2026-01-31T21:00:00.000-06:00. */
export function createLocalTime(timeZone: string): (moment: Date) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    timeZoneName: 'longOffset',
  });
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
    const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? '';
    // The offset is GMT-06:00, and GMT alone for UTC.
    const offset = part('timeZoneName').replace('GMT', '') || '+00:00';
    const time = `${part('hour')}:${part('minute')}:${part('second')}.${part('fractionalSecond')}`;
    return `${part('year')}-${part('month')}-${part('day')}T${time}${offset}`;
  };
}
