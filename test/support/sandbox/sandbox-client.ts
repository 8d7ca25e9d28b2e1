import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import type { Sandbox } from '../../../src/extensions/sandbox/service';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface SandboxClient {
  /** An endpoint under /api: inputs in the query. */
  query(
    path: string,
    input?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  /** An endpoint under /private: inputs in the body. */
  json(path: string, input: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  get(path: string): Promise<Reply>;
  form(path: string, parts: Readonly<Record<string, string | Buffer>>): Promise<Reply>;
}

async function toReply(response: Response): Promise<Reply> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** Speaks to a sandbox with one token; `null` sends none. */
export function createSandboxClient(sandbox: Sandbox, token: string | null = SANDBOX_TOKEN): SandboxClient {
  const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const ask = async (path: string, init: RequestInit): Promise<Reply> =>
    toReply(await fetch(new URL(path, sandbox.url), { ...init, headers: { ...authorization, ...init.headers } }));
  return {
    query: (path, input = {}, headers = {}) =>
      ask(`${path}?${new URLSearchParams(input)}`, { method: 'POST', headers }),
    json: (path, input, headers = {}) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(input),
      }),
    get: (path) => ask(path, { method: 'GET' }),
    form(path, parts) {
      const body = new FormData();
      for (const [name, part] of Object.entries(parts)) {
        body.set(name, typeof part === 'string' ? part : new Blob([new Uint8Array(part)]));
      }
      return ask(path, { method: 'POST', body });
    },
  };
}
