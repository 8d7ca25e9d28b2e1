import { setFlagsFromString } from 'node:v8';
import fc from 'fast-check';
import { parseEnvelope } from '../../../src/registry/answer/envelope';
import type { AnyEndpoint } from '../../../src/registry/endpoint/endpoint';
import type { HttpResponse } from '../../../src/registry/transport/transport';
import { buildGraph } from '../../support/padrons/whole-padron';

// It computes for seconds: see quick-tests.ts.
setFlagsFromString('--opt');

const kinds = [
  'found',
  'empty',
  'rejected',
  'forbidden',
  'unauthenticated',
  'sessionMissing',
  'rateLimited',
  'failed',
  'declined',
  'unusable',
];
const endpoints = buildGraph().catalogue.map(({ endpoint }) => endpoint);
const anyEndpoint = fc.constantFrom(...endpoints);
const anyStatus = fc.oneof(
  fc.constantFrom(200, 201, 204, 302, 400, 401, 403, 404, 410, 418, 422, 429, 500, 502, 503),
  fc.integer({ min: 200, max: 599 }),
);
/** Includes the same header twice. */
const anyHeaders = fc.array(
  fc.tuple(
    fc.constantFrom('content-type', 'Content-Disposition', 'retry-after', 'content-length'),
    fc.oneof(fc.string(), fc.constantFrom('7', 'Sat, 21 Nov 2026 10:00:00 GMT', 'attachment; filename="a.pdf"')),
  ),
  { maxLength: 5 },
);

/** Headers as undici returns them: a list if a header was sent more than once. */
function valuesOf(headers: readonly (readonly [name: string, value: string])[], name: string): string | string[] {
  const [first = '', ...rest] = headers.filter(([each]) => each === name).map(([, value]) => value);
  return rest.length === 0 ? first : [first, ...rest];
}

const delivered = (
  status: number,
  body: Buffer | string,
  headers: readonly (readonly [name: string, value: string])[] = [],
): HttpResponse => ({
  kind: 'delivered',
  status,
  headers: Object.fromEntries(headers.map(([name]) => [name.toLowerCase(), valuesOf(headers, name)])),
  body: typeof body === 'string' ? Buffer.from(body) : body,
});

/** Members of the documented bodies, each right, wrong or missing: chance comes near to what is documented. */
const anyData = fc.oneof(
  fc.constantFrom<unknown>([], {}, null, [[]], [{}], [{}, {}], { errors: { nss: ['x'], curp: 'y', __proto__: 1 } }),
  fc.jsonValue(),
  fc.dictionary(fc.constantFrom('nss', 'curp', 'NSS', 'folio', 'nombres', '__proto__'), fc.jsonValue(), {
    noNullPrototype: true,
  }),
);
const anyBody = fc.record(
  {
    success: fc.constantFrom<unknown>(true, false, 'true', 1, null),
    ok: fc.constantFrom<unknown>(true, false, 'true', 0),
    status: fc.constantFrom<unknown>(200, 404, '404', 401, 422, null, 'x', Number.MAX_SAFE_INTEGER),
    data: anyData,
    errors: anyData,
    error: fc.oneof(
      fc.record({
        code: fc.constantFrom<unknown>('IMSS_HTTP_ERROR', 'IMSS_SESSION_REQUIRED', 'X', 7),
        message: fc.string(),
      }),
      fc.jsonValue(),
    ),
    message: fc.oneof(fc.string(), fc.jsonValue()),
    codigoValidacion: fc.jsonValue(),
    comprobantes: anyData,
    files: anyData,
    clasificacion: anyData,
  },
  { requiredKeys: [], noNullPrototype: true },
);

/** The documented grounds on which an answer may be taken for one, said once more in other words. */
function isDocumentedAnswer(endpoint: AnyEndpoint, status: number, body: Buffer): 'found' | 'empty' | null {
  if (status === 200 && endpoint.envelope === 'file')
    return body.toString('latin1').startsWith('%PDF-') ? 'found' : null;
  const json = parsed(body);
  if (json === null) return null;
  const inner = typeof json.status === 'string' ? Number(json.status) : json.status;
  if (status === 404) {
    const portal = !endpoint.path.startsWith('/api/') && json.ok === false;
    const isNothing = JSON.stringify(json.data ?? null).length < 5 || (json.success === false && isRecord(json.data));
    const common = typeof json.success === 'boolean' && inner === 404 && isNothing;
    return portal || common ? 'empty' : null;
  }
  if (status !== 200) return null;
  if ((endpoint.envelope === 'document' ? json.ok : json.success) !== true) return null;
  const { data } = json;
  if (endpoint.envelope === 'list') return Array.isArray(data) || isRecord(data) ? 'found' : null;
  if (endpoint.envelope !== 'record') return 'found';
  const record: unknown = Array.isArray(data) && data.length < 2 ? (data[0] ?? {}) : data;
  return isRecord(record) ? 'found' : null;
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(body: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''));
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/** Meanings that the questions of this file came to. */
const reached = new Set<string>();

/** Every answer has a meaning, and is only taken for one of the registry on documented grounds. */
function check(endpoint: AnyEndpoint, exchange: HttpResponse): void {
  const opened = parseEnvelope(endpoint, exchange);
  reached.add(opened.kind);
  expect(kinds).toContain(opened.kind);
  if (opened.kind !== 'found' && opened.kind !== 'empty') return;
  const documented = isDocumentedAnswer(endpoint, exchange.status, exchange.body);
  expect({ [endpoint.name]: documented, body: exchange.body.toString() }).toEqual({
    // An empty list is an answer too: the registry has no record.
    [endpoint.name]: exchange.status === 404 ? 'empty' : 'found',
    body: exchange.body.toString(),
  });
}

describe('an answer of the service', () => {
  it('can be any bytes', () => {
    fc.assert(
      fc.property(
        anyEndpoint,
        anyStatus,
        fc.uint8Array({ maxLength: 200 }),
        anyHeaders,
        (endpoint, status, bytes, headers) => check(endpoint, delivered(status, Buffer.from(bytes), headers)),
      ),
      { numRuns: 2_000 },
    );
  });

  it('can be any JSON', () => {
    fc.assert(
      fc.property(anyEndpoint, anyStatus, fc.json(), (endpoint, status, json) =>
        check(endpoint, delivered(status, json)),
      ),
      { numRuns: 2_000 },
    );
  });

  it('can differ slightly from the documentation', () => {
    fc.assert(
      fc.property(anyEndpoint, anyStatus, anyBody, (endpoint, status, body) =>
        check(endpoint, delivered(status, JSON.stringify(body))),
      ),
      { numRuns: 4_000 },
    );
  });

  it('can be truncated, repeated or nested without end', () => {
    const texts = [
      '',
      '{',
      '{"success":true',
      '{"success":true}{"success":true}',
      '[]',
      'null',
      '\uFEFF{}',
      '"',
      'NaN',
      '{"a":1e999}',
    ];
    const deep = (depth: number): string =>
      `{"success":true,"status":200,"data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    for (const endpoint of endpoints)
      for (const status of [200, 404, 400, 422, 401])
        for (const text of [...texts, deep(10), deep(100_000)]) check(endpoint, delivered(status, text));
  });

  it('gives NOT_FOUND only if the body says so', () => {
    const bodies = fc.oneof(
      anyBody,
      fc.constantFrom({}, { message: 'Not Found' }, { success: true, status: 404, data: { a: 1 } }),
    );
    fc.assert(
      fc.property(anyEndpoint, bodies, (endpoint, body) => {
        const text = JSON.stringify(body);
        const { kind } = parseEnvelope(endpoint, delivered(404, text));
        const holdsNothing = isDocumentedAnswer(endpoint, 404, Buffer.from(text)) === 'empty';
        if (!holdsNothing) expect(kind).not.toBe('empty');
        expect(kind).not.toBe('found');
      }),
      { numRuns: 2_000 },
    );
  });

  it('was tried with every outcome', () => {
    expect([...reached].sort()).toEqual([...kinds].sort());
  });
});
