import { setTimeout as sleep } from 'node:timers/promises';
import { people } from '../../../src/sandbox/data/people';
import { findOrThrow } from '../../support/find-or-throw';
import { byBase64, credentialOf } from '../../support/keys/signatures';
import { proxiedPadronForTests } from '../../support/padrons/padron-for-tests';
import type { RelayedAnswer } from '../../support/proxies/tampering-proxy';

const { nss } = findOrThrow(people, ({ credit }) => !!credit);
const query = `{ person(nss: "${nss}") { credit { outcome problems { code } evidence { status billing units } } } }`;
const found = { outcome: 'FOUND', problems: [], evidence: { status: 200, billing: 'CHARGED', units: 1 } };

const continueResponse = 'HTTP/1.1 100 Continue\r\n\r\n';

/** The answer as bytes of HTTP. */
function written({ status, bytes }: RelayedAnswer): Buffer {
  const head = `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\ncontent-length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

const padron = proxiedPadronForTests();

/** The answers, with something in front of each, in pieces of the given length where one is given. */
function precedeBy(text: string, pieces: number | null = null): void {
  padron.proxy.tamper((answer) => async (response) => {
    const bytes = Buffer.concat([Buffer.from(text), written(answer)]);
    const length = pieces ?? bytes.length;
    const inPieces = Math.min(bytes.length, pieces === null ? 0 : 200);
    response.socket?.setNoDelay(true);
    for (let start = 0; start < inPieces; start += length) {
      response.socket?.write(bytes.subarray(start, Math.min(start + length, inPieces)));
      await sleep(1);
    }
    response.socket?.end(bytes.subarray(inPieces));
  });
}

describe('an answer that is preceded by an informational response', () => {
  it.each([
    ['100', continueResponse],
    ['100 in other words', 'HTTP/1.1 100 Siga\r\nx-trace: 1\r\ndate: now\r\n\r\n'],
    ['100 without words', 'HTTP/1.1 100\r\n\r\n'],
    ['100 of HTTP/1.0', 'HTTP/1.0 100 Continue\r\n\r\n'],
    ['100 three times', continueResponse.repeat(3)],
    ['102', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['103', 'HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n'],
    [
      '102, 100 and 103',
      `HTTP/1.1 102 Processing\r\n\r\n${continueResponse}HTTP/1.1 103 Early Hints\r\n\r\n${continueResponse}`,
    ],
  ])('is not lost: %s', async (_, text) => {
    precedeBy(text);
    expect((await padron.ask(query)).data.person.credit).toEqual(found);
    expect(padron.proxy.requests).toHaveLength(1);
  });

  it.each([1, 2, 7, 13])('is not lost if it arrives in pieces of %i bytes', async (pieces) => {
    precedeBy(`${continueResponse}HTTP/1.1 103 Early Hints\r\n\r\n${continueResponse}`, pieces);
    expect((await padron.ask(query)).data.person.credit).toEqual(found);
    expect(padron.proxy.requests).toHaveLength(1);
  });

  it('is not lost on a reused connection, before each answer and while a body is still being sent', async () => {
    padron.proxy.tamper((answer) => (response) => {
      response.writeContinue();
      response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': answer.bytes.length });
      response.write(answer.bytes.subarray(0, 10));
      setTimeout(() => response.end(answer.bytes.subarray(10)), 5);
    });
    for (let time = 0; time < 5; time += 1) expect((await padron.ask(query)).data.person.credit).toEqual(found);
    const { data } = await byBase64(padron, credentialOf('person'));
    expect(data.verifySignature).toMatchObject({ outcome: 'FOUND', valid: true });
    expect(padron.proxy.requests).toHaveLength(6);
  });

  it('keeps a similar text within its body', async () => {
    padron.proxy.tamper(({ json }) => ({ json: { ...(json as object), message: continueResponse } }));
    const { data } = await padron.ask(`{ person(nss: "${nss}") { credit { outcome evidence { message } } } }`);
    expect(data.person.credit).toEqual({ outcome: 'FOUND', evidence: { message: continueResponse } });
  });

  it('is reported as interrupted if nothing follows', async () => {
    padron.proxy.tamper(
      () =>
        ({ socket }) =>
          void socket?.end(continueResponse),
    );
    expect((await padron.ask(query)).data.person.credit).toEqual({
      outcome: 'UNAVAILABLE',
      problems: [{ code: 'REGISTRY_UNREACHABLE' }],
      evidence: { status: null, billing: 'UNKNOWN', units: 0 },
    });
  });

  it('is unusable if the informational responses never end', async () => {
    padron.proxy.tamper(() => ({ socket }) => {
      const timer = setInterval(() => socket?.write(`HTTP/1.1 100 Continue\r\nx: ${'x'.repeat(60_000)}`), 1);
      socket?.once('close', () => clearInterval(timer));
    });
    expect((await padron.ask(query)).data.person.credit).toEqual({
      outcome: 'UNAVAILABLE',
      problems: [{ code: 'UNUSABLE_ANSWER' }],
      evidence: { status: null, billing: 'UNKNOWN', units: 0 },
    });
  });
});
