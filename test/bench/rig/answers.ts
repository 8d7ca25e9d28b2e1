import { createHash } from 'node:crypto';

/** Members that differ from run to run, or between a paid answer and a shared one. */
const volatile: ReadonlySet<string> = new Set(['checkedAt', 'servedFrom', 'units', 'billing']);

/** Returns a checksum of the stable part of an answer, or null if it is not an answer or has errors. */
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
