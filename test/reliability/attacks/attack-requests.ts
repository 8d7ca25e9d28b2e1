import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { type HttpAnswer, send, sendRaw } from '../../support/requests/http';
import { asked, json, type Probe, posted, probe } from './probe';

const alive = '{"query":"{ __typename }"}';
const BAD = 'BAD_REQUEST';
const typed = `content-type: application/json\r\nauthorization: Bearer ${SANDBOX_TOKEN}`;

/** Sends a request as bytes, with these header lines, and closes the connection. */
function raw(lines: readonly string[], body = alive, first = 'POST /graphql HTTP/1.1'): Probe['send'] {
  return async (url) => {
    const head = [first, 'connection: close', ...lines].join('\r\n');
    return read(await sendRaw(url, `${head}\r\n\r\n${body}`));
  };
}

const length = `content-length: ${alive.length}`;
const usual = ['host: padron', typed, length];

/** Parses the last response in the received bytes. */
function read(received: string): HttpAnswer {
  const last = received.slice(received.lastIndexOf('HTTP/1.1 '));
  const [head = '', ...rest] = last.split('\r\n\r\n');
  const headers = head
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(/: (.*)/s));
  return {
    status: Number(head.split(' ')[1]),
    headers: Object.fromEntries(headers.map(([name = '', value = '']) => [name.toLowerCase(), value])),
    text: rest.join('\r\n\r\n'),
  };
}

const override = (header: string, method: string): Probe =>
  probe(`another method by ${header}`, null, posted(alive, { [header]: method }));

const postTo = (path: string): Probe['send'] => raw(usual, alive, `POST ${path} HTTP/1.1`);
const lost = { status: 404 } as const;

/** HTTP requests that no client library would send, or that try to override the method, host or path. */
export const requestAttacks: readonly Probe[] = [
  override('x-http-method-override', 'DELETE'),
  override('x-method-override', 'GET'),
  probe(
    'another path by x-original-url',
    null,
    posted(alive, { 'x-original-url': '/metrics', 'x-rewrite-url': '/metrics' }),
  ),
  probe(
    'another host and protocol',
    null,
    posted(alive, { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil' }),
    { silentOn: /evil/ },
  ),
  probe('a header with a line break', BAD, raw([...usual, 'x-sandbox: true\nset-cookie: a=b'])),
  probe('a header with a carriage return', BAD, raw([...usual, 'x-sandbox: true\rset-cookie: a=b'])),
  probe('a header with a NUL', BAD, raw([...usual, 'x-a: \u0000'])),
  probe('a folded header', BAD, raw([...usual, 'x-a: b\r\n folded'])),
  probe('a blank before a colon', BAD, raw([...usual, 'x-a : b'])),
  probe('a header without a name', BAD, raw([...usual, ': b'])),
  probe('ten thousand headers', BAD, raw([...usual, ...Array.from({ length: 10_000 }, (_, i) => `x-${i}: b`)]), {
    status: 431,
  }),
  probe('a length and chunks', BAD, raw([...usual, 'transfer-encoding: chunked'], `1a\r\n${alive}\r\n0\r\n\r\n`)),
  probe('an unknown transfer encoding', BAD, raw(['host: padron', typed, 'transfer-encoding: xchunked'])),
  probe('invalid chunks', BAD, raw(['host: padron', typed, 'transfer-encoding: chunked'], 'zz\r\n')),
  probe(
    'a chunk of excessive length',
    BAD,
    raw(['host: padron', typed, 'transfer-encoding: chunked'], 'FFFFFFFFFFFFFFFFFF\r\n'),
  ),
  probe(
    'a chunk with an extension',
    null,
    raw(
      ['host: padron', typed, 'transfer-encoding: chunked'],
      `${alive.length.toString(16)};a=b\r\n${alive}\r\n0\r\n\r\n`,
    ),
  ),
  probe('a negative length', BAD, raw(['host: padron', typed, 'content-length: -1'])),
  probe('an excessive length', BAD, raw(['host: padron', typed, 'content-length: 99999999999999999999'])),
  probe('a length of 90 GB', 'PAYLOAD_TOO_LARGE', raw(['host: padron', typed, 'content-length: 90000000000']), {
    status: 413,
  }),
  probe('no Host', BAD, raw([typed, length])),
  probe('HTTP/1.0', null, raw([typed, length], alive, 'POST /graphql HTTP/1.0')),
  probe('HTTP/0.9', BAD, raw([], '', 'GET /graphql')),
  probe('the beginning of HTTP/2', BAD, raw([], 'SM\r\n\r\n', 'PRI * HTTP/2.0')),
  probe('the beginning of TLS', BAD, raw([], '\u0016\u0003\u0001\u0002\u0000', '\u0016\u0003\u0001')),
  probe('a method in lower case', BAD, raw(usual, alive, 'post /graphql HTTP/1.1')),
  probe(
    'an upgrade to a web socket',
    BAD,
    raw(['host: padron', 'connection: upgrade', 'upgrade: websocket'], '', 'GET /graphql HTTP/1.1'),
  ),
  probe('an upgrade to HTTP/2', null, raw([...usual, 'upgrade: h2c', 'http2-settings: AAMAAABk'])),
  probe('a supported expectation', null, raw([...usual, 'expect: 100-continue'])),
  probe('an unknown expectation', BAD, raw([...usual, 'expect: miracles']), { status: 417 }),
  probe('the URL of another server', null, postTo('http://evil.example/graphql'), { silentOn: /evil/ }),
  probe('the path `*`', 'NOT_FOUND', raw(['host: padron'], '', 'OPTIONS * HTTP/1.1'), lost),
  probe('a path with parent folders', 'NOT_FOUND', postTo('/graphql/../etc/passwd'), lost),
  probe('a path with encoded parent folders', 'NOT_FOUND', postTo('/graphql/%2e%2e/%2e%2e/etc/passwd'), lost),
  probe('a path with a NUL', 'NOT_FOUND', postTo('/graphql%00'), lost),
  probe('a path of 10 kB', 'NOT_FOUND', postTo(`/${'a'.repeat(10_000)}`), lost),
  probe(
    'two requests at once on one connection',
    null,
    raw(
      [],
      `${alive}`,
      `POST /graphql HTTP/1.1\r\n${usual.join('\r\n')}\r\n\r\n${alive}POST /graphql HTTP/1.1\r\n${usual.join('\r\n')}`,
    ),
  ),
  probe('a body with GET', BAD, (url) =>
    send(url, { method: 'GET', headers: { ...json, 'apollo-require-preflight': '1' }, body: alive }),
  ),
  probe(
    'a token of 10 kB',
    'UNAUTHENTICATED',
    asked(
      '{ professionalLicence(number: "1234567") { outcome } }',
      {},
      { authorization: `Bearer ${'x'.repeat(10_000)}` },
    ),
    { status: 200, silentOn: /xxx/ },
  ),
  probe('a thousand accepted media types', null, posted(alive, { accept: `${'a/b;q=0.1,'.repeat(1_000)}*/*` })),
];
