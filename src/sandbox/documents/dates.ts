/** A civil day and time of day, each part already padded with zeros. */
export interface CivilTime {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly time: string;
}

/** The wall clock of Mexico City at an instant: the zone by which a document's day of issue is counted. */
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

/** The day of a date without time, which the sandbox keeps as an instant of that day in UTC. */
export function toCivilDay(date: Date): CivilTime {
  const [year = '', month = '', day = ''] = date.toISOString().slice(0, 10).split('-');
  return { year, month, day, time: '12:00:00' };
}

/** '17/09/2026', as the registries print a day. */
export function formatDay({ day, month, year }: CivilTime): string {
  return `${day}/${month}/${year}`;
}
