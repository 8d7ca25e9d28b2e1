import { randomInt } from 'node:crypto';

/** What goes back over HTTP: bytes as they are, text as it is, anything else as JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Which of the two families of envelopes a path speaks. */
export type Face = 'common' | 'portal';

export type FieldErrors = Readonly<Record<string, readonly string[]>>;

const CODE_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function validationCode(): string {
  return Array.from({ length: 20 }, () => CODE_CHARACTERS.charAt(randomInt(CODE_CHARACTERS.length))).join('');
}

function envelope(status: number, message: string, data?: unknown): Answer {
  const head = { success: status === 200, codigoValidacion: validationCode(), message, status };
  return { status, body: data === undefined ? head : { ...head, data } };
}

/** 200 in the common envelope; without data for the one endpoint that has none. */
export function found(data?: unknown): Answer {
  return envelope(200, 'Exitoso', data);
}

export function portalFault(status: number, code: string, message: string): Answer {
  return { status, body: { ok: false, error: { code, message } } };
}

export function notFound(face: Face): Answer {
  const message = 'No se encontraron datos.';
  return face === 'common' ? envelope(404, message, []) : portalFault(404, 'NOT_FOUND', message);
}

/** A required field is missing. */
export function unprocessable(face: Face, errors: FieldErrors): Answer {
  const message = Object.values(errors)[0]?.[0] ?? 'Los datos no son válidos.';
  return face === 'common' ? { status: 422, body: { message, errors } } : portalFault(422, 'VALIDATION_ERROR', message);
}

/** A field is there and cannot be right. */
export function invalid(face: Face, errors: FieldErrors): Answer {
  if (face === 'portal') return unprocessable('portal', errors);
  return envelope(400, 'Los datos no superaron la validación algorítmica.', { errors });
}

/** Any refusal for which the interface gives no body. */
export function refused(face: Face, status: number, code: string, message: string): Answer {
  return face === 'common' ? envelope(status, message) : portalFault(status, code, message);
}

export function pdf(bytes: Buffer): Answer {
  return { status: 200, body: bytes, contentType: 'application/pdf' };
}
