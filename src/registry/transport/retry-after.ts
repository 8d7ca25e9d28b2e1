import { getHeader, type ResponseHeaders } from './transport';

/** Returns the seconds of a `retry-after` header, which may also be an HTTP date. Null if it is absent or unreadable. */
export function parseRetryAfter(headers: ResponseHeaders): number | null {
  const value = (getHeader(headers, 'retry-after') ?? '').trim();
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // Date.parse accepts nearly any text. It would read `1.5` as a date in the past.
  const date = value.endsWith('GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.min(maxWaitSeconds, Math.max(0, Math.ceil((date - Date.now()) / 1000)));
}

/** Maximum seconds: nine digits, because an Int of GraphQL has at most ten. */
const maxWaitSeconds = 999_999_999;
