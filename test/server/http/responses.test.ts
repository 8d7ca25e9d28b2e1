import { createHash } from 'node:crypto';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { CREDIT } from '../../support/operations/people-endpoints';
import { runPadron } from '../../support/padrons/padron';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { nss } from '../../support/requests/credit-request';
import { expectRefusal, send, sendRaw } from '../../support/requests/http';
import { nothingSpent } from '../../support/requests/money';

const JSON_TYPE = 'application/json; charset=utf-8';
const RESPONSE_TYPE = 'application/graphql-response+json; charset=utf-8';

const credit = `{ person(nss: "${nss}") { credit { outcome } } }`;
const headers = { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}` };

const padron = padronForTests();

const posted = (body: unknown, more: Readonly<Record<string, string>> = {}) =>
  send(padron.url, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });

describe('a response', () => {
  it.each([
    [undefined, JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/json', JSON_TYPE],
    ['text/html, application/*;q=0.5', JSON_TYPE],
    ['application/json;charset=utf-16', JSON_TYPE],
    ['application/graphql-response+json', RESPONSE_TYPE],
    ['application/graphql-response+json, application/json;q=0.9', RESPONSE_TYPE],
    ['application/json;q=0.1, application/graphql-response+json;q=0.2', RESPONSE_TYPE],
    ['application/json, application/graphql-response+json', JSON_TYPE],
    ['application/graphql-response+json;q=0, APPLICATION/JSON;q=0.1', JSON_TYPE],
    ['text/html;of="a, b", */*;q=0.8', JSON_TYPE],
  ])('to a client that accepts %s is %s', async (accept, type) => {
    const answer = await posted({ query: '{ __typename }' }, accept === undefined ? {} : { accept });
    expect(answer.headers['content-type']).toBe(type);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      { data: { __typename: 'Query' }, extensions: { units: nothingSpent } },
    ]);
  });

  it.each([
    'text/html',
    'application/json;q=0',
    'application/json;q=much',
    'constructor',
    'toString',
    '__proto__',
    'constructor/constructor',
    'application/__proto__',
  ])('is an error if the client accepts no media type of padron: %s', async (accept) => {
    expectRefusal(await posted({ query: credit }, { accept }), 406, 'NOT_ACCEPTABLE');
    expect(padron.calls()).toEqual([]);
  });

  it('must not be stored, and has the request ID', async () => {
    const answers = [
      await posted({ query: credit }),
      await posted({ query: '{' }),
      await send(`${padron.url}/nowhere`),
    ];
    for (const { headers } of answers) {
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(answers.length);
  });

  it('does not use a request ID of the client', async () => {
    const { headers } = await posted({ query: '{ __typename }' }, { 'x-request-id': nss });
    expect(headers['x-request-id']).not.toBe(nss);
  });

  it('has status 200 if a field failed, with the error and its path', async () => {
    const { status, text } = await posted({ query: credit }, { authorization: 'Bearer nobody' });
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      {
        data: { person: { credit: null } },
        errors: [{ path: ['person', 'credit'], extensions: { code: 'UNAUTHENTICATED' } }],
      },
    ]);
  });
});

describe('a document', () => {
  it.each([
    ['that cannot be parsed', { query: '{ person(' }, 400, 'GRAPHQL_PARSE_FAILED'],
    ['that is empty', { query: '' }, 400, 'BAD_REQUEST'],
    ['that is no text', { query: 7 }, 400, 'BAD_REQUEST'],
    ['that is missing', { variables: {} }, 400, 'BAD_REQUEST'],
    ['of an unknown field', { query: '{ nobody }' }, 400, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'whose operation does not exist',
      { query: 'query a { __typename }', operationName: 'b' },
      400,
      'OPERATION_RESOLUTION_FAILURE',
    ],
    [
      'with a wrong variable',
      { query: 'query ($n: NSS) { person(nss: $n) { nss } }', variables: { n: 5 } },
      400,
      'BAD_USER_INPUT',
    ],
    ['with variables that are none', { query: '{ __typename }', variables: 'x' }, 400, 'BAD_REQUEST'],
  ])('%s is rejected', async (_what, body, status, code) => {
    expectRefusal(await posted(body, { accept: 'application/graphql-response+json' }), status, code);
    // A client that names application/json alone need not read a body behind another status than 200.
    const legacy = code === 'BAD_REQUEST' ? status : 200;
    expectRefusal(await posted(body, { accept: 'application/json' }), legacy, code);
    expect(padron.calls()).toEqual([]);
  });

  it('that is nested too deeply is rejected before it is parsed', async () => {
    const query = '{a'.repeat(4990) + '}'.repeat(4990);
    expectRefusal(await posted({ query }), 400, 'GRAPHQL_PARSE_FAILED');
  });

  it('is accepted with 15,000 tokens, and rejected with one more', async () => {
    const aliased = Array.from({ length: 4_999 }, (_, index) => `a${index}: __typename`).join(' ');
    expect((await posted({ query: `{ ${aliased} __typename }` })).status).toBe(200);
    expectRefusal(await posted({ query: `{ ${aliased} __typename __typename }` }), 400, 'GRAPHQL_PARSE_FAILED');
  });

  it('is sent alone: an array of operations is rejected', async () => {
    expectRefusal(await posted([{ query: credit }, { query: credit }]), 400, 'BAD_REQUEST');
    expect(padron.calls()).toEqual([]);
  });

  it('may be sent by its hash once it is known', async () => {
    const query = '{ registryEndpoints { units } }';
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    expectRefusal(await posted({ extensions }), 200, 'PERSISTED_QUERY_NOT_FOUND');
    expect((await posted({ query, extensions })).status).toBe(200);
    expect(JSON.parse((await posted({ extensions })).text).data.registryEndpoints.length).toBeGreaterThan(5);
  });
});

describe('a representation', () => {
  it.each(['"Nobody"', '"Query"', '"constructor"', 'null'])(
    'of the type %s, which is not an entity, is a client error and does not affect other representations',
    async (type) => {
      const good = '{__typename: "Person", nss: "04159600263"}';
      const query = `{ _entities(representations: [${good}, {__typename: ${type}}, 5, ${good}]) { ... on Person { nss } } }`;
      const { data, errors } = JSON.parse((await posted({ query })).text);
      const person = { nss: '04159600263' };
      expect(data._entities).toEqual([person, null, null, person]);
      const fault = (index: number) => ({ path: ['_entities', index], extensions: { code: 'BAD_USER_INPUT' } });
      expect(errors).toMatchObject([fault(1), fault(2)]);
      expect(JSON.stringify(errors)).not.toContain('Nobody');
    },
  );
});

describe('introspection', () => {
  it('returns neither the schema nor suggestions if it is off', async () => {
    const closed = await runPadron({ environment: { INTROSPECTION: 'off' } });
    const schema = await closed.ask('{ __schema { types { name } } }');
    const mistakes = [
      '{ persn { nss } }',
      '{ person(nas: "1") { nss } }',
      '{ person { licences(match: EXACTLY) { outcome } } }',
      '{ person(name: { names: "A", paternalSurname: "B", namess: "C" }) { nss } }',
      '{ ... on Persn { nss } }',
      '{ professionalLicence { outcome } }',
      '{ ...f } fragment f on Query { a: __type(name: "Person") { fields { name } } }',
    ];
    const answers = [schema];
    for (const query of mistakes) answers.push(await closed.ask(query));
    await closed.stop();
    expect([schema.status, schema.data]).toEqual([400, undefined]);
    for (const { status, errors } of answers) {
      expect([status, JSON.stringify(errors)]).toEqual([
        400,
        expect.not.stringMatching(/did you mean|"person"|EXACT, ALL|maternalSurname|registryEndpoints/i),
      ]);
    }
  });

  it('is on by default, with suggestions', async () => {
    expect((await padron.ask('{ __schema { queryType { name } } }')).data.__schema.queryType.name).toBe('Query');
    expect((await padron.ask('{ persn { nss } }')).errors?.[0].message).toMatch(/Did you mean "person"/);
  });
});

const preflighted = { authorization: `Bearer ${SANDBOX_TOKEN}`, 'apollo-require-preflight': 'true' };
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

  it('is rejected for the ID of an operation, which is a secret', async () => {
    expectRefusal(await got('{ registryOperation(id: "a-secret-of-its-owner") { until } }'), 405, 'BAD_REQUEST');
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
