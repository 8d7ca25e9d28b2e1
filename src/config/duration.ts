const maxMs = 60_000;

/** Returns the milliseconds of a duration such as `2s`, `1.5s` or `800ms`. Returns null for other texts, and above 60 seconds. */
export function parseDuration(text: string): number | null {
  const [, digits, unit] = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s)$/.exec(text.trim()) ?? [];
  const milliseconds = Math.round(Number(digits) * (unit === 's' ? 1_000 : 1));
  return digits === undefined || milliseconds > maxMs ? null : milliseconds;
}
