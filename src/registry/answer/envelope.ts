import { isObject } from '../../identifiers/json-value';
import type { AnyEndpoint, FileAnswer } from '../endpoint/endpoint';
import { getHeader, type HttpResponse, parseRetryAfter } from '../transport/transport';
import { isPortalCode, type Problem, problem } from './problem';
import { type ReadPayload, readPayload } from './read-payload';

export type ParsedEnvelope =
  | (Partial<ReadPayload> & { readonly kind: 'found' | 'empty'; readonly meta: EnvelopeMeta })
  | {
      readonly kind: 'rejected';
      readonly problems: readonly Problem[];
      readonly failsValidation: boolean;
      readonly meta: EnvelopeMeta;
    }
  | {
      readonly kind: 'forbidden' | 'unauthenticated' | 'sessionMissing';
      readonly problems: readonly Problem[];
      readonly meta: EnvelopeMeta;
    }
  | { readonly kind: 'rateLimited'; readonly retryAfter: number | null; readonly meta: EnvelopeMeta }
  | {
      readonly kind: 'failed' | 'declined' | 'unusable';
      readonly problems: readonly Problem[];
      readonly meta: EnvelopeMeta;
    };

/** Statuses whose body decides what they mean. */
const bodyStatuses: ReadonlySet<number> = new Set([200, 400, 404, 422]);

/** Statuses of temporary refusals: a slow request, a conflict, a lock, or a request that is too early. */
const passingStatuses: ReadonlySet<number> = new Set([408, 409, 423, 425]);

const noMeta: EnvelopeMeta = { validationCode: null, message: null };

/** Parses an answer by its status and its documented body. An undocumented body is unusable, never «not found». */
export function parseEnvelope(endpoint: AnyEndpoint, response: HttpResponse): ParsedEnvelope {
  const { status } = response;
  if (status === 200 && endpoint.envelope === 'file') return parseFile(response);
  const body = readBody(response.body);
  const meta = body === null || !isServiceEnvelope(body, status) ? noMeta : metaOf(body);
  const isRefusal = status >= 400 && status < 500 && status !== 404;
  if (isRefusal && !isServiceError(body, status)) {
    const message = `HTTP ${status} with a body that is not from the service. A firewall or a proxy may have replaced its answer.`;
    const spanish = `llegó HTTP ${status} con un cuerpo que no es del servicio; quizá un cortafuegos o un proxy sustituyó su respuesta.`;
    return unusable(message, spanish, noMeta);
  }
  if (status === 429) return { kind: 'rateLimited', retryAfter: parseRetryAfter(response.headers), meta };
  const sessionCode = status >= 400 && status < 500 ? portalSessionCode(body) : null;
  if (sessionCode !== null) return { kind: 'sessionMissing', problems: [problem(sessionCode)], meta };
  if (status === 401) return parseUnauthorized(body, meta);
  if (status === 403)
    return { kind: 'forbidden', problems: [permissionProblem(endpoint, isServiceRefusal(response))], meta };
  if (status >= 500) {
    const retryAfter = parseRetryAfter(response.headers);
    return { kind: 'failed', problems: [problem(portalCode(body) ?? 'REGISTRY_ERROR', { retryAfter })], meta };
  }
  if (status >= 400 && !bodyStatuses.has(status)) return { kind: 'declined', problems: [declined(response)], meta };
  if (!bodyStatuses.has(status))
    return unusable(`Unexpected HTTP status ${status}.`, `llegó el estado HTTP ${status}.`, meta);
  if (body === null) return unusable('The body is not a JSON object.', 'no es un objeto JSON.', noMeta);
  if ((bodyStatus(body) ?? status) !== status) {
    return unusable('The status in the body differs from the HTTP status.', 'su estado no es el de HTTP.', meta);
  }
  if (status === 404)
    return isDocumentedNothing(endpoint, body)
      ? { kind: 'empty', payload: null, meta }
      : unusable('A 404 without the documented body.', 'es un 404 sin el cuerpo documentado.', meta);
  if (status === 400 || status === 422) {
    const problems = fieldProblems(endpoint, body, meta);
    return { kind: 'rejected', problems, failsValidation: failsValidation(status, body), meta };
  }
  return parsePayload(endpoint, body, meta);
}

function parsePayload(endpoint: AnyEndpoint, body: Body, meta: EnvelopeMeta): ParsedEnvelope {
  if (endpoint.envelope === 'document') {
    if (body.ok !== true) return unusable('`ok` is not true.', '`ok` no es true.', meta);
    return parseRecord(endpoint, body, meta);
  }
  if (body.success !== true) return unusable('`success` is not true.', '`success` no es true.', meta);
  if (endpoint.envelope === 'confirmation') return { kind: 'found', payload: true, meta };
  const { data } = body;
  if (Array.isArray(data) && data.length === 0)
    return { kind: 'empty', payload: endpoint.envelope === 'list' ? [] : null, meta };
  return parseRecord(endpoint, toRecord(endpoint, data), meta);
}

/** Returns the record or the list of an answer. The real service wraps single records in an array of one, and a list of one may be an object. */
function toRecord({ envelope }: AnyEndpoint, data: unknown): unknown {
  if (envelope === 'list') return isObject(data) ? [data] : data;
  return Array.isArray(data) && data.length === 1 ? data[0] : data;
}

function parseRecord(endpoint: AnyEndpoint, value: unknown, meta: EnvelopeMeta): ParsedEnvelope {
  const read = readPayload(endpoint.schema, value);
  if ('places' in read) {
    const where = read.places.filter(Boolean).slice(0, 3).join(', ') || 'data';
    return unusable(`The answer does not have the documented shape at: ${where}.`, `difiere en ${where}.`, meta);
  }
  const empty = endpoint.isEmpty?.(read.payload) === true;
  return { kind: empty ? 'empty' : 'found', ...read, meta };
}

function parseFile(response: HttpResponse): ParsedEnvelope {
  const contentType = (getHeader(response.headers, 'content-type') ?? '').split(';')[0]?.trim() ?? '';
  const isPdf = response.body.subarray(0, 5).toString('latin1') === '%PDF-';
  if (!isPdf) return unusable('The body is not a PDF.', 'no es un PDF.', noMeta);
  const disposition = getHeader(response.headers, 'content-disposition') ?? '';
  const filename = /filename="?([^";]+)"?/i.exec(disposition)?.[1] ?? null;
  const payload: FileAnswer = { bytes: response.body, contentType: contentType || 'application/pdf', filename };
  return { kind: 'found', payload, meta: noMeta };
}

/** Returns the code of a missing or expired session, whatever the status. Such an answer is about neither a permission nor the input. */
function portalSessionCode(body: Body | null) {
  const code = portalCode(body);
  return code === 'IMSS_SESSION_REQUIRED' || code === 'IMSS_SESSION_EXPIRED' ? code : null;
}

/** Returns the problem of a 4xx without a documented body. */
function declined({ status, headers }: HttpResponse): Problem {
  if (status === 402) return problem('INSUFFICIENT_UNITS');
  if (passingStatuses.has(status)) return problem('REGISTRY_ERROR', { retryAfter: parseRetryAfter(headers) });
  return problem('REGISTRY_DECLINED', {
    message: `The registry service declined the request (HTTP ${status}).`,
    spanish: `El servicio de registros se negó a responder (HTTP ${status}).`,
  });
}

function parseUnauthorized(body: Body | null, meta: EnvelopeMeta): ParsedEnvelope {
  const code = portalCode(body);
  if (code === null) return { kind: 'unauthenticated', problems: [], meta };
  return { kind: 'sessionMissing', problems: [problem(code)], meta };
}

/**
 * Whether the body is a documented 404: `{success, status: 404, data: []}`, or `{ok: false}` outside /api. With `success: false`, `data` may be an
 * object of a newer service, which is not a record.
 */
function isDocumentedNothing(endpoint: AnyEndpoint, body: Body): boolean {
  if (!endpoint.path.startsWith('/api/') && body.ok === false) return true;
  if (typeof body.success !== 'boolean' || bodyStatus(body) !== 404) return false;
  return isNothing(body.data) || (body.success === false && isObject(body.data));
}

function isNothing(data: unknown): boolean {
  if (data === undefined || data === null) return true;
  return typeof data === 'object' && Object.keys(data).length === 0;
}

function permissionProblem(endpoint: AnyEndpoint, isCertain: boolean): Problem {
  const { permission } = endpoint;
  if (!isCertain)
    return problem('MISSING_PERMISSION', {
      message: `HTTP 403 without the body that the service documents. The account may lack ${permission === null ? 'a permission' : `the permission \`${permission}\``}, or a firewall or a proxy rejected the call.`,
      spanish: `HTTP 403 sin el cuerpo que el servicio documenta. Es posible que a la cuenta le falte ${permission === null ? 'un permiso' : `el permiso \`${permission}\``}, o que un cortafuegos o un proxy haya rechazado la consulta.`,
    });
  if (permission === null) return problem('MISSING_PERMISSION');
  return problem('MISSING_PERMISSION', {
    message: `The account lacks the permission \`${permission}\`.`,
    spanish: `La cuenta no tiene el permiso \`${permission}\`.`,
  });
}

function metaOf(body: Body): EnvelopeMeta {
  const error = isObject(body.error) ? body.error.message : undefined;
  return { validationCode: textOrNull(body.codigoValidacion), message: textOrNull(body.message) ?? textOrNull(error) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

export function unusable(message: string, spanish: string, meta: EnvelopeMeta): ParsedEnvelope {
  return { kind: 'unusable', problems: [unusableAnswer(message, spanish)], meta };
}

export const unusableAnswer = (message: string, spanish: string): Problem =>
  problem('UNUSABLE_ANSWER', {
    message: `Not what the service documents: ${message}`,
    spanish: `La respuesta no tiene la forma esperada: ${spanish}`,
  });

/** Returns a problem for each rejected parameter, with the service's message and the path of the graph's argument. */
function fieldProblems(endpoint: AnyEndpoint, body: Body, meta: EnvelopeMeta): readonly Problem[] {
  const code = portalCode(body) === 'IMSS_INCONSISTENT_DATA' ? 'IMSS_INCONSISTENT_DATA' : 'REJECTED_BY_REGISTRY';
  const errors = fieldErrors(body);
  const problems = Object.entries(errors).map(([parameter, messages]) => {
    const path = Object.hasOwn(endpoint.argumentPaths, parameter) ? endpoint.argumentPaths[parameter] : undefined;
    const message = messages.join(' ') || meta.message;
    return problem(code, { ...(message === null ? {} : { message }), ...(path === undefined ? {} : { path }) });
  });
  if (problems.length > 0) return problems;
  return [problem(code, meta.message === null ? {} : { message: meta.message })];
}

/** Returns the field errors from their two documented places: `data.errors` (400) and `errors` (422). */
function fieldErrors(body: Body): Readonly<Record<string, readonly string[]>> {
  const data = isObject(body.data) ? body.data.errors : undefined;
  const errors = isObject(data) ? data : body.errors;
  if (!isObject(errors)) return {};
  return Object.fromEntries(
    Object.entries(errors).map(([parameter, messages]) => [
      parameter,
      (Array.isArray(messages) ? messages : [messages]).filter((message) => typeof message === 'string'),
    ]),
  );
}

/**
 * Whether the body is an error of the service: its documented envelope with a message, a message alone, or `{ok: false, error}`. Any other
 * body may have replaced an answer that was charged.
 */
export function isServiceError(body: Body | null, status: number): body is Body {
  if (body === null || (bodyStatus(body) ?? status) !== status) return false;
  return typeof body.message === 'string' || (body.ok === false && isObject(body.error));
}

/**
 * Whether a refusal certainly comes from the service, and not from a firewall or a proxy: its body is an error envelope with a message,
 * a 422 that names fields, or a 403 that says that the user lacks a permission.
 */
export function isServiceRefusal({ status, body: bytes }: HttpResponse): boolean {
  const body = readBody(bytes);
  if (!isServiceError(body, status)) return false;
  if (status === 403 && typeof body.message === 'string' && deniesUser.test(body.message)) return true;
  if (body.ok === false) return isObject(body.error) && typeof body.error.message === 'string';
  return typeof body.message === 'string' && (body.success === false || (status === 422 && namesFields(body)));
}

/** Matches the message of Laravel for a user without a permission. A firewall or a proxy does not mention the user. */
const deniesUser = /\b(?:user|account|usuario|cuenta)\b.*\b(?:rights?|permissions?|permisos?)\b/i;

const namesFields = (body: Body): boolean => Object.values(fieldErrors(body)).some((messages) => messages.length > 0);

/**
 * Whether a refusal means that the service found the data invalid: 400, `success: false` and `data.errors`. A 422 names
 * missing parameters, and another 400 means that the service did not understand the request.
 */
function failsValidation(status: number, body: Body): boolean {
  if (status !== 400 || bodyStatus(body) !== 400 || body.success !== false || !isObject(body.data)) return false;
  return isObject(body.data.errors) && namesFields(body);
}

export type Body = Readonly<Record<string, unknown>>;

interface EnvelopeMeta {
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
function bodyStatus({ status }: Body): number | null {
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
function isServiceEnvelope(body: Body, status: number): boolean {
  return typeof body.success === 'boolean' || typeof body.ok === 'boolean' || rejectionStatuses.has(status);
}
