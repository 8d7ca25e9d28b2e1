export const lookup =
  'outcome evidence { validationCode endpoint status message checkedAt servedFrom units billing } problems { code message path retryable retryAfter }';
