// British English prints days as Mexican documents do.
const mexicoCity = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'America/Mexico_City',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** Returns the day and the time of Mexico City at an instant: '17/09/2026' and '12:30:05'. */
export function toMexicoCityTime(instant: Date): { readonly day: string; readonly time: string } {
  const [day = '', time = ''] = mexicoCity.format(instant).split(', ');
  return { day, time };
}

/** Returns a day `YYYY-MM-DD` as the registries print it: '17/09/2026'. */
export const toDayFirst = (day: string): string => day.split('-').reverse().join('/');
