import { once } from 'node:events';
import { Server } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { handMade, inSeconds } from '../../support/keys/identity-provider';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { KEY_SET } from '../../support/padrons/settings';
import { withPadron } from '../../support/padrons/with-padron';
import { waitUntil } from '../../support/proxies/deferred';
import { expectRefusal, send, sendRaw } from '../../support/requests/http';
import { card } from '../../support/sandbox/cards';
import { type RunningServer, startServer } from '../../support/start-server';

const headers = { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}` };

const padron = padronForTests();

describe('a body that is not a GraphQL request', () => {
  it.each([
    ['malformed JSON', '{"query":"{ SECRET'],
    ['nothing', ''],
    ['null', 'null'],
    ['a text', '"{ __typename }"'],
    ['a number', '1'],
    ['an empty object', '{}'],
    ['a poisoned prototype', '{"query":"{ __typename }","__proto__":{}}'],
    ['a poisoned prototype, written in other signs', '{"query":"{ __typename }","\\u005f_proto__":{}}'],
    ['a poisoned constructor', '{"query":"{ __typename }","constructor":{"prototype":{}}}'],
  ])('is rejected: %s', async (_what, body) => {
    const answer = await send(padron.url, { method: 'POST', headers, body });
    expectRefusal(answer, 400, 'BAD_REQUEST');
    expect(answer.text).not.toContain('SECRET');
  });

  it.each(['application/xml', 'application/x-www-form-urlencoded', 'application/graphql', 'nonsense'])(
    'is rejected as %s',
    async (type) => {
      const sent = {
        method: 'POST',
        headers: { ...headers, 'content-type': type },
        body: '{"query":"{ __typename }"}',
      };
      expectRefusal(await send(padron.url, sent), 415, 'UNSUPPORTED_MEDIA_TYPE');
    },
  );

  it.each(['application/graphql+json', 'text/plain', 'nonsense'])('is rejected by GET as %s', async (type) => {
    const answer = await send(`${padron.url}?query={__typename}`, { headers: { ...headers, 'content-type': type } });
    expectRefusal(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('is rejected without a content type', async () => {
    const body = '{"query":"{ __typename }"}';
    expectRefusal(await send(padron.url, { method: 'POST', body }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('is rejected above 1 MB, with and without a content-length', async () => {
    const body = JSON.stringify({ query: '{ __typename }', variables: { x: 'x'.repeat(1_000_000) } });
    expectRefusal(await send(padron.url, { method: 'POST', headers, body }), 413, 'PAYLOAD_TOO_LARGE');
    const head = 'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked';
    const chunk = Buffer.byteLength(body).toString(16);
    expect(await sendRaw(padron.url, `${head}\r\n\r\n${chunk}\r\n${body}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('an empty name of an operation', () => {
  it('is no name, by POST and by GET', async () => {
    const body = JSON.stringify({ query: '{ __typename }', operationName: '' });
    const asked = [
      await send(padron.url, { method: 'POST', headers, body }),
      await send(`${padron.url}?query={__typename}&operationName=`, { headers }),
    ];
    for (const { status, text } of asked)
      expect([status, JSON.parse(text).data]).toEqual([200, { __typename: 'Query' }]);
  });
});

describe('an unknown path or method', () => {
  it('says what turns on the tools of agents and the explorer', async () => {
    const tools = await send(`${new URL(padron.url).origin}/mcp`, { method: 'POST', headers, body: '{}' });
    expectRefusal(tools, 404, 'NOT_FOUND');
    expect(tools.text).toContain('MCP=on');
    await withPadron({ environment: { EXPLORER: 'off', INTROSPECTION: 'off' } }, async ({ url, ask }) => {
      const page = await send(url, { headers: { accept: 'text/html' } });
      expectRefusal(page, 406, 'NOT_ACCEPTABLE');
      expect(page.text).toContain('EXPLORER=on');
      const { errors = [] } = await ask('{ __schema { queryType { name } } }');
      expect(errors).toMatchObject([
        { message: expect.stringContaining('INTROSPECTION=on'), extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
      ]);
    });
  });

  it.each(['/', '/SECRET', '/graphql/', '/graphqlx', '//graphql'])('is not found: %s', async (path) => {
    const answer = await send(new URL(padron.url).origin + path);
    expectRefusal(answer, 404, 'NOT_FOUND');
    expect(answer.text).not.toContain('SECRET');
  });

  it('is not found before its body is read', async () => {
    const sent = { method: 'POST', headers: { 'content-type': 'application/xml' }, body: '<a/>' };
    expectRefusal(await send(padron.url.replace('graphql', 'nowhere'), sent), 404, 'NOT_FOUND');
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'is rejected for the graph: %s',
    async (method) => {
      const answer = await send(padron.url, { method, headers });
      expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers.allow).toBe('GET, POST');
    },
  );

  it('is rejected for the graph without a body: HEAD', async () => {
    const { status, headers, text } = await send(padron.url, {
      method: 'HEAD',
      headers: { 'apollo-require-preflight': 'true' },
    });
    expect({ status, allow: headers.allow, text }).toEqual({ status: 405, allow: 'GET, POST', text: '' });
  });

  it.each(['/SECRET%', '/%ff', '/graphql%ff?query={__typename}'])(
    'is rejected if it is malformed: %s',
    async (path) => {
      const answer = await send(new URL(padron.url).origin + path);
      expectRefusal(answer, 400, 'BAD_REQUEST');
      expect(answer.text).not.toContain('SECRET');
    },
  );
});

describe('a request that no client library sends', () => {
  const body = '{"query":"{ __typename }"}';
  const rest = `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;

  it.each(['[', 'a b', '', ':', 'http://[::1', 'ñ'])('gets a response with any Host: %j', async (host) => {
    const answer = await sendRaw(padron.url, `POST /graphql HTTP/1.1\r\nhost: ${host}\r\n${rest}`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"data":\{"__typename":"Query"\},/);
  });

  it.each([
    ['no HTTP at all', 'SECRET\r\n\r\n', 400],
    ['more headers than anyone needs', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'SECRET'.repeat(5000)}\r\n\r\n`, 431],
    ['two lengths', `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nSECRET`, 400],
  ])('is rejected in the same format: %s', async (_what, bytes, status) => {
    const [head = '', text = ''] = (await sendRaw(padron.url, bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expectRefusal(
      { status, headers: { 'content-type': /content-type: (.*)/.exec(head)?.[1] }, text },
      status,
      'BAD_REQUEST',
    );
    expect(text).not.toContain('SECRET');
  });
});

describe('a client that disconnects', () => {
  it('during its body does not affect other requests', async () => {
    const { port } = new URL(padron.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.end('POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{');
    await new Promise((resolve) => socket.once('close', resolve).resume());
    expect((await padron.ask('{ __typename }')).data).toEqual({ __typename: 'Query' });
  });
});

describe('a request that does not arrive completely', () => {
  it.each([
    ['its head', 'POST /graphql HTTP/1.1\r\nhost: a\r\n'],
    [
      'its body',
      'POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{"q',
    ],
  ])('gets a response with the reason after a minute, and its connection is closed: %s', async (_, bytes) => {
    const timeouts: number[] = [];
    const { listen } = Server.prototype;
    const spy = jest.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...address) {
      timeouts.push(this.requestTimeout);
      // The same watch, faster: Node looks for late requests at intervals.
      Object.assign(this, { requestTimeout: 60, headersTimeout: 60, connectionsCheckingInterval: 20 });
      return Reflect.apply(listen, this, address);
    });
    await withPadron({}, async ({ url }) => {
      spy.mockRestore();
      // The last one to listen is padron, after its sandbox.
      expect(timeouts.at(-1)).toBe(60_000);
      const [head = '', body = ''] = (await sendRaw(url, bytes)).split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 408 /);
      expect(JSON.parse(body)).toEqual({
        errors: [{ message: 'The request took too long to arrive.', extensions: { code: 'BAD_REQUEST' } }],
      });
    });
  });
});

const slowQuery = `{ person(nss: "${card('slow', 'nss')}") { credit { outcome } } }`;

describe('health', () => {
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
    await waitUntil(async () => (await padron.ask('{ registryEndpoints { units } }')).status === 200);
  });
});
