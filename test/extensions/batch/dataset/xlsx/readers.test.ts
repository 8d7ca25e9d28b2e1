import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as startRequest } from 'node:http';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import JSZip from 'jszip';
import { acquireReader } from '../../../../../src/extensions/batch/dataset/xlsx/workbook-process';
import { writeWorkbook } from '../../../../support/documents/write-workbook';
import { ledgerPadronForTests } from '../../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../../support/requests/batches';
import { engineRig } from '../../../../support/stores/engines';

const source = join(__dirname, '../../../../../src/extensions/batch/dataset/xlsx');

describe('the readers of workbooks', () => {
  it('leave one for other accounts, however many workbooks an account has sent', async () => {
    const started: string[] = [];
    const ends: Promise<() => void>[] = ['a', 'a', 'a', 'a', 'b', 'c'].map(async (owner) => {
      const release = await acquireReader(owner);
      started.push(owner);
      return release;
    });
    await nextTurn();
    expect(started).toEqual(['a', 'b']);
    (await ends[0])?.();
    await nextTurn();
    expect(started).toEqual(['a', 'b', 'c']);
    for (const end of [4, 5, 1, 2, 3]) (await ends[end])?.();
    expect(started).toEqual(['a', 'b', 'c', 'a', 'a', 'a']);
  });

  /** Sends a workbook to a reader with this CPU time. Returns its first line, and the most memory that it took. */
  async function read(book: Buffer, cpuSeconds: number) {
    const child = spawn(process.execPath, [join(source, 'child.mjs'), String(cpuSeconds)], {
      stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
    });
    child.stdin?.end(book);
    const [line] = await once(child.stdout?.setEncoding('utf8') ?? child, 'data');
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    child.kill('SIGKILL');
    return { first: JSON.parse(line), memory: Number(kilobytes) * 1_024 };
  }

  it('hold a file once, so that they take its size and little more', async () => {
    const picture = 150_000_000;
    const zip = await JSZip.loadAsync(await writeWorkbook([['NSS']]));
    zip.file('xl/media/image1.png', Buffer.alloc(picture), { compression: 'STORE' });
    const { first, memory } = await read(await zip.generateAsync({ type: 'nodebuffer' }), 30);
    expect(first).toEqual({ sheets: ['Plantilla'] });
    expect(memory).toBeGreaterThan(picture);
    expect(memory).toBeLessThan(picture + 130_000_000);
  });

  it('refuse a file that takes more CPU time than they have', async () => {
    expect((await read(await writeWorkbook([['NSS']]), 0)).first).toEqual({ problem: 'TOO_LARGE' });
  });
});

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
