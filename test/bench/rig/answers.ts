import { createHash } from 'node:crypto';

/** What differs from run to run, or between who paid for an answer and who shared it. */
const volatile: ReadonlySet<string> = new Set(['checkedAt', 'servedFrom', 'units', 'billing']);

/** A checksum of the stable part of an answer; null for what is no answer, or has errors. */
export function checksum(text: string): string | null {
  try {
    const { data, errors } = JSON.parse(text) as { readonly data?: unknown; readonly errors?: unknown };
    if (errors !== undefined || data === undefined || data === null) return null;
    const stable = JSON.stringify(data, (name, value: unknown) => (volatile.has(name) ? undefined : value));
    return createHash('sha1').update(stable).digest('base64');
  } catch {
    return null;
  }
}
