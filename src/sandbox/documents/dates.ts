/** A civil day and time of day, with each part padded with zeros. */
export interface CivilTime {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly time: string;
}

/** Returns the local time of Mexico City at an instant. A document's day of issue is in this time zone. */
export function toMexicoCityTime(instant: Date): CivilTime {
  const parts = new Intl.DateTimeFormat('en-US-u-hc-h23', {
    timeZone: 'America/Mexico_City',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(instant);
  const getPart = (type: Intl.DateTimeFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? '';
  return {
    year: getPart('year'),
    month: getPart('month'),
    day: getPart('day'),
    time: `${getPart('hour')}:${getPart('minute')}:${getPart('second')}`,
  };
}

/** Returns the day of a date without time, which the sandbox stores as an instant in UTC. */
export function toCivilDay(date: Date): CivilTime {
  const [year = '', month = '', day = ''] = date.toISOString().slice(0, 10).split('-');
  return { year, month, day, time: '12:00:00' };
}

/** Returns a day as the registries print it: '17/09/2026'. */
export function formatDay({ day, month, year }: CivilTime): string {
  return `${day}/${month}/${year}`;
}
