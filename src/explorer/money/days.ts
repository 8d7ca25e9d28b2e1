/** Number of days that the panel shows. */
export const shownDays = 14;

const dayMs = 86_400_000;

/** Returns the last days in the ledger's format, with today last. */
export function days(now: Date, timeZone: string): readonly string[] {
  // The Swedish date format is ISO 8601.
  const today = new Intl.DateTimeFormat('sv', { timeZone }).format(now);
  const noon = Date.parse(`${today}T12:00:00Z`);
  return Array.from({ length: shownDays }, (_, index) =>
    new Date(noon - (shownDays - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}
