import { INTERNALS } from './broken-transport';
import type { ChangedAnswer, RelayedAnswer } from './tampering-proxy';

export interface AnswerFault {
  readonly name: string;
  readonly outcome: 'FOUND' | 'NOT_FOUND' | 'UNAVAILABLE';
  /** Code of the problem. Null if there is none. */
  readonly code: string | null;
  readonly billing: 'CHARGED' | 'UNKNOWN' | 'NOT_CHARGED';
  readonly change: (answer: RelayedAnswer) => ChangedAnswer;
}

type Change = AnswerFault['change'];

const page = Buffer.from(`<!doctype html><html><body><h1>${INTERNALS}</h1></body></html>`);
const html = { 'content-type': 'text/html' };
const trace = `Error: ${INTERNALS}\n    at Object.<anonymous> (/srv/node_modules/app/registry.ts:7:3)`;
const debug = { message: trace, exception: 'ErrorException', file: `/srv/${INTERNALS}.php`, trace: [trace] };

function unusable(name: string, change: Change): AnswerFault {
  return { name, outcome: 'UNAVAILABLE', code: 'UNUSABLE_ANSWER', billing: 'UNKNOWN', change };
}

function failed(name: string, change: Change): AnswerFault {
  return { name, outcome: 'UNAVAILABLE', code: 'REGISTRY_ERROR', billing: 'UNKNOWN', change };
}

export function withMembers(members: object): Change {
  return ({ json }) => ({ json: { ...(json as object), ...members } });
}

export const unrelatedBodies: readonly AnswerFault[] = [
  unusable('a page of HTML with 200', () => ({ bytes: page, headers: html })),
  unusable('a page of HTML with 404', () => ({ status: 404, bytes: page, headers: html })),
  unusable('a page of HTML with 403', () => ({ status: 403, bytes: page, headers: html })),
  unusable('a 404 with the body of another server', () => ({ status: 404, json: { message: INTERNALS } })),
  unusable('a 404 that is JSON of another kind', () => ({ status: 404, json: [] })),
  unusable('a 404 without a body', () => ({ status: 404, bytes: Buffer.alloc(0) })),
  unusable('an empty body', () => ({ bytes: Buffer.alloc(0) })),
  unusable('204', () => ({ status: 204, bytes: Buffer.alloc(0) })),
  unusable('null', () => ({ json: null })),
  unusable('deep JSON', () => ({ bytes: Buffer.from('['.repeat(100_000) + ']'.repeat(100_000)) })),
  failed('500 with a stack trace as text', () => ({ status: 500, bytes: Buffer.from(trace), headers: html })),
  failed('500 with a stack trace as JSON', () => ({ status: 500, json: debug })),
  failed('502 of a gateway', () => ({ status: 502, bytes: page, headers: html })),
  failed('503', () => ({ status: 503, bytes: Buffer.from(INTERNALS) })),
  { ...failed('418', () => ({ status: 418, json: debug })), code: 'REGISTRY_DECLINED', billing: 'NOT_CHARGED' },
];

/** JSON of the endpoint's own that came to harm. */
export const malformedBodies: readonly AnswerFault[] = [
  unusable('truncated JSON', ({ bytes }) => ({ bytes: bytes.subarray(0, bytes.length - 20) })),
  unusable('JSON in latin-1', ({ bytes }) => {
    const body = bytes.toString('utf8').replace('{', '{"aviso":"Ñandú",');
    return { bytes: Buffer.from(body, 'latin1'), headers: { 'content-type': 'application/json; charset=latin-1' } };
  }),
  unusable('JSON in UTF-16', ({ bytes }) => ({ bytes: Buffer.from(bytes.toString('utf8'), 'utf16le') })),
  unusable('a bare array', ({ json }) => ({ json: [json] })),
];

/** The common envelope, opened around something else than one record. */
export const brokenEnvelopes: readonly AnswerFault[] = [
  unusable('success false with 200', withMembers({ success: false })),
  unusable('success as text', withMembers({ success: 'true' })),
  unusable('no success at all', withMembers({ success: undefined })),
  unusable('another status in the body', withMembers({ status: 500 })),
  unusable('another status in the body, as text', withMembers({ status: '404' })),
  unusable('data null', withMembers({ data: null })),
  unusable('no data', withMembers({ data: undefined })),
  unusable('data that is a number', withMembers({ data: 7 })),
  unusable('data that is text', withMembers({ data: INTERNALS })),
  unusable('data without a documented column', withMembers({ data: { aviso: INTERNALS } })),
  unusable('an array of two for an object', ({ json }) => {
    const { data, ...envelope } = json as { readonly data: unknown };
    return { json: { ...envelope, data: [data, data] } };
  }),
  unusable('an array of an array', ({ json }) => {
    const { data, ...envelope } = json as { readonly data: unknown };
    return { json: { ...envelope, data: [[data]] } };
  }),
  unusable('columns that only `__proto__` has', ({ json }) => {
    const { data, ...envelope } = json as { readonly data: unknown };
    const body = JSON.stringify({ ...envelope, data: { prototype: data } });
    return { bytes: Buffer.from(body.replace('"prototype"', '"__proto__"')) };
  }),
  unusable('a 404 with 200 in the body', withStatus(404, { success: false, status: 200, data: [] })),
  unusable('a 404 with a record and success', withStatus(404, { status: 404 })),
  unusable('a 404 with text', withStatus(404, { success: false, status: 404, data: INTERNALS })),
  unusable('a 404 without success', withStatus(404, { success: undefined, status: 404, data: [] })),
];

/** Answers that look odd and say something all the same. */
export const unusualAnswers: readonly AnswerFault[] = [
  answered('FOUND', 'an array of one for an object', ({ json }) => {
    const { data, ...envelope } = json as { readonly data: unknown };
    return { json: { ...envelope, data: [data] } };
  }),
  answered('FOUND', 'a byte order mark', ({ bytes }) => ({ bytes: Buffer.concat([Buffer.from('\uFEFF'), bytes]) })),
  answered('FOUND', 'JSON that is not called so', () => ({ headers: html })),
  answered('FOUND', 'a foreign member named `__proto__`', ({ bytes }) => {
    const body = bytes.toString('utf8').replaceAll('{', '{"__proto__":{"success":false,"nss":"1"},');
    return { bytes: Buffer.from(body) };
  }),
  answered('FOUND', 'a deep foreign member', ({ bytes }) => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    return { bytes: Buffer.from(bytes.toString('utf8').replace('{', `{"aviso":${deep},`)) };
  }),
  answered('NOT_FOUND', 'an empty array for an object', withMembers({ data: [] })),
  answered('NOT_FOUND', 'the documented 404', withStatus(404, { success: false, status: 404, data: [] })),
  answered('NOT_FOUND', 'a 404 with an object', withStatus(404, { success: false, status: 404, data: { nss: '1' } })),
];

function answered(outcome: 'FOUND' | 'NOT_FOUND', name: string, change: Change): AnswerFault {
  return { name, outcome, code: null, billing: 'CHARGED', change };
}

function withStatus(status: number, members: object): Change {
  return (answer) => ({ status, ...withMembers(members)(answer) });
}
