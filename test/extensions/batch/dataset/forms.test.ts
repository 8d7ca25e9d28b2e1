import { Readable } from 'node:stream';
import { request } from 'undici';
import { inFullRun } from '../../../support/full-run';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { form } from '../../../support/requests/multipart';
import { engineRig } from '../../../support/stores/engines';

const maxBytes = 200_000_000;
const [first = '', second = ''] = NSS;
const csv = `nss\n${first}\n${second}\n`;
const firstLine = `${JSON.stringify({ nss: first })}\n`;
const lastLine = `${JSON.stringify({ nss: second })}\n`;
/** A blank line, which is skipped, so that a file of any size can have two rows. */
const blankLine = Buffer.from(`${' '.repeat(99_999)}\n`);

// Sending 200 MB takes long on a busy machine.
jest.setTimeout(120_000);

describe('a dataset sent as a form', () => {
  const rig = engineRig();
  const padron = ledgerPadronForTests(rig);
  const client = new BatchClient(padron);

  async function send(url: string, type: string, body: Buffer | Readable) {
    const response = await request(url, { method: 'POST', headers: { 'content-type': type }, body });
    // biome-ignore lint/suspicious/noExplicitAny: the border to JSON; the tests assert what they read.
    const { rows, errors } = (await response.body.json()) as any;
    return { status: response.statusCode, rows, code: errors?.[0].extensions.code, message: errors?.[0].message };
  }

  const uploadUrl = async (): Promise<string> => (await client.create({ operation: CREDIT })).batch.uploadUrl;

  inFullRun.each(['application/x-ndjson', 'multipart/form-data; boundary=b'])(
    'is accepted to its last row at 200 MB, and rejected as a whole at one byte more, sent as %s',
    async (type) => {
      const [before, after] = type.startsWith('multipart')
        ? ['--b\r\ncontent-disposition: form-data; name="file"; filename="people.jsonl"\r\n\r\n', '\r\n--b--\r\n']
        : ['', ''];
      async function* file(bytes: number): AsyncGenerator<Buffer> {
        yield Buffer.from(before + firstLine);
        let left = bytes - firstLine.length - lastLine.length;
        for (; left > blankLine.length; left -= blankLine.length) yield blankLine;
        yield Buffer.from(`${' '.repeat(left - 1)}\n${lastLine}${after}`);
      }
      const url = await uploadUrl();
      expect(await send(url, type, Readable.from(file(maxBytes + 1)))).toMatchObject({
        status: 400,
        code: 'BAD_USER_INPUT',
        message: expect.stringContaining('has more than 200000000 bytes'),
      });
      expect(await send(url, type, Readable.from(file(maxBytes)))).toMatchObject({ status: 200, rows: 2 });
    },
  );

  const whole = form([{ name: 'file', filename: 'people.csv', body: csv }]);
  const boundary = whole.contentType.replace(/.*boundary=/, '');

  it.each([
    ['lacks its closing boundary', whole.body.subarray(0, -boundary.length - 8), /incomplete/],
    ['ends within its closing boundary', whole.body.subarray(0, -6), /incomplete/],
    ['ends within a header', whole.body.subarray(0, 30), /incomplete/],
    ['is empty', Buffer.alloc(0), /no file/],
    ['has no file', form([{ name: 'file', body: csv }]).body, /no file/],
    [
      'has two files',
      form([
        { name: 'a', filename: 'a.csv', body: csv },
        { name: 'b', filename: 'b.csv', body: csv },
      ]).body,
      /more than one file/,
    ],
    ['is not a form', Buffer.from(csv), /incomplete|no file/],
    ['names its file `__proto__`', form([{ name: '__proto__', filename: 'a.csv', body: csv }]).body, /cannot be read/],
  ])('is rejected with status 400 if the form %s, and another form can be sent', async (_what, body, message) => {
    const url = await uploadUrl();
    const sameBoundary = Buffer.from(body.toString().replaceAll(/test-[0-9a-f]{18}/g, boundary));
    expect(await send(url, whole.contentType, sameBoundary)).toMatchObject({
      status: 400,
      code: 'BAD_USER_INPUT',
      message: expect.stringMatching(message),
    });
    expect(await send(url, 'multipart/form-data', sameBoundary)).toMatchObject({ status: 400 });
    expect(await send(url, whole.contentType, whole.body)).toMatchObject({ status: 200, rows: 2 });
    expect(padron.log.filter((line) => line.includes('"level":"error"') || line.includes('"level":50'))).toEqual([]);
    expect(padron.calls()).toEqual([]);
  });
});
