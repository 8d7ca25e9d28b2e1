import type { ErrorObject, ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { type OpenApi, openApi } from '../support/registry-interface';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  /** Parsed JSON, or the bytes of anything else. */
  readonly body: unknown;
}

export interface Contract {
  /** Returns violations of the document. There are none if the answer conforms. */
  check(call: Call): readonly string[];
}

const ID = 'registry.openapi.yaml';
/** First bytes of each media type, which a JSON error or an HTML page does not have. */
const OPENINGS: Readonly<Record<string, RegExp>> = {
  'application/pdf': /^%PDF-\d\.\d/,
  'application/xml': /^<\?xml version="1\.0"/,
};

/** Checks answers against schema/registry.openapi.yaml. */
export function contract(): Contract {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  addFormats(ajv);
  ajv.addVocabulary(Object.keys(openApi));
  ajv.addSchema({ ...openApi, $id: ID });
  const compiled = new Map<string, ValidateFunction>();
  const validator = (pointer: string): ValidateFunction => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${ID}#${pointer}` });
    compiled.set(pointer, validate);
    return validate;
  };
  return { check: (call) => violations(openApi, validator, call) };
}

function violations(
  document: OpenApi,
  validator: (pointer: string) => ValidateFunction,
  call: Call,
): readonly string[] {
  const label = `${call.method.toUpperCase()} ${call.path.split('?')[0]} ${call.status}`;
  const template = templateOf(document, call.path);
  const operation = template === undefined ? undefined : document.paths[template]?.[call.method.toLowerCase()];
  if (template === undefined || operation === undefined) return [`${label}: no such operation`];
  const stated = operation.responses[call.status];
  if (stated === undefined) return [`${label}: no such status for this operation`];
  const shared = stated.$ref?.replace('#/components/responses/', '');
  const answer = shared === undefined ? stated : document.components.responses[shared];
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

function templateOf({ paths }: OpenApi, path: string): string | undefined {
  const segments = path.split('?')[0]?.split('/') ?? [];
  return Object.keys(paths).find((template) => {
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
