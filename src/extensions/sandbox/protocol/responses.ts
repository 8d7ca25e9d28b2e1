import { randomInt } from 'node:crypto';

/** An HTTP response. Bytes and text are sent unchanged, any other body as JSON. */
export interface ServiceResponse {
  readonly status: number;
  readonly body: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Envelope of a path's responses: that of /api or that of /private. */
export type Protocol = 'common' | 'portal';

export type FieldErrors = Readonly<Record<string, readonly string[]>>;

const CODE_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function makeValidationCode(): string {
  return Array.from({ length: 20 }, () => CODE_CHARACTERS.charAt(randomInt(CODE_CHARACTERS.length))).join('');
}

function commonEnvelope(status: number, message: string, data?: unknown): ServiceResponse {
  const head = { success: status === 200, codigoValidacion: makeValidationCode(), message, status };
  return { status, body: data === undefined ? head : { ...head, data } };
}

/** Returns 200 in the common envelope. One endpoint answers without data. */
export function found(data?: unknown): ServiceResponse {
  return commonEnvelope(200, 'Exitoso', data);
}

export function portalError(status: number, code: string, message: string): ServiceResponse {
  return { status, body: { ok: false, error: { code, message } } };
}

export function notFound(protocol: Protocol): ServiceResponse {
  const message = 'No se encontraron datos.';
  return protocol === 'common' ? commonEnvelope(404, message, []) : portalError(404, 'NOT_FOUND', message);
}

export function unprocessable(protocol: Protocol, errors: FieldErrors): ServiceResponse {
  const message = Object.values(errors)[0]?.[0] ?? 'Los datos no son válidos.';
  return protocol === 'common'
    ? { status: 422, body: { message, errors } }
    : portalError(422, 'VALIDATION_ERROR', message);
}

export function invalid(protocol: Protocol, errors: FieldErrors): ServiceResponse {
  if (protocol === 'portal') return unprocessable('portal', errors);
  return commonEnvelope(400, 'Los datos no superaron la validación algorítmica.', { errors });
}

/** Returns a rejection whose body the interface does not document. */
export function rejected(protocol: Protocol, status: number, code: string, message: string): ServiceResponse {
  return protocol === 'common' ? commonEnvelope(status, message) : portalError(status, code, message);
}

export function pdfResponse(bytes: Buffer): ServiceResponse {
  return { status: 200, body: bytes, contentType: 'application/pdf' };
}
