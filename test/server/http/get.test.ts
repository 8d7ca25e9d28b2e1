import { SANDBOX_TOKEN } from '../../../src/sandbox/accounts/accounts';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { CREDIT } from '../../support/operations/people-endpoints';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { expectRefusal, send, sendRaw } from '../../support/requests/http';

const { nss } = findOrThrow(people, ({ credit }) => credit !== null && credit !== '');
const credit = `{ person(nss: "${nss}") { credit { outcome } } }`;
const headers = { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}` };
const preflighted = { authorization: `Bearer ${SANDBOX_TOKEN}`, 'apollo-require-preflight': 'true' };

const padron = padronForTests();

const posted = (body: unknown, more: Readonly<Record<string, string>> = {}) =>
  send(padron.url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
const got = (query: string, more: Readonly<Record<string, string>> = preflighted, variables?: string) => {
  const search = new URLSearchParams({ query, ...(variables === undefined ? {} : { variables }) });
  return send(`${padron.url}?${search}`, { headers: more });
};

describe('a GET request', () => {
  it('reads free fields', async () => {
    const { status, text } = await got('{ registryEndpoints { endpoint units } person { nss } }');
    expect([status, JSON.parse(text).data.person]).toEqual([200, { nss: null }]);
  });

  it.each([
    ['a field', credit],
    ['a field behind a fragment', `{ person(nss: "${nss}") { ...f } } fragment f on Person { credit { outcome } }`],
    ['a field behind an inline fragment', `{ person(nss: "${nss}") { ... { ... on Person { credit { outcome } } } } }`],
    [
      'a field of an entity',
      `{ _entities(representations: [{__typename: "Person", nss: "${nss}"}]) { ... on Person { credit { outcome } } } }`,
    ],
    ['a field of the root', '{ professionalLicence(number: "1234567") { outcome } }'],
    ['a field under another name', `{ person(nss: "${nss}") { units: credit { outcome } } }`],
  ])('is rejected for a paid field: %s', async (_what, query) => {
    const answer = await got(query);
    expectRefusal(answer, 405, 'BAD_REQUEST');
    expect(answer.headers.allow).toBe('POST');
    expect(padron.calls()).toEqual([]);
  });

  it('is checked in the same document that runs', async () => {
    const deep = `${'{ a'.repeat(1_000)}${' }'.repeat(1_000)}`;
    const head = `GET /graphql#?query=${encodeURIComponent(deep)} HTTP/1.1\r\nhost: a\r\napollo-require-preflight: true`;
    const answer = await sendRaw(padron.url, `${head}\r\nconnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('at most 200 levels');
  });

  it.each([
    ['given', '($__proto__: NSS) { person(nss: $__proto__) { nss } }', '{"__proto__":"1"}', { person: { nss: '1' } }],
    [
      'left out',
      '($toString: _Any) { _entities(representations: [{ __typename: "Person", nss: $toString }]) { ... on Person { nss } } }',
      '{}',
      { _entities: [{ nss: null }] },
    ],
  ])(
    'may have a variable with the name of a property that every object has: %s',
    async (_what, query, variables, data) => {
      const { status, text } = await got(`query ${query}`, preflighted, variables);
      expect([status, JSON.parse(text).data]).toEqual([200, data]);
    },
  );

  it('cannot run a mutation', async () => {
    expectRefusal(await got('mutation { __typename }'), 405, 'BAD_REQUEST');
  });

  it.each([
    ['without a document', {}, 400],
    ['with variables that are no JSON', { query: '{ __typename }', variables: '{' }, 400],
  ])('is rejected %s', async (_what, search, status) => {
    const answer = await send(`${padron.url}?${new URLSearchParams(search)}`, { headers: preflighted });
    expectRefusal(answer, status, 'BAD_REQUEST');
  });
});

describe('a request that another site could send from a browser', () => {
  it('is rejected by GET without the header that makes browsers send a preflight', async () => {
    expectRefusal(await got('{ __typename }', {}), 400, 'BAD_REQUEST');
  });

  it('is rejected as text/plain', async () => {
    const body = JSON.stringify({ query: credit });
    const sent = { method: 'POST', headers: { ...headers, 'content-type': 'text/plain' }, body };
    expectRefusal(await send(padron.url, sent), 400, 'BAD_REQUEST');
    expect(padron.calls()).toEqual([]);
  });
});

describe('a header about money', () => {
  it.each([
    ['x-sandbox', 'maybe'],
    ['x-sandbox', ''],
    ['x-dry-run', 'maybe'],
    ['x-max-units', 'many'],
    ['x-max-units', '-1'],
    ['x-max-units', '1.5'],
  ])('that is malformed rejects the request: %s: %s', async (name, value) => {
    expectRefusal(await posted({ query: credit }, { [name]: value }), 400, 'BAD_USER_INPUT');
    expect(padron.calls()).toEqual([]);
  });

  it.each(['true', 'TRUE', '1'])('turns sandbox mode on: x-sandbox: %s', async (value) => {
    await posted({ query: credit }, { 'x-sandbox': value });
    expect(padron.callsInFull()).toMatchObject([{ endpoint: CREDIT, sandbox: true, units: 0 }]);
  });
});
