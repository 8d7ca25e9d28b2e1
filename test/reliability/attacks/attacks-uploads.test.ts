import { once } from 'node:events';
import { connect } from 'node:net';
import { credentialOf, signatureForm, TODAY } from '../../support/keys/signatures';
import { padronForTests } from '../../support/padrons/padron-for-tests';
import { uploadAttacks } from './attack-uploads';
import { json, tryProbes } from './probe';

const person = credentialOf('person');
const whole = signatureForm(person);

const padron = padronForTests({ now: () => TODAY });

it.each(uploadAttacks.map((probe) => [probe.name, probe] as const))(
  'answers a form without an internal error: %s',
  async (name, probe) => {
    expect(await tryProbes(padron, [probe])).toEqual([{ probe: name, complaints: [] }]);
  },
);

describe('an incomplete form', () => {
  /** Sends the head and some bytes of a form. Returns the response when the connection closes. */
  async function sendPart(bytes: number): Promise<string> {
    const socket = connect(Number(new URL(padron.url).port), '127.0.0.1');
    const headers = [
      'POST /graphql HTTP/1.1',
      'host: padron',
      `content-type: ${whole.contentType}`,
      `content-length: ${whole.body.length}`,
      `authorization: ${json.authorization}`,
      'apollo-require-preflight: true',
    ];
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.write(`${headers.join('\r\n')}\r\n\r\n`);
    socket.write(whole.body.subarray(0, bytes));
    await once(socket, 'close');
    return text;
  }

  it('is answered at the time limit, and its connection is closed', async () => {
    padron.calls();
    const operations = 100;
    const firstFile = whole.body.indexOf('filename') + 200;
    const lastFile = whole.body.length - 300;
    const answers = await Promise.all([0, operations, firstFile, lastFile].map(sendPart));
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 (408|400|200) [\s\S]*\{"(errors|data)":/);
    expect(padron.calls()).toEqual([]);
  }, 40_000);
});
