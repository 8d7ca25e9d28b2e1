import { request } from 'undici';

const timeoutMs = 1_000;
/** Milliseconds that a result is reused. */
const reuseMs = 30_000;

/**
 * Checks whether the configured service is the separate sandbox, which identifies itself in a header of its own
 * path. The request has no token, and is only sent over plain HTTP, which is all that the sandbox supports.
 */
export class RemoteSandbox {
  private readonly url: URL | null;
  private result: Promise<boolean> = Promise.resolve(false);
  private checkedAt = Number.NEGATIVE_INFINITY;

  constructor(registryUrl: string | null) {
    const url = registryUrl === null ? null : new URL('/sandbox', registryUrl);
    this.url = url?.protocol === 'http:' ? url : null;
  }

  isSandbox(): Promise<boolean> {
    if (this.url === null) return this.result;
    const now = performance.now();
    if (now - this.checkedAt > reuseMs) {
      this.checkedAt = now;
      this.result = check(this.url);
    }
    return this.result;
  }
}

async function check(url: URL): Promise<boolean> {
  try {
    const { statusCode, headers, body } = await request(url, { signal: AbortSignal.timeout(timeoutMs) });
    await body.dump();
    return statusCode === 200 && headers['x-registry-service'] === 'sandbox';
  } catch {
    return false;
  }
}
