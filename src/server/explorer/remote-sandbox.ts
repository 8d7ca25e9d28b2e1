import { request } from 'undici';

const timeoutMs = 1_000;
const keptMs = 30_000;

/**
 * Finds out whether the configured service is the separate sandbox, which identifies itself in a header of its own
 * path. The request has no token, and is only sent over plain HTTP, which is all that the sandbox supports.
 */
export class RemoteSandbox {
  private readonly url: URL | null;
  private verdict: Promise<boolean> = Promise.resolve(false);
  private askedAt = Number.NEGATIVE_INFINITY;

  constructor(registryUrl: string | null) {
    const url = registryUrl === null ? null : new URL('/sandbox', registryUrl);
    this.url = url?.protocol === 'http:' ? url : null;
  }

  isThere(): Promise<boolean> {
    if (this.url === null) return this.verdict;
    const now = performance.now();
    if (now - this.askedAt > keptMs) {
      this.askedAt = now;
      this.verdict = ask(this.url);
    }
    return this.verdict;
  }
}

async function ask(url: URL): Promise<boolean> {
  try {
    const { statusCode, headers, body } = await request(url, { signal: AbortSignal.timeout(timeoutMs) });
    await body.dump();
    return statusCode === 200 && headers['x-registry-service'] === 'sandbox';
  } catch {
    return false;
  }
}
