/** The selection of the fields that every lookup has. */
export const lookup =
  'outcome evidence { validationCode endpoint status message checkedAt servedFrom units billing } problems { code message path retryable retryAfter }';
