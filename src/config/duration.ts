/** Returns the milliseconds of a duration such as `2s`, `1.5s` or `800ms`, or null if the text is not a duration. */
export function parseDuration(text: string): number | null {
  const [, digits, unit] = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s)$/.exec(text.trim()) ?? [];
  return digits === undefined ? null : Math.round(Number(digits) * (unit === 's' ? 1_000 : 1));
}
