import { brotliCompressSync, gzipSync } from 'node:zlib';
import { people } from '../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { DOWNLOAD, LINK, payer, receiptsIn } from '../../support/operations/employer-graph';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import type { RelayedAnswer, Tamper } from '../../support/proxies/tampering-proxy';

const { nss } = findOrThrow(people, ({ credit }) => !!credit);
const credit = `{ person(nss: "${nss}") { credit { outcome problems { code message } evidence { status units billing } } } }`;
const receiptFiles = `{ employer(registration: "${payer.registration}") {
  receiptFiles(period: "2025-02", folio: "${receiptsIn(payer, '2025-02')[0]?.folio}") {
    outcome xml { content contentProblem { code message } cfdi { uuid } } } } }`;
const found = { outcome: 'FOUND', problems: [], evidence: { status: 200, units: 1, billing: 'CHARGED' } };

const padron = proxiedPadronForTests();
/** An answer counts the failures from zero, of which ten in a row would open the circuit breaker. */
afterEach(async () => {
  padron.proxy.reset();
  await padron.ask(credit);
});

async function ask(tamper: Tamper) {
  padron.proxy.tamper(tamper);
  const { data, errors } = await padron.ask(credit);
  expect(errors).toBeUndefined();
  expect(padron.proxy.requests).toHaveLength(1);
  return data.person.credit;
}

async function askFile(tamper: Tamper) {
  padron.proxy.tamper((answer, request) => (request.path.includes('/archivo/') ? tamper(answer, request) : null));
  const { data } = await padron.ask(receiptFiles);
  return data.employer.receiptFiles.xml;
}

const encoded = (coding: string, bytes: Buffer) => ({ headers: { 'content-encoding': coding }, bytes });
const received = ({ status, headers, bytes }: RelayedAnswer): Buffer => {
  const lines = Object.entries({ ...headers, 'content-length': bytes.length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} OK\r\n${lines.join('\r\n')}\r\n\r\n`), bytes]);
};

describe('an answer that can be read', () => {
  const codings = [
    'Identity',
    'IDENTITY',
    '',
    'identity, identity',
    'none',
    'UTF-8',
    'utf8',
    'aws-chunked',
    'binary',
    'x-own',
  ];

  it.each(codings)('is read if its coding is «%s»', async (coding) => {
    expect(await ask(({ bytes }) => encoded(coding, bytes))).toEqual(found);
    expect(await askFile(({ bytes }) => encoded(coding, bytes))).toMatchObject({
      content: expect.any(String),
      contentProblem: null,
    });
    expect(padron.calls()).toEqual(expect.arrayContaining([DOWNLOAD, LINK]));
  });

  it.each(['gzip', 'GZIP', 'x-gzip', 'identity, gzip'])('is unpacked if its coding is «%s»', async (coding) => {
    expect(await ask(({ bytes }) => encoded(coding, gzipSync(bytes)))).toEqual(found);
    expect(await askFile(({ bytes }) => encoded(coding, gzipSync(bytes)))).toMatchObject({
      contentProblem: null,
      cfdi: { uuid: expect.any(String) },
    });
  });

  it('is read if it is not packed, although its coding is gzip', async () => {
    expect(await ask(({ bytes }) => encoded('gzip', bytes))).toEqual(found);
  });

  it.each([1, 2])('is read after 100 Continue, sent %i times', async (times) => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
    const answer = await ask((relayed) => ({ socket }) => {
      socket?.write(interim.repeat(times));
      setTimeout(() => socket?.end(received(relayed)), 20);
    });
    expect(answer).toEqual(found);
    const together = (relayed: RelayedAnswer) => Buffer.concat([Buffer.from(interim.repeat(times)), received(relayed)]);
    padron.proxy.reset();
    expect(
      await ask(
        (relayed) =>
          ({ socket }) =>
            void socket?.end(together(relayed)),
      ),
    ).toEqual(found);
  });

  it.each([17_000, 60_000])('is read with %i bytes of headers', async (size) => {
    expect(await ask(() => ({ headers: { 'x-policy': 'a'.repeat(size) } }))).toEqual(found);
  });
});

describe('an answer that cannot be read', () => {
  const large = Buffer.alloc(3_000_000, ' ');

  it.each<[string, RegExp, number | null, Tamper]>([
    ['packed as br', /coding.* br/, 200, ({ bytes }) => encoded('br', brotliCompressSync(bytes))],
    ['packed and cut', /gzip/, 200, ({ bytes }) => encoded('gzip', gzipSync(bytes).subarray(0, 40))],
    ['larger than the limit when it is unpacked', /larger/, 200, () => encoded('gzip', gzipSync(large))],
    ['larger than the limit', /larger/, 200, () => ({ bytes: large })],
    [
      'without an end of its headers within 64 KiB',
      /headers/,
      null,
      () => ({ headers: { 'x-policy': 'a'.repeat(70_000) } }),
    ],
    [
      'not HTTP',
      /HTTP/,
      null,
      () =>
        ({ socket }) =>
          void socket?.end('SSH-2.0\r\n'),
    ],
  ])('says why if it is %s', async (_, message, status, tamper) => {
    const answer = await ask(tamper);
    expect(answer).toMatchObject({ outcome: 'UNAVAILABLE', evidence: { status, units: 0, billing: 'UNKNOWN' } });
    expect(answer.problems).toEqual([{ code: 'UNUSABLE_ANSWER', message: expect.stringMatching(message) }]);
  });

  it.each<[string, RegExp, Tamper]>([
    ['is packed and cut', /gzip/, ({ bytes }) => encoded('gzip', gzipSync(bytes).subarray(0, 40))],
    ['answers another status', /HTTP 302/, () => ({ status: 302, headers: { location: '/' } })],
  ])('says why if it is a link that %s', async (_, message, tamper) => {
    const contentProblem = { code: 'UNUSABLE_FILE', message: expect.stringMatching(message) };
    expect(await askFile(tamper)).toMatchObject({ content: null, contentProblem });
  });
});
