import type { ZodType } from 'zod';
import type { AnyEndpoint, FileAnswer } from '../endpoint/endpoint';
import { parseRetryAfter } from '../transport/retry-after';
import { getHeader, type HttpResponse } from '../transport/transport';
import { isPortalCode, type Problem, problem } from './problem';

/** What a body says once its envelope is open, before anyone speaks of money. */
export type ParsedEnvelope =
  | { readonly kind: 'found' | 'empty'; readonly payload: unknown; readonly meta: EnvelopeMeta }
  | {
      readonly kind: 'rejected' | 'forbidden' | 'unauthenticated' | 'sessionMissing';
      readonly problems: readonly Problem[];
      readonly meta: EnvelopeMeta;
    }
  | { readonly kind: 'rateLimited'; readonly retryAfter: number | null; readonly meta: EnvelopeMeta }
  | {
      readonly kind: 'failed' | 'declined' | 'unusable';
      readonly problems: readonly Problem[];
      readonly meta: EnvelopeMeta;
    };

/** The service's own words around an answer. */
export interface EnvelopeMeta {
  readonly validationCode: string | null;
  readonly message: string | null;
}

type Body = Readonly<Record<string, unknown>>;

const noMeta: EnvelopeMeta = { validationCode: null, message: null };

/** Opens an answer by its status and its documented body; whatever is not documented is unusable, never «not found». */
export function parseEnvelope(endpoint: AnyEndpoint, response: HttpResponse): ParsedEnvelope {
  const { status } = response;
  if (status === 200 && endpoint.envelope === 'file') return parseFile(response);
  const body = readBody(response.body);
  const meta = body === null || !isServiceEnvelope(body, status) ? noMeta : metaOf(body);
  if (status === 429) return { kind: 'rateLimited', retryAfter: parseRetryAfter(response.headers), meta };
  if (status === 401) return parseUnauthorized(body, meta);
  if (status === 403) return { kind: 'forbidden', problems: [permissionProblem(endpoint)], meta };
  if (status >= 500) return { kind: 'failed', problems: [problem(portalCode(body) ?? 'REGISTRY_ERROR')], meta };
  if (status > 400 && status < 500 && status !== 404 && status !== 422) {
    return { kind: 'declined', problems: [problem('REGISTRY_ERROR')], meta };
  }
  if (body === null) return unusable('The body is not a JSON object.', noMeta);
  if ((bodyStatus(body) ?? status) !== status) {
    return unusable('The status in the body differs from the HTTP status.', meta);
  }
  if (status === 404)
    return isDocumentedNothing(endpoint, body)
      ? { kind: 'empty', payload: null, meta }
      : unusable('A 404 without the documented body.', meta);
  if (status === 400 || status === 422)
    return { kind: 'rejected', problems: fieldProblems(endpoint, body, meta), meta };
  if (status !== 200) return unusable(`Unexpected HTTP status ${status}.`, meta);
  return parsePayload(endpoint, body, meta);
}

function parsePayload(endpoint: AnyEndpoint, body: Body, meta: EnvelopeMeta): ParsedEnvelope {
  if (endpoint.envelope === 'document') {
    if (body.ok !== true) return unusable('`ok` is not true.', meta);
    return parseRecord(endpoint, body, meta);
  }
  if (body.success !== true) return unusable('`success` is not true.', meta);
  if (endpoint.envelope === 'confirmation') return { kind: 'found', payload: true, meta };
  const { data } = body;
  if (Array.isArray(data) && data.length === 0)
    return { kind: 'empty', payload: endpoint.envelope === 'list' ? [] : null, meta };
  // The real service wraps single records in an array of one.
  const record = endpoint.envelope === 'record' && Array.isArray(data) && data.length === 1 ? data[0] : data;
  return parseRecord(endpoint, record, meta);
}

function parseRecord(endpoint: AnyEndpoint, value: unknown, meta: EnvelopeMeta): ParsedEnvelope {
  const schema: ZodType = endpoint.schema;
  const { data: payload, error } = schema.safeParse(value);
  if (error !== undefined) {
    const where = error.issues.map((issue) => issue.path.join('.') || 'data').slice(0, 3);
    return unusable(`The answer does not have the documented shape at: ${where.join(', ')}.`, meta);
  }
  const empty = endpoint.isEmpty?.(payload) === true;
  return { kind: empty ? 'empty' : 'found', payload, meta };
}

function parseFile(response: HttpResponse): ParsedEnvelope {
  const contentType = (getHeader(response.headers, 'content-type') ?? '').split(';')[0]?.trim() ?? '';
  const isPdf = response.body.subarray(0, 5).toString('latin1') === '%PDF-';
  if (!isPdf) return unusable('The body is not a PDF.', noMeta);
  const disposition = getHeader(response.headers, 'content-disposition') ?? '';
  const filename = /filename="?([^";]+)"?/i.exec(disposition)?.[1] ?? null;
  const payload: FileAnswer = { bytes: response.body, contentType: contentType || 'application/pdf', filename };
  return { kind: 'found', payload, meta: noMeta };
}

function parseUnauthorized(body: Body | null, meta: EnvelopeMeta): ParsedEnvelope {
  const code = portalCode(body);
  if (code === null) return { kind: 'unauthenticated', problems: [], meta };
  return { kind: 'sessionMissing', problems: [problem(code)], meta };
}

/** `{success, status: 404, data: []}`; outside /api `{ok: false}`. A wrong path or a proxy's page is neither. */
function isDocumentedNothing(endpoint: AnyEndpoint, body: Body): boolean {
  if (!endpoint.path.startsWith('/api/') && body.ok === false) return true;
  return typeof body.success === 'boolean' && bodyStatus(body) === 404 && isNothing(body.data);
}

/** The status that the body repeats; the service writes some of its integers as text. */
function bodyStatus({ status }: Body): number | null {
  if (typeof status === 'number') return status;
  return typeof status === 'string' && /^\d{3}$/.test(status) ? Number(status) : null;
}

function isNothing(data: unknown): boolean {
  if (data === undefined || data === null) return true;
  return typeof data === 'object' && Object.keys(data).length === 0;
}

/** One problem for each rejected parameter, in the service's words, pointing at the graph's argument. */
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

/** The two documented places of field errors: `data.errors` (400) and `errors` (422). */
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

function portalCode(body: Body | null) {
  const code = body !== null && isObject(body.error) ? body.error.code : undefined;
  return typeof code === 'string' && isPortalCode(code) ? code : null;
}

function permissionProblem(endpoint: AnyEndpoint): Problem {
  if (endpoint.permission === null) return problem('MISSING_PERMISSION');
  return problem('MISSING_PERMISSION', { message: `The account lacks the permission \`${endpoint.permission}\`.` });
}

/** Statuses by which the service turns a caller away, whose bodies the interface leaves open. */
const rejectionStatuses: ReadonlySet<number> = new Set([400, 401, 403, 422, 429]);

/** Whether these are words for callers: an envelope of the service, not what broke behind it (a debug page, another server). */
function isServiceEnvelope(body: Body, status: number): boolean {
  return typeof body.success === 'boolean' || typeof body.ok === 'boolean' || rejectionStatuses.has(status);
}

function metaOf(body: Body): EnvelopeMeta {
  const error = isObject(body.error) ? body.error.message : undefined;
  return { validationCode: textOrNull(body.codigoValidacion), message: textOrNull(body.message) ?? textOrNull(error) };
}

function readBody(bytes: Buffer): Body | null {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Strict, so that an answer in another charset is unusable instead of garbled; a byte order mark is dropped. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function unusable(message: string, meta: EnvelopeMeta): ParsedEnvelope {
  return {
    kind: 'unusable',
    problems: [problem('UNUSABLE_ANSWER', { message: `Not what the service documents: ${message}` })],
    meta,
  };
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
