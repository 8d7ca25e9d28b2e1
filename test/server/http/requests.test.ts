import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { handMade, inSeconds } from '../../support/keys/identity-provider';
import { CREDIT } from '../../support/operations/people-endpoints';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { KEY_SET } from '../../support/padrons/settings';
import { expectRefusal, send, sendRaw } from '../../support/requests/http';
import { card } from '../../support/sandbox/cards';
import { type RunningServer, startServer } from '../../support/start-server';

describe('requests by GET', () => {
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
      [
        'a field behind an inline fragment',
        `{ person(nss: "${nss}") { ... { ... on Person { credit { outcome } } } } }`,
      ],
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
});

describe('requests about health', () => {
  const slowQuery = `{ person(nss: "${card('slow', 'nss')}") { credit { outcome } } }`;

  describe('health', () => {
    const padron = padronForTests();

    it.each([
      ['live', { status: 'ok' }],
      ['ready', { status: 'ok', service: 'remote' }],
    ])('reports that the process is %s, without a token or a call', async (kind, expected) => {
      const { status, text, headers } = await send(padron.url.replace('graphql', `health/${kind}`));
      expect([status, JSON.parse(text)]).toEqual([200, expected]);
      expect(headers).not.toHaveProperty('x-registry-service');
      expect(padron.calls()).toEqual([]);
    });
  });

  describe('a stop', () => {
    it('does not wait for a request whose body does not arrive', async () => {
      const padron = await runPadron();
      const { socket, closed } = await announce(padron, 100);
      await padron.stop();
      await closed;
      expect(socket.destroyed).toBe(true);
    });

    it('rejects a request whose body arrives after it began', async () => {
      const padron = await runPadron();
      const body = JSON.stringify({ query: slowQuery });
      const { socket, received, closed } = await announce(padron, body.length);
      const slow = padron.ask(slowQuery);
      await underWay(padron);
      const stopped = padron.stop();
      socket.write(body);
      await Promise.all([closed, slow, stopped]);
      expect(received()).toMatch(/HTTP\/1\.1 503 [\s\S]*SHUTTING_DOWN/);
      expect(padron.calls()).toHaveLength(1);
    });

    /** Sends the head of a request, and waits until the server has read it: it says that the body may come. */
    async function announce({ url }: RunningPadron, length: number) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      let text = '';
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      const closed = new Promise((resolve) => socket.once('close', resolve));
      const head = `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${length}`;
      socket.write(`${head}\r\nexpect: 100-continue\r\n\r\n`);
      await once(socket, 'data');
      return { socket, closed, received: () => text };
    }

    async function underWay({ callsInFull }: RunningPadron): Promise<void> {
      while (callsInFull().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
});

describe('requests whose clients disconnect', () => {
  describe('callers that disconnect during authentication', () => {
    let keys: RunningServer;
    let padron: RunningPadron;
    beforeAll(async () => {
      keys = await startServer((_request, response) => void setTimeout(() => response.end('{"keys":[]}'), 400));
      const environment = {
        REGISTRY_TOKEN: SANDBOX_TOKEN,
        ...KEY_SET,
        JWT_JWKS_URL: `${keys.url}/keys`,
        LIMIT_REQUESTS: '2',
      };
      padron = await runPadron({ environment });
    });
    afterAll(async () => {
      await padron.stop();
      await keys.close();
    });

    it('do not count as running requests', async () => {
      const token = handMade({ alg: 'RS256', kid: 'nobody' }, { exp: inSeconds(60) }, 'AAAA');
      const { hostname, port } = new URL(padron.url);
      const leaving = Array.from({ length: 4 }, async () => {
        const socket = connect(Number(port), hostname);
        socket.write(
          `GET /graphql?query=%7B__typename%7D HTTP/1.1\r\nhost: x\r\napollo-require-preflight: 1\r\nauthorization: Bearer ${token}\r\n\r\n`,
        );
        await sleep(100);
        socket.destroy();
      });
      await Promise.all(leaving);
      await sleep(800);
      expect((await padron.ask('{ registryEndpoints { units } }')).status).toBe(200);
    });
  });
});
