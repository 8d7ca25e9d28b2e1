import { credentialOf, signatureForm, verifyMutation } from '../../support/keys/signatures';
import { send } from '../../support/requests/http';
import { form, graphqlForm } from '../../support/requests/multipart';
import { json, type Probe, repeated } from './probe';

const person = credentialOf('person');
const whole = signatureForm(person);
type Form = typeof whole;

const operations = {
  query: verifyMutation,
  variables: {
    input: { rfc: person.rfc, password: person.password, certificate: { upload: null }, privateKey: { upload: null } },
  },
};
const places = ['variables.input.certificate.upload', 'variables.input.privateKey.upload'] as const;
const map = { 0: [places[0]], 1: [places[1]] };
const BAD = 'BAD_REQUEST';
const LARGE = 'PAYLOAD_TOO_LARGE';

const header = { 'apollo-require-preflight': 'true', authorization: json.authorization };

function sent({ contentType, body }: Form, headers: Readonly<Record<string, string>> = header): Probe['send'] {
  return (url) => send(url, { method: 'POST', headers: { ...headers, 'content-type': contentType }, body });
}

/** Makes the form with some fields replaced. */
function withFields(fields: { readonly operations?: string; readonly map?: string }, files = 2): Form {
  return form([
    { name: 'operations', body: fields.operations ?? JSON.stringify(operations) },
    { name: 'map', body: fields.map ?? JSON.stringify(map) },
    ...[person.certificate, person.privateKey]
      .slice(0, files)
      .map((body, index) => ({ name: String(index), filename: 'file', body })),
  ]);
}

const mapped = (value: unknown): Form => withFields({ map: JSON.stringify(value) });
const operated = (value: string): Form => withFields({ operations: value });
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

const probe = (name: string, code: string | null, form: Form | Probe['send'], more: Partial<Probe> = {}): Probe => ({
  name,
  code,
  send: typeof form === 'function' ? form : sent(form),
  ...more,
});
const refused = (name: string, form: Form): Probe => probe(name, BAD, form);
const tooLarge = (name: string, form: Form): Probe => probe(name, LARGE, form, { status: 413 });
/** Expects a response without an error. Errors in the files are outcomes. */
const answered = (name: string, form: Form): Probe => probe(name, null, form);

/** Multipart requests that are malformed, incomplete or too large. Each must be answered and leave its connection usable. */
export const uploadAttacks: readonly Probe[] = [
  answered('a valid form', whole),
  probe('no token', 'UNAUTHENTICATED', sent(whole, { 'apollo-require-preflight': 'true' }), { status: 401 }),
  probe(
    'no token and an unreadable body',
    'UNAUTHENTICATED',
    sent({ ...whole, body: Buffer.alloc(100) }, { 'apollo-require-preflight': 'true' }),
    { status: 401 },
  ),
  probe('no header that causes a preflight', BAD, sent(whole, { authorization: json.authorization })),
  refused('no boundary', { ...whole, contentType: 'multipart/form-data' }),
  refused('an empty boundary', { ...whole, contentType: 'multipart/form-data; boundary=' }),
  refused('a wrong boundary', { ...whole, contentType: 'multipart/form-data; boundary=other' }),
  refused('a boundary of 10 kB', { ...whole, contentType: `multipart/form-data; boundary=${'b'.repeat(10_000)}` }),
  refused('an empty body', { ...whole, body: Buffer.alloc(0) }),
  refused('only its beginning', { ...whole, body: whole.body.subarray(0, 30) }),
  refused('half of its operations', { ...whole, body: whole.body.subarray(0, 200) }),
  answered('half of a file', { ...whole, body: whole.body.subarray(0, whole.body.length - 700) }),
  refused('no operations', form([{ name: 'map', body: JSON.stringify(map) }])),
  refused('no map', form([{ name: 'operations', body: JSON.stringify(operations) }])),
  refused(
    'the map first',
    form([
      { name: 'map', body: JSON.stringify(map) },
      { name: 'operations', body: JSON.stringify(operations) },
    ]),
  ),
  refused(
    'a file first',
    form([
      { name: '0', filename: 'a', body: 'x' },
      { name: 'operations', body: JSON.stringify(operations) },
    ]),
  ),
  refused('operations that are not JSON', operated('{')),
  refused('operations that are null', operated('null')),
  refused('operations that are a number', operated('7')),
  refused(
    'operations that are a list',
    graphqlForm([operations], { '0.variables.input.certificate.upload': Buffer.from('x') }),
  ),
  refused('operations without a document', operated('{}')),
  refused('operations 20,000 levels deep', operated(`{"query":"{ __typename }","variables":{"a":${deep}}}`)),
  refused('operations of `__proto__`', operated('{"__proto__":{"query":"{ __typename }"}}')),
  refused('a map that is not JSON', withFields({ map: '{' })),
  refused('a map that is null', mapped(null)),
  refused('a map of a number', mapped({ 0: 7 })),
  refused('a map of a list of numbers', mapped({ 0: [7] })),
  refused('a map to `__proto__`', mapped({ 0: ['__proto__.polluted'], 1: [places[1]] })),
  refused('a map to `constructor.prototype`', mapped({ 0: ['constructor.prototype.polluted'], 1: [places[1]] })),
  refused('a map to a path within text', mapped({ 0: ['query.length.x'], 1: [places[1]] })),
  refused('a map to a method of every object', mapped({ 0: ['hasOwnProperty.call'], 1: [places[1]] })),
  refused('a map to the document', mapped({ 0: ['query'], 1: [places[1]] })),
  refused('a map of two files to one place', mapped({ 0: [places[0]], 1: [places[0]] })),
  refused('a map to all variables', mapped({ 0: ['variables'], 1: [places[1]] })),
  refused('a map 20,000 levels deep', withFields({ map: `{"0":${deep}}` })),
  tooLarge(
    'a map to a thousand files',
    mapped(Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [i, [places[0]]]))),
  ),
  answered('a mapped file that is missing', withFields({}, 1)),
  answered('one file in two places', withFields({ map: JSON.stringify({ 0: places }) }, 1)),
  answered('a file that is empty', signatureForm({ ...person, certificate: Buffer.alloc(0) })),
  answered('a file a byte too large', signatureForm({ ...person, privateKey: Buffer.alloc(60_001, 'x') })),
  tooLarge('files far too large', signatureForm({ ...person, privateKey: Buffer.alloc(250_000, 'x') })),
  tooLarge(
    'three files',
    graphqlForm(operations, {
      [places[0]]: person.certificate,
      [places[1]]: person.privateKey,
      'variables.input.extra': Buffer.from('x'),
    }),
  ),
  tooLarge('operations of 100 kB', operated(JSON.stringify({ ...operations, extensions: { x: 'x'.repeat(100_000) } }))),
  answered(
    'two thousand unknown fields',
    form([
      { name: 'operations', body: '{"query":"{ __typename }"}' },
      { name: 'map', body: '{}' },
      ...Array.from({ length: 2_000 }, (_, i) => ({ name: `f${i}`, body: '' })),
    ]),
  ),
  answered('a file name with parent folders', withNames('../../etc/passwd')),
  answered('a file name of a kilobyte', withNames('Ñ'.repeat(500))),
  probe('an invalid document', 'GRAPHQL_VALIDATION_FAILED', signatureForm(person, 'mutation { nobody }')),
  probe(
    'an unreadable document',
    'GRAPHQL_PARSE_FAILED',
    signatureForm(
      person,
      repeated(100, () => '{'),
    ),
  ),
  probe(
    'the method GET',
    'UNSUPPORTED_MEDIA_TYPE',
    (url) => send(url, { method: 'GET', headers: { ...header, 'content-type': whole.contentType } }),
    { status: 415 },
  ),
  probe('another path', 'NOT_FOUND', (url) => sent(whole)(url.replace('graphql', 'health/live')), { status: 404 }),
];

function withNames(filename: string): Form {
  return form([
    { name: 'operations', body: JSON.stringify(operations) },
    { name: 'map', body: JSON.stringify(map) },
    { name: '0', filename, body: person.certificate },
    { name: '1', filename, body: person.privateKey },
  ]);
}
