import { once } from 'node:events';
import { request as startRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeWorkbook } from '../../../../support/documents/write-workbook';
import { ledgerPadronForTests } from '../../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../../support/requests/batches';
import { engineRig } from '../../../../support/stores/engines';

describe('a workbook', () => {
  const padron = ledgerPadronForTests(engineRig());
  const client = new BatchClient(padron);
  const uploadUrl = async (): Promise<string> => (await client.create({ operation: CREDIT })).batch.uploadUrl;

  /** Begins to send a file, and sends the rest when `end` is called. Returns the status of the response then. */
  async function sendSlowly(file: Buffer) {
    const upload = startRequest(await uploadUrl(), { method: 'POST', headers: { 'content-length': file.length } });
    const response = once(upload, 'response');
    upload.write(file.subarray(0, 1_000));
    return {
      end: async (): Promise<number> => {
        upload.end(file.subarray(1_000));
        const [{ statusCode }] = await response;
        return statusCode;
      },
    };
  }

  it('is read while other workbooks are still arriving, however many these are', async () => {
    const file = await writeWorkbook([['nss'], [NSS[0] ?? '']]);
    const slow = await Promise.all([sendSlowly(file), sendSlowly(file), sendSlowly(file)]);
    // The first bytes of the slow uploads have been read.
    await sleep(500);
    const upload = client.upload(await uploadUrl(), file, 'application/octet-stream');
    const first = await Promise.race([upload, sleep(40_000, 'still waiting', { ref: false })]);
    expect(first).toMatchObject({ status: 200, body: { rows: 1 } });
    expect(await Promise.all(slow.map(({ end }) => end()))).toEqual([200, 200, 200]);
    expect(padron.calls()).toEqual([]);
  });
});
