import { gzipSync } from 'node:zlib';
import { nss } from '../../support/requests/credit-request';
import { send } from '../../support/requests/http';
import { asked, json, type Probe, posted, probe, repeated } from './probe';

const alive = '{"query":"{ __typename }"}';
const ofNss = 'query ($nss: NSS) { person(nss: $nss) { nss } }';
const ofName = 'query ($name: PersonNameInput) { person(name: $name) { nss } }';
const ofJson =
  'query ($rows: [JSON!]) { unitEstimate(input: { operation: "{ __typename }", rows: $rows }) { rowCount } }';
const BAD = 'BAD_REQUEST';
const INPUT = 'BAD_USER_INPUT';

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const withVariables = (query: string, variables: string, headers = {}): Probe['send'] =>
  posted(`{"query":${JSON.stringify(query)},"variables":${variables}}`, headers);

const compressed = (name: string, body: Buffer, coding: string): Probe =>
  probe(name, 'UNSUPPORTED_MEDIA_TYPE', posted(body, { 'content-encoding': coding }), { status: 415 });

/** Bodies that are not JSON, too large, or misleading. */
export const bodyAttacks: readonly Probe[] = [
  probe('a batch of ten thousand', BAD, posted(`[${repeated(10_000, () => alive, ',')}]`)),
  probe('JSON 400,000 levels deep', BAD, posted(`{"query":${deep(400_000)}}`)),
  probe('a variable 100,000 levels deep', INPUT, withVariables(ofNss, `{"nss":${deep(100_000)}}`)),
  probe('a row 100,000 levels deep', INPUT, withVariables(ofJson, `{"rows":[${deep(100_000)}]}`)),
  probe(
    '60,000 fields of an input object',
    INPUT,
    withVariables(ofName, `{"name":{${repeated(60_000, (i) => `"f${i}":1`, ',')}}}`),
  ),
  probe(
    'an object of 60,000 fields as an identifier',
    INPUT,
    withVariables(ofNss, `{"nss":{${repeated(60_000, (i) => `"f${i}":1`, ',')}}}`),
  ),
  probe(
    '90,000 undeclared variables',
    null,
    withVariables('{ __typename }', `{${repeated(90_000, (i) => `"v${i}":1`, ',')}}`),
  ),
  probe('an identifier of 900,000 letters', null, asked(ofNss, { nss: '1'.repeat(900_000) }), { silentOn: /INTERNAL/ }),
  probe('a number of a thousand digits', INPUT, withVariables(ofNss, `{"nss":${'9'.repeat(1_000)}}`)),
  probe(
    '`__proto__` among the variables',
    null,
    withVariables(ofNss, `{"__proto__":{"nss":"${nss}","polluted":true}}`),
    { code: BAD },
  ),
  probe(
    '`constructor.prototype` among the variables',
    null,
    withVariables(ofNss, '{"constructor":{"prototype":{"polluted":1}}}'),
    { code: BAD },
  ),
  probe(
    '`constructor` in an input object',
    INPUT,
    withVariables(ofName, '{"name":{"names":"A","paternalSurname":"B","constructor":1,"toString":2}}'),
  ),
  probe(
    'an operation named as a method',
    'OPERATION_RESOLUTION_FAILURE',
    posted('{"query":"{ __typename }","operationName":"toString"}'),
  ),
  probe('extensions that are not an object', BAD, posted('{"query":"{ __typename }","extensions":"x"}')),
  probe(
    'a hash that is not text',
    'PERSISTED_QUERY_NOT_FOUND',
    posted('{"extensions":{"persistedQuery":{"version":1,"sha256Hash":{}}}}'),
    { status: 200 },
  ),
  probe(
    'a hash of another version',
    'BAD_REQUEST',
    posted('{"query":"{ __typename }","extensions":{"persistedQuery":{"version":9,"sha256Hash":"x"}}}'),
  ),
  probe(
    'a hash of another document',
    'BAD_REQUEST',
    posted(`{"query":"{ __typename }","extensions":{"persistedQuery":{"version":1,"sha256Hash":"${'0'.repeat(64)}"}}}`),
  ),
  probe(
    'a duplicate member, of which the last one counts',
    null,
    posted('{"query":"{ nobody }","query":"{ __typename }"}'),
  ),
  probe('a byte order mark', null, posted(`\ufeff${alive}`)),
  probe('bytes that are not UTF-8', BAD, posted(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]))),
  probe(
    'a document that is not UTF-8',
    BAD,
    posted(Buffer.concat([Buffer.from('{"query":"{ __typename '), Buffer.from([0xff]), Buffer.from(' }"}')])),
  ),
  probe('UTF-16', null, posted(Buffer.from(alive, 'utf16le'), { 'content-type': 'application/json; charset=utf-16' })),
  probe('a lone surrogate in a document', 'GRAPHQL_PARSE_FAILED', posted('{"query":"{ __typename \\ud800 }"}')),
  probe('a NUL in a document', 'GRAPHQL_PARSE_FAILED', posted('{"query":"{ __typename \\u0000 }"}')),
  probe(
    'a lone surrogate in an identifier',
    INPUT,
    posted(JSON.stringify({ query: ofNss, variables: { nss: '\ud800' } })),
  ),
  probe('a NUL in an identifier', INPUT, posted(JSON.stringify({ query: ofNss, variables: { nss: '\u0000' } }))),
  compressed('a gzipped body', gzipSync(alive), 'gzip'),
  compressed('a gzip bomb', gzipSync(Buffer.alloc(50_000_000)), 'gzip'),
  compressed('plain JSON with an unknown encoding', Buffer.from(alive), 'x'),
  probe('a body with the encoding identity', null, posted(alive, { 'content-encoding': 'identity' })),
  probe('a query of 9 kB in the URL', null, (url) =>
    send(`${url}?${new URLSearchParams({ query: `{ __typename }${'#'.repeat(3_000)}` })}`, {
      headers: { ...json, 'apollo-require-preflight': '1' },
    }),
  ),
  probe(
    'variables in the URL that are not an object',
    BAD,
    (url) => send(`${url}?query={__typename}&variables=[1]`, { headers: { ...json, 'apollo-require-preflight': '1' } }),
    {},
  ),
  probe('two queries in the URL', BAD, (url) =>
    send(`${url}?query={__typename}&query={a}`, { headers: { ...json, 'apollo-require-preflight': '1' } }),
  ),
  probe('`__proto__` in the URL', BAD, (url) =>
    send(`${url}?__proto__[query]={__typename}`, { headers: { ...json, 'apollo-require-preflight': '1' } }),
  ),
];
