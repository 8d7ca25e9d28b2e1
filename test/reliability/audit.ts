import { type AuditResult, serverAudits } from 'graphql-http';

/** The number of passed audits, and the messages of the others. Wishes are optional. */
export interface Audited {
  readonly passed: number;
  readonly wishes: readonly string[];
  readonly faults: readonly string[];
}

/** Runs the audit of graphql-http, with additional headers in each request. */
export async function audit(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Audited> {
  const fetchFn = (address: string, init: RequestInit = {}): Promise<Response> =>
    fetch(address, { ...init, headers: { ...headers, ...Object.fromEntries(new Headers(init.headers)) } });
  const results: AuditResult[] = [];
  for (const each of serverAudits({ url, fetchFn })) results.push(await each.fn());
  const resultsWith = (wanted: readonly string[]): readonly string[] =>
    results.flatMap((result) =>
      wanted.includes(result.status) ? [`${result.status} ${result.id} ${result.name}`] : [],
    );
  return {
    passed: resultsWith(['ok']).length,
    wishes: resultsWith(['notice']),
    faults: resultsWith(['warn', 'error']),
  };
}
