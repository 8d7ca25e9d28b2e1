import { randomUUID } from 'node:crypto';
import type { ErrorObject, ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { employers } from '../../src/extensions/sandbox/data/employers';
import { people } from '../../src/extensions/sandbox/data/people';
import type { IdentifierKind } from '../../src/extensions/sandbox/protocol/route';
import { type DocumentedEndpoint, documentedEndpoint, openApi } from '../support/registry-interface';
import { endpoints, type Subject } from '../support/sandbox/sandbox-questions';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  /** Parsed JSON, or the bytes of anything else. */
  readonly body: unknown;
}

const ID = 'registry.openapi.yaml';
/** First bytes of each media type, which a JSON error or an HTML page does not have. */
const OPENINGS: Readonly<Record<string, RegExp>> = {
  'application/pdf': /^%PDF-\d\.\d/,
  'application/xml': /^<\?xml version="1\.0"/,
};

const ajv = addFormats(new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }));
ajv.addVocabulary(Object.keys(openApi));
ajv.addSchema({ ...openApi, $id: ID });
const compiled = new Map<string, ValidateFunction>();

function validator(pointer: string): ValidateFunction {
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${ID}#${pointer}` });
  compiled.set(pointer, validate);
  return validate;
}

/** Checks an answer against schema/registry.openapi.yaml. Returns its violations. There are none if it conforms. */
export function check(call: Call): readonly string[] {
  const { paths, components } = openApi;
  const label = `${call.method.toUpperCase()} ${call.path.split('?')[0]} ${call.status}`;
  const template = templateOf(call.path);
  const operation = template === undefined ? undefined : paths[template]?.[call.method.toLowerCase()];
  if (template === undefined || operation === undefined) return [`${label}: no such operation`];
  const stated = operation.responses[call.status];
  if (stated === undefined) return [`${label}: no such status for this operation`];
  const shared = stated.$ref?.replace('#/components/responses/', '');
  const answer = shared === undefined ? stated : components.responses[shared];
  const type = (call.contentType ?? 'nothing').split(';')[0]?.trim().toLowerCase() ?? '';
  if (answer?.content?.[type] === undefined) return [`${label}: no such content type: ${type}`];
  if (type !== 'application/json') return fileViolations(type, call.body).map((violation) => `${label}: ${violation}`);
  const place =
    shared === undefined
      ? ['paths', template, call.method.toLowerCase(), 'responses', String(call.status)]
      : ['components', 'responses', shared];
  const validate = validator(pointerTo([...place, 'content', type, 'schema']));
  const found = validate(call.body) ? [] : (validate.errors ?? []).map(readable);
  return [...found, ...statusViolations(call)].map((violation) => `${label}: ${violation}`);
}

function templateOf(path: string): string | undefined {
  const segments = path.split('?')[0]?.split('/') ?? [];
  return Object.keys(openApi.paths).find((template) => {
    const parts = template.split('/');
    if (parts.length !== segments.length) return false;
    return parts.every((part, index) => part === segments[index] || (part.startsWith('{') && segments[index] !== ''));
  });
}

function fileViolations(type: string, body: unknown): readonly string[] {
  if (!Buffer.isBuffer(body)) return ['the body is not bytes'];
  const opening = OPENINGS[type];
  return opening?.test(body.subarray(0, 32).toString('latin1')) ? [] : [`the body is not ${type}`];
}

/** Compares the HTTP status with the one in the common envelope, which a schema cannot do. */
function statusViolations({ status, body }: Call): readonly string[] {
  if (typeof body !== 'object' || body === null || !('status' in body) || body.status === status) return [];
  return [`/status is ${String(body.status)}`];
}

function readable({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath === '' ? '/' : instancePath} ${message ?? 'is wrong'} ${JSON.stringify(params)}`;
}

function pointerTo(parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}

/** A request to the service. */
export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string | Buffer>>;
  /** A body that is neither JSON nor a form. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes requests of an endpoint about an identifier. Other inputs have default values. */
export interface Asker {
  readonly endpoint: string;
  readonly identifier: IdentifierKind;
  readonly ask: (value: string, month?: number) => Ask;
}

/** Last year, of which all months are complete. */
export const YEAR = new Date().getUTCFullYear() - 1;

type Texts = Readonly<Record<string, string>>;
type Input = Readonly<Record<string, string | number | Buffer>>;

/** Returns the request of an endpoint, with its input encoded as the endpoint takes it. */
function toAsk({ method, path, encoding }: DocumentedEndpoint, input: Input): Ask {
  if (encoding === 'query') return { method, path, query: input as Texts };
  if (encoding === 'json') return { method, path, json: input };
  return { method, path, form: input as Readonly<Record<string, string | Buffer>> };
}

const [person] = people;
const [employer] = employers;
if (person === undefined || employer === undefined) throw new Error('The sandbox is empty.');
/** The other inputs of a request. A search by surname finds every first name that contains an A. */
const subject: Subject = {
  person: { ...person, names: 'A' },
  employer,
  year: YEAR,
  signature: { password: 'x', certificate: Buffer.from('x'), privateKey: Buffer.from('x') },
};

/** All endpoints that take an identifier. Each is asked about its first one. */
export const askers: readonly Asker[] = endpoints.flatMap((endpoint) =>
  endpoint.identifierInputs.slice(0, 1).map(([input, identifier]) => ({
    endpoint: endpoint.endpoint,
    identifier,
    ask: (value, month = 3) => toAsk(endpoint, { ...(endpoint.input({ ...subject, month }) as Input), [input]: value }),
  })),
);

export const signatureAsk = (form: Input): Ask => toAsk(documentedEndpoint('verifyElectronicSignature'), form);

/** Sends a request. Returns a JSON body parsed, and any other body as bytes. */
export async function asked(
  base: string,
  { method, path, query, json, form, body: raw, headers }: Ask,
  token = '',
): Promise<Call> {
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
  const response = await fetch(`${base}${path}${search}`, {
    method,
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(form === undefined ? {} : { body: formData(form) }),
    ...(raw === undefined ? {} : { body: raw }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const contentType = response.headers.get('content-type');
  const body: unknown = contentType?.startsWith('application/json') ? JSON.parse(bytes.toString()) : bytes;
  return { method, path, status: response.status, contentType, body };
}

function formData(parts: Readonly<Record<string, string | Buffer>>): FormData {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') form.append(name, part);
    else form.append(name, new Blob([new Uint8Array(part)]), `${name}.bin`);
  }
  return form;
}

export interface FileDescriptor {
  readonly url: string | null;
  readonly base64: string | null;
  readonly size_bytes: number;
}

export interface Download {
  readonly files: Readonly<Record<'pdf' | 'xml', FileDescriptor>>;
}

/** A receipt of the list, with the month it was listed for. */
export interface Listed {
  readonly registro_patronal: string;
  readonly folio_sua: string;
  readonly mes: number;
}

export function listOf(registro_patronal: string, mes: number): Ask {
  return { method: 'POST', path: '/private/comprobantes-fiscales', json: { registro_patronal, anio: YEAR, mes } };
}

export function downloadOf({ registro_patronal, folio_sua, mes }: Listed, include_content: boolean): Ask {
  const json = { registro_patronal, folio_sua, mes, anio: YEAR, include_content };
  return { method: 'POST', path: '/private/comprobantes-fiscales/descargar', json };
}

/** Returns the request of a signed link. */
export function linkAsk(url: string | null): Ask {
  if (url === null) throw new Error('There is no link.');
  const { pathname, searchParams } = new URL(url);
  return { method: 'GET', path: pathname, query: Object.fromEntries(searchParams) };
}

/** Returns the link with a forged signature, and with an unknown token. */
export function brokenLinks(url: string | null): readonly Ask[] {
  const link = linkAsk(url);
  const forged = { ...link, query: { ...link.query, signature: 'forged' } };
  const elsewhere = { ...link, path: link.path.replace(/[0-9a-f-]{36}/, randomUUID()) };
  return [forged, elsewhere];
}

/** Calls a running service, checks each answer against the OpenAPI document and records its status. */
export interface ContractWatch {
  held(question: Ask, token?: string): Promise<Call>;
  /** Sends requests one after the other. Returns the distinct statuses. */
  statusesOf(questions: readonly Ask[], token?: string): Promise<readonly number[]>;
  /** Returns the documented statuses that were not received yet, as `POST /path 404`. */
  unseen(): readonly string[];
}

export function contractWatch(url: () => string, usualToken: string): ContractWatch {
  const seen = new Set<string>();
  const held = async (question: Ask, token = usualToken): Promise<Call> => {
    const call = await asked(url(), question, token);
    const violations = check(call);
    if (violations.length > 0) throw new Error([...violations, JSON.stringify(call.body).slice(0, 1000)].join('\n'));
    seen.add(`${call.method} ${templateOf(call.path)} ${call.status}`);
    return call;
  };
  const statusesOf = async (questions: readonly Ask[], token = usualToken): Promise<readonly number[]> => {
    const statuses = new Set<number>();
    for (const question of questions) statuses.add((await held(question, token)).status);
    return [...statuses].sort();
  };
  return { held, statusesOf, unseen: () => documented().filter((entry) => !seen.has(entry)) };
}

function documented(): readonly string[] {
  return Object.entries(openApi.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      Object.keys(responses).map((status) => `${method.toUpperCase()} ${path} ${status}`),
    ),
  );
}
