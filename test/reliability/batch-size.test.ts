import { readFileSync } from 'node:fs';
import { luhnCheckDigit } from '../../src/sandbox/data/identifiers';
import { startSandbox } from '../../src/sandbox/service';
import { BatchClient, CREDIT, NSS } from '../support/batches';
import { engineRig } from '../support/engines';
import { startProcess } from '../support/process';

const rowCount = 100_000;
/** What the dataset may add to the process: with the embedded store and what loads TypeScript, that alone takes more than all this. */
const maxAddedMegabytes = 250;

function* lines(): Generator<string> {
  const beginnings = [...new Set(NSS.map((nss) => nss.slice(0, 6)))];
  yield 'ref,nss\n';
  for (let index = 0; index < rowCount; index += 1) {
    const serial = String(Math.floor(index / beginnings.length)).padStart(4, '0');
    const body = `${beginnings[index % beginnings.length]}${serial}`;
    yield `row ${index},${body}${luhnCheckDigit(body)}\n`;
  }
}

describe('100,000 rows', () => {
  const rig = engineRig('postgres');

  it('are taken, priced and begun in a bounded memory', async () => {
    const { DATA_DIR: _folder, ...environment } = (await rig.settings()).environment;
    const sandbox = await startSandbox();
    const settings = { PORT: '0', LOG_LEVEL: 'error', LEDGER: 'off', REGISTRY_URL: sandbox.url, ...environment };
    const process = startProcess(settings);
    const client = new BatchClient(await process.address());
    const resident = (): number =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${process.child.pid}/status`, 'utf8'))?.[1]) / 1_024;
    const before = resident();
    try {
      const { batch } = await client.create({ operation: CREDIT });
      const { body } = await client.upload(batch.uploadUrl, [...lines()].join(''));
      expect(body).toMatchObject({ rows: rowCount, refusedCount: 0 });
      expect((await client.until(batch.id, 'READY')).estimate.estimatedUnits).toBe(rowCount);
      await client.change(`startRegistryBatch(id: "${batch.id}", maxUnits: 2000)`);
      const paused = await client.until(batch.id, 'PAUSED');
      expect(paused.progress).toMatchObject({ spentUnits: 2_000, uncertainUnits: 0 });
      const { text } = await client.download(paused.csvUrl);
      expect(text.trimEnd().split('\r\n')).toHaveLength(rowCount + 1);
      expect(resident() - before).toBeLessThan(maxAddedMegabytes);
    } finally {
      process.child.kill('SIGTERM');
      await process.ended();
      await sandbox.close();
    }
  }, 400_000);
});
