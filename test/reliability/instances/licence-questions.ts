import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';

/** The answer to one question. */
export interface LicenceAnswer {
  readonly outcome: string;
  readonly servedFrom: string;
  readonly spent: number;
  readonly uncertain: number;
  /** Codes of its problems. */
  readonly problems: readonly string[];
}

export interface Asking {
  readonly headers?: Readonly<Record<string, string>>;
  /** When the client gives up. */
  readonly patienceMs?: number;
}

interface Lookup {
  readonly outcome: string;
  readonly evidence: { readonly servedFrom: string };
  readonly problems: readonly { readonly code: string }[];
}

interface Body {
  readonly data: Readonly<Record<string, Lookup>> | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
  readonly extensions?: { readonly units?: { readonly spent: number; readonly uncertain: number } };
}

const first = 1_000_000;
const field = (index: number): string =>
  `q${index}: professionalLicence(number: "${first + index}") { outcome problems { code } evidence { servedFrom } }`;

/** Questions by number, each of one unit, in one operation; null where the client had no answer of padron. */
export async function askLicences(
  url: string,
  indices: readonly number[],
  { headers = {}, patienceMs }: Asking = {},
): Promise<readonly LicenceAnswer[] | null> {
  const body = await post(url, `{ ${indices.map(field).join(' ')} }`, headers, patienceMs);
  if (body === null) return null;
  const { data, errors = [], extensions } = body;
  const refused = {
    outcome: 'REFUSED',
    servedFrom: 'NOT_SENT',
    problems: errors.map((error) => error.extensions.code),
  };
  return indices.map((index, position) => {
    const lookup = data?.[`q${index}`];
    // The units of the operation are counted with its first field.
    const units = position === 0 ? extensions?.units : undefined;
    return {
      ...(lookup == null
        ? refused
        : {
            outcome: lookup.outcome,
            servedFrom: lookup.evidence.servedFrom,
            problems: lookup.problems.map(({ code }) => code),
          }),
      spent: units?.spent ?? 0,
      uncertain: units?.uncertain ?? 0,
    };
  });
}

/** One question, once. */
export async function askLicence(url: string, index: number, asking: Asking = {}): Promise<LicenceAnswer | null> {
  return (await askLicences(url, [index], asking))?.[0] ?? null;
}

/** One question, over and over until padron answers. */
export async function askPersistently(url: string, index: number, asking: Asking = {}): Promise<LicenceAnswer> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const answer = await askLicence(url, index, asking);
    if (answer !== null) return answer;
    await sleep(pauseMs);
  }
  throw new Error(`Question ${index} was not answered.`);
}

const maxAttempts = 600;
const pauseMs = 50;

/** Returns null if the connection broke, the client gave up, or a balancer or a stopping server refused it. */
async function post(
  url: string,
  query: string,
  headers: Readonly<Record<string, string>>,
  patienceMs: number | undefined,
): Promise<Body | null> {
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}`, ...headers },
      body: JSON.stringify({ query }),
      ...(patienceMs === undefined ? {} : { signal: AbortSignal.timeout(patienceMs) }),
    });
    const text = await response.body.text();
    return response.statusCode >= 500 ? null : (JSON.parse(text) as Body);
  } catch {
    return null;
  }
}
