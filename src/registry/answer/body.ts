import { isPortalCode } from './problem';

/** A JSON object as it came. */
export type Body = Readonly<Record<string, unknown>>;

/** The service's own words around an answer. */
export interface EnvelopeMeta {
  readonly validationCode: string | null;
  readonly message: string | null;
}

/** Parses a body. Returns null if it is not a JSON object. */
export function readBody(bytes: Buffer): Body | null {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Strict, so that an answer in another charset is unusable instead of garbled; a byte order mark is dropped. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The status that the body repeats; the service writes some of its integers as text. */
export function bodyStatus({ status }: Body): number | null {
  if (typeof status === 'number') return status;
  return typeof status === 'string' && /^\d{3}$/.test(status) ? Number(status) : null;
}

/** Returns the portal's error code if it is documented. */
export function portalCode(body: Body | null) {
  const code = body !== null && isObject(body.error) ? body.error.code : undefined;
  return typeof code === 'string' && isPortalCode(code) ? code : null;
}

/** Statuses by which the service turns a caller away, whose bodies the interface leaves open. */
const rejectionStatuses: ReadonlySet<number> = new Set([400, 401, 402, 403, 422, 429]);

/** Whether these are words for callers: an envelope of the service, not what broke behind it (a debug page, another server). */
export function isServiceEnvelope(body: Body, status: number): boolean {
  return typeof body.success === 'boolean' || typeof body.ok === 'boolean' || rejectionStatuses.has(status);
}

export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
