/** An answer of the service as it came over HTTP. */
export interface Recorded {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns a key of a request that does not depend on the order of its parameters. */
export function recordKey(method: string, url: string, body: string): string {
  const [path = '', search = ''] = url.split('?');
  const query = [...new URLSearchParams(search)].filter(([, value]) => value !== '');
  const parts: [string, unknown][] = body === '' ? query : Object.entries(JSON.parse(body) as object);
  const sorted = parts
    .map(([name, value]) => [name, String(value)])
    .sort(([left = ''], [right = '']) => (left < right ? -1 : 1));
  return `${method} ${path} ${JSON.stringify(sorted)}`;
}
