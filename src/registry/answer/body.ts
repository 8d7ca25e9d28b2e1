import { isPortalCode } from './problem';

export type Body = Readonly<Record<string, unknown>>;

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

/** Strict decoder: an answer in another charset is unusable instead of garbled. A byte order mark is removed. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the status in the body. The service writes some of its integers as text. */
export function bodyStatus({ status }: Body): number | null {
  if (typeof status === 'number') return status;
  return typeof status === 'string' && /^\d{3}$/.test(status) ? Number(status) : null;
}

/** Returns the portal's error code if it is documented. */
export function portalCode(body: Body | null) {
  const code = body !== null && isObject(body.error) ? body.error.code : undefined;
  return typeof code === 'string' && isPortalCode(code) ? code : null;
}

/** Statuses of refusals. The interface does not specify their bodies. */
const rejectionStatuses: ReadonlySet<number> = new Set([400, 401, 402, 403, 422, 429]);

/** Whether the body is an envelope of the service, and not for example a debug page or an answer of another server. */
export function isServiceEnvelope(body: Body, status: number): boolean {
  return typeof body.success === 'boolean' || typeof body.ok === 'boolean' || rejectionStatuses.has(status);
}

export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
