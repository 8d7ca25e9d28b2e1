/** Two weeks: what fits into the panel, and shows the last weekend. */
export const shownDays = 14;

const dayMs = 86_400_000;

/** The last days as the ledger writes them, today last. */
export function days(now: Date, timeZone: string): readonly string[] {
  // The format of Sweden is that of ISO 8601.
  const today = new Intl.DateTimeFormat('sv', { timeZone }).format(now);
  const noon = Date.parse(`${today}T12:00:00Z`);
  return Array.from({ length: shownDays }, (_, index) =>
    new Date(noon - (shownDays - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}
