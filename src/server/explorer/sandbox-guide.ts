import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import type { SandboxGuide } from './settings';

const timeoutMs = 3_000;
/** Milliseconds that a result is reused. */
const reuseMs = 30_000;

const peopleFile = join(__dirname, '../..', '..', 'schema', 'examples', 'people.csv');

/**
 * Returns a function that fetches the guide of a sandbox, or null from any other service. A sandbox identifies itself in a header. The
 * request has no token, and is only sent over plain HTTP, which is all that the sandbox supports.
 */
export function guideReader(serviceUrl: string): () => Promise<SandboxGuide | null> {
  const url = new URL('/sandbox/guide', serviceUrl);
  let guide: Promise<SandboxGuide | null> = Promise.resolve(null);
  let fetchedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (url.protocol === 'http:' && now - fetchedAt > reuseMs) {
      fetchedAt = now;
      guide = fetchGuide(url);
    }
    return guide;
  };
}

async function fetchGuide(url: URL): Promise<SandboxGuide | null> {
  try {
    const { statusCode, headers, body } = await request(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (statusCode === 200 && headers['x-registry-service'] === 'sandbox')
      return { ...((await body.json()) as SandboxGuide), peopleCsv: readFileSync(peopleFile, 'utf8') };
    await body.dump();
  } catch {
    // The service is unavailable, so it is treated as any other service.
  }
  return null;
}
