import { type AuditResult, serverAudits } from 'graphql-http';

/**
 * Runs the audit of graphql-http, with additional headers in each request. Returns the number of passed audits, and the messages of the
 * others. Wishes are optional.
 */
export async function audit(url: string, headers: Readonly<Record<string, string>> = {}) {
  const fetchFn = (address: string, init: RequestInit = {}): Promise<Response> =>
    fetch(address, { ...init, headers: { ...headers, ...Object.fromEntries(new Headers(init.headers)) } });
  const results: AuditResult[] = [];
  for (const each of serverAudits({ url, fetchFn })) results.push(await each.fn());
  const resultsWith = (...wanted: readonly string[]): readonly string[] =>
    results.filter(({ status }) => wanted.includes(status)).map(({ status, id, name }) => `${status} ${id} ${name}`);
  return { passed: resultsWith('ok').length, wishes: resultsWith('notice'), faults: resultsWith('warn', 'error') };
}
