import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { request } from 'undici';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { JWT_SECRET, signedBySecret } from '../../support/keys/identity-provider';
import { post } from '../../support/padrons/padron';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import { withPadron } from '../../support/padrons/with-padron';
import { waitUntil } from '../../support/proxies/deferred';
import { holdResponses } from '../../support/proxies/held-responses';
import { card } from '../../support/sandbox/cards';

const [person, second, third] = people.filter(({ credit, account }) => credit && account) as [Person, Person, Person];
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
type Line = Readonly<Record<string, unknown>>;
type Person = (typeof people)[number];

const padron = proxiedPadronForTests({ REPLAY_SECONDS: '30' });
/** Number of lines before the test. */
let before = 0;
beforeEach(() => {
  before = padron.log.length;
});

const lines = (): readonly Line[] =>
  padron.log
    .slice(before)
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => msg === 'request');
/** The lines of so many requests, once they are there: a line is written when its connection knows that all is sent. */
async function linesOf(count: number): Promise<readonly Line[]> {
  await waitUntil(() => lines().length >= count);
  return lines();
}
const named = (name: string, fields: string, nss = person.nss) =>
  `query ${name} { person(nss: "${nss}") { ${fields} } }`;

describe('the log line of a request', () => {
  it('has the name of the operation, outcomes, units, time and request ID', async () => {
    const { headers } = await padron.ask(named('Profile', 'credit { outcome } housingAccount { outcome }'));
    expect(await linesOf(1)).toEqual([
      {
        level: 30,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        msg: 'request',
        requestId: headers['x-request-id'],
        path: '/graphql',
        operation: 'Profile',
        account: expect.stringMatching(/^[\w-]{22}$/),
        client: null,
        status: 200,
        outcomes: { FOUND: 2 },
        units: 2,
        uncertain: 0,
        saved: 0,
        ms: expect.any(Number),
      },
    ]);
    expect(headers['x-request-id']).toMatch(UUID);
  });

  it('has a hash of the account, which differs between accounts', async () => {
    await padron.ask(named('A', 'nss'));
    await padron.ask(named('B', 'nss'));
    await padron.ask(named('C', 'nss'), {}, { authorization: 'Bearer somebody' });
    const [a, b, c] = (await linesOf(3)).map(({ account }) => account);
    expect(a).toBe(b);
    expect(c).not.toBe(a);
    expect(padron.log.join()).not.toContain(SANDBOX_TOKEN);
  });

  it('counts every outcome: called, replayed and rejected', async () => {
    await padron.ask(named('First', 'credit { outcome }', second.nss));
    const fields = 'credit { outcome } identity { outcome }';
    const wrong = 'wrong: person(nss: "12345678901") { credit { outcome } }';
    const broken = `broken: person(nss: "${card('server-error', 'nss')}") { housingAccount { outcome } }`;
    await padron.ask(`query Second { person(nss: "${second.nss}") { ${fields} } ${wrong} ${broken} }`);
    const [, line] = await linesOf(2);
    expect(line).toMatchObject({ operation: 'Second', units: 1, uncertain: 1, saved: 1 });
    expect(line?.outcomes).toEqual({ FOUND: 2, INVALID_INPUT: 1, UNAVAILABLE: 1 });
  });

  it.each([
    ['Profile_of_2026', null],
    ['Profile2', 'Profile2'],
    [person.curp, null],
    [`q${person.nss}`, null],
    [`nss_${[...person.nss].join('_')}`, null],
    [`q_${person.nss.slice(0, 3)}_${person.nss.slice(3, 6)}_${person.nss.slice(6, 9)}`, null],
    ['q'.repeat(65), null],
  ])('has the name of the operation unless it may be an identifier: %s', async (name, logged) => {
    await padron.ask(named(name, 'nss'));
    const [line] = await linesOf(1);
    expect(line?.operation).toBe(logged);
    expect(padron.log.join()).not.toContain(person.nss);
  });

  it.each([
    ['is rejected for its document', '{', {}, 400, { GRAPHQL_PARSE_FAILED: 1 }],
    ['is rejected for its shape', '{'.repeat(500), {}, 400, { GRAPHQL_PARSE_FAILED: 1 }],
    ['has unknown fields', '{ a b }', {}, 400, { GRAPHQL_VALIDATION_FAILED: 2 }],
    ['is rejected for its headers', '{ __typename }', { 'x-max-units': 'many' }, 400, { BAD_USER_INPUT: 1 }],
    ['accepts no JSON', '{ __typename }', { accept: 'image/png' }, 406, { NOT_ACCEPTABLE: 1 }],
    ['is not JSON', '{ __typename }', { 'content-type': 'application/yaml' }, 415, { UNSUPPORTED_MEDIA_TYPE: 1 }],
    ['has no token', named('A', 'credit { outcome }'), { authorization: '' }, 200, { UNAUTHENTICATED: 1 }],
  ])('is written if the request %s, with the codes of its errors', async (_, query, headers, status, errors) => {
    await padron.ask(query, {}, headers);
    expect(await linesOf(1)).toMatchObject([
      { status, errors, units: 0, path: '/graphql', requestId: expect.stringMatching(UUID) },
    ]);
  });

  it('says that a request did not come through the router', () =>
    withPadron({ environment: { SUBGRAPH_SECRET: 's'.repeat(32) } }, async ({ ask, log }) => {
      const refused = await ask('{ __typename }');
      expect(refused.errors?.[0].message).toContain('`x-subgraph-secret`');
      await waitUntil(() => log.length > 0);
      expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({ path: '/graphql', status: 403, errors: { FORBIDDEN: 1 } });
    }));

  it.each([
    [{ 'x-client-name': 'payroll' }, 'payroll'],
    [{ 'apollographql-client-name': 'portal' }, 'portal'],
    [{ 'x-client-name': 'payroll', 'apollographql-client-name': 'portal' }, 'payroll'],
    [{ 'x-client-name': 'maria@example.com' }, null],
    [{ 'x-client-name': person.curp }, null],
    [{ 'x-client-name': person.nss }, null],
  ])('names its client, unless the name may be an identifier: %j', async (headers, client) => {
    await padron.ask(named('A', 'nss'), {}, headers);
    expect(await linesOf(1)).toMatchObject([{ operation: 'A', client }]);
    expect(padron.log.join()).not.toContain(person.nss);
  });
});

describe('the log line of a request with a JWT', () => {
  it('names the client of the JWT, not the one of the header', () =>
    withPadron({ environment: { REGISTRY_TOKEN: SANDBOX_TOKEN, JWT_SECRET } }, async ({ ask, log }) => {
      const authorization = `Bearer ${signedBySecret(JWT_SECRET, { azp: 'payroll' })}`;
      await ask('{ __typename }', {}, { authorization, 'x-client-name': 'portal' });
      await waitUntil(() => log.length > 0);
      expect(JSON.parse(log.at(-1) ?? '')).toMatchObject({ msg: 'request', client: 'payroll' });
    }));
});

describe('the log line of a request whose client disconnects', () => {
  const ask = (signal: AbortSignal): Promise<unknown> =>
    request(padron.url, {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}` },
      body: JSON.stringify({ query: named('Left', 'credit { outcome }', third.nss) }),
    }).catch(() => null);

  it('has the units that were spent', async () => {
    const held = holdResponses(padron.proxy);
    const controller = new AbortController();
    const asked = ask(controller.signal);
    await held.arrived(1);
    controller.abort();
    await asked;
    held.release();
    expect(await linesOf(1)).toMatchObject([{ operation: 'Left', status: null, outcomes: { FOUND: 1 }, units: 1 }]);
    expect(lines()).toHaveLength(1);
  });

  it('is written even if the body does not arrive', async () => {
    const socket = connect(Number(new URL(padron.url).port), '127.0.0.1');
    socket.write('POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 99\r\n');
    socket.write('expect: 100-continue\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    expect(await linesOf(1)).toMatchObject([{ operation: null, status: null, units: 0 }]);
  });
});

describe('requests on one connection', () => {
  it('have one log line each', async () => {
    await post(padron.url, { query: '{ __typename }' });
    await post(padron.url, { query: '{ __typename }' });
    expect(new Set((await linesOf(2)).map(({ requestId }) => requestId)).size).toBe(2);
    expect(lines()).toHaveLength(2);
  });
});

describe('the code that writes output', () => {
  const sources = readdirSync(join(__dirname, '../../../src'), { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        file.endsWith('.ts') && !file.startsWith('extensions/explorer/page') && !file.startsWith('extensions/sandbox'),
    )
    .map((file) => [file, readFileSync(join(__dirname, '../../../src', file), 'utf8')] as const);
  const filesWith = (pattern: RegExp): readonly string[] =>
    sources.filter(([, text]) => pattern.test(text)).map(([file]) => file);

  it('is one class for the log, which accepts names and numbers only', () => {
    expect(filesWith(/from 'pino'/)).toEqual([join('server', 'telemetry', 'logger.ts')]);
    expect(filesWith(/console\.|process\.emitWarning/)).toEqual([]);
  });

  // The command is a separate program, and writes what its user asked for.
  it('is otherwise the greeting and the errors of the start', () => {
    expect(new Set(filesWith(/process\.std(out|err)/))).toEqual(
      new Set([
        join('cli', 'program.ts'),
        join('extensions', 'batch', 'command', 'batch-command.ts'),
        join('cli', 'main.ts'),
        join('cli', 'migrate-command.ts'),
        'main.ts',
      ]),
    );
  });
});
