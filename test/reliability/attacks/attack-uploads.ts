import { credentialOf, signatureForm, uploadOperation } from '../../support/keys/signatures';
import { send } from '../../support/requests/http';
import { form } from '../../support/requests/multipart';
import { json, type Probe, repeated } from './probe';

const person = credentialOf('person');
const whole = signatureForm(person);
type Form = typeof whole;

const operations = uploadOperation(person);
const place = 'variables.input.certificate.upload';
const map = { 0: [place], 1: ['variables.input.privateKey.upload'] };
const BAD = 'BAD_REQUEST';
const LARGE = 'PAYLOAD_TOO_LARGE';

const header = { 'apollo-require-preflight': 'true', authorization: json.authorization };

function sent({ contentType, body }: Form, headers: Readonly<Record<string, string>> = header): Probe['send'] {
  return (url) => send(url, { method: 'POST', headers: { ...headers, 'content-type': contentType }, body });
}

/** Makes the form with some fields replaced. */
function withFields({
  operations: operated = JSON.stringify(operations),
  map: mapped = JSON.stringify(map),
  filename = 'file',
}): Form {
  return form([
    { name: 'operations', body: operated },
    { name: 'map', body: mapped },
    { name: '0', filename, body: person.certificate },
    { name: '1', filename, body: person.privateKey },
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

/**
 * Multipart requests that are malformed, incomplete or too large, beside those of test/server/http/multipart-uploads.test.ts and
 * test/graph/domains/tax/signature-files.test.ts. Each must be answered and leave its connection usable.
 */
export const uploadAttacks: readonly Probe[] = [
  probe('no token', 'UNAUTHENTICATED', sent(whole, { 'apollo-require-preflight': 'true' }), { status: 401 }),
  probe(
    'no token and an unreadable body',
    'UNAUTHENTICATED',
    sent({ ...whole, body: Buffer.alloc(100) }, { 'apollo-require-preflight': 'true' }),
    { status: 401 },
  ),
  refused('an empty boundary', { ...whole, contentType: 'multipart/form-data; boundary=' }),
  refused('a wrong boundary', { ...whole, contentType: 'multipart/form-data; boundary=other' }),
  refused('a boundary of 10 kB', { ...whole, contentType: `multipart/form-data; boundary=${'b'.repeat(10_000)}` }),
  refused('only its beginning', { ...whole, body: whole.body.subarray(0, 30) }),
  answered('half of a file', { ...whole, body: whole.body.subarray(0, whole.body.length - 700) }),
  refused(
    'the map first',
    form([
      { name: 'map', body: JSON.stringify(map) },
      { name: 'operations', body: JSON.stringify(operations) },
    ]),
  ),
  refused('operations that are not JSON', operated('{')),
  refused('operations that are null', operated('null')),
  refused('operations that are a number', operated('7')),
  refused('operations without a document', operated('{}')),
  refused('operations 20,000 levels deep', operated(`{"query":"{ __typename }","variables":{"a":${deep}}}`)),
  refused('operations of `__proto__`', operated('{"__proto__":{"query":"{ __typename }"}}')),
  refused('a map that is not JSON', withFields({ map: '{' })),
  refused('a map that is null', mapped(null)),
  refused('a map 20,000 levels deep', withFields({ map: `{"0":${deep}}` })),
  tooLarge(
    'a map to a thousand files',
    mapped(Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [i, [place]]))),
  ),
  answered('a file that is empty', signatureForm({ ...person, certificate: Buffer.alloc(0) })),
  tooLarge('operations of 200 kB', operated(JSON.stringify({ ...operations, extensions: { x: 'x'.repeat(200_000) } }))),
  answered(
    'two thousand unknown fields',
    form([
      { name: 'operations', body: '{"query":"{ __typename }"}' },
      { name: 'map', body: '{}' },
      ...Array.from({ length: 2_000 }, (_, i) => ({ name: `f${i}`, body: '' })),
    ]),
  ),
  answered('a file name with parent folders', withFields({ filename: '../../etc/passwd' })),
  answered('a file name of a kilobyte', withFields({ filename: 'Ñ'.repeat(500) })),
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
];
