/** Number of days that the chart shows. */
const shownDays = 14;

/** Number of months that the user can choose from. */
const shownMonths = 13;

const dayMs = 86_400_000;

/** Returns the last days in the ledger's format, with today last. */
export function lastDays(now: Date, timeZone: string): readonly string[] {
  const noon = Date.parse(`${today(now, timeZone)}T12:00:00Z`);
  return Array.from({ length: shownDays }, (_, index) =>
    new Date(noon - (shownDays - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

/** Returns the last months in the ledger's format, with the current month first. */
export function lastMonths(now: Date, timeZone: string): readonly string[] {
  const month = today(now, timeZone).slice(0, 7);
  return Array.from({ length: shownMonths }, (_, index) => addMonths(month, -index));
}

export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

/** Returns the first day of a month. */
export const firstDay = (month: string): string => `${month}-01`;

// The Swedish date format is ISO 8601.
const today = (now: Date, timeZone: string): string => new Intl.DateTimeFormat('sv', { timeZone }).format(now);
