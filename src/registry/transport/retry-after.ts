import { getHeader, type ResponseHeaders } from './transport';

/** Seconds that a `retry-after` header asks to wait, also as an HTTP date; null when there is none to read. */
export function parseRetryAfter(headers: ResponseHeaders): number | null {
  const value = (getHeader(headers, 'retry-after') ?? '').trim();
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // Date.parse makes a date of nearly anything: of «1.5» too, which would read as «at once».
  const date = value.endsWith('GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.min(maxWaitSeconds, Math.max(0, Math.ceil((date - Date.now()) / 1000)));
}

/** Seconds of nine digits, as the header can say them: the graph's integers hold no more than ten. */
const maxWaitSeconds = 999_999_999;
