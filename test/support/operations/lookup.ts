/** What every lookup of the graph tells, as a selection. */
export const lookup =
  'outcome evidence { validationCode endpoint status message checkedAt servedFrom units billing } problems { code message path retryable retryAfter }';
