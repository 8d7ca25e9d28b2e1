import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '../../../../src/extensions/sandbox/service';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { freePort } from '../../../support/processes/free-port';
import { builtCommand } from '../../../support/processes/padron-command';
import { startProcess } from '../../../support/processes/process';
import { type ChangedAnswer, startProxy } from '../../../support/proxies/tampering-proxy';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';

const rows = NSS.slice(0, 200).map((nss) => ({ nss }));
const concurrency = 8;
/** Maximum calls before the batch is paused: ten rows whose units are unknown, and the calls that run already. */
const maxCalls = 10 + concurrency - 1;

describe('a batch whose registry keeps failing', () => {
  const rig = engineRig();
  const padron = proxiedPadronForTests({ BATCH_CONCURRENCY: `${concurrency}` }, rig);
  const client = new BatchClient(padron);
  beforeAll(() => client.verifyToken());

  it.each<[string, ChangedAnswer]>([
    ['503', { status: 503, json: { success: false } }],
    ['a page with 200', { bytes: Buffer.from('<html>Mantenimiento</html>') }],
  ])('%s is paused after ten rows, and can be resumed when the registry answers again', async (_name, answer) => {
    padron.proxy.reset();
    const before = padron.spent();
    padron.proxy.standIn(() => answer);
    const { id } = await client.ready(CREDIT, rows);
    const paused = await client.run(id, 500);
    expect(paused).toMatchObject({ state: 'PAUSED', reason: { code: 'ROWS_UNKNOWN' } });
    expect(paused.progress.failed).toBe(0);
    while ((await client.get(id)).progress.running > 0) await sleep(20);
    const { unknown } = (await client.get(id)).progress;
    expect(unknown).toBeGreaterThanOrEqual(10);
    expect(padron.proxy.requests).toHaveLength(unknown);
    expect(unknown).toBeLessThanOrEqual(maxCalls);
    padron.proxy.standIn(null);
    await client.change(`resumeRegistryBatch(id: "${id}")`);
    const done = await client.until(id, 'DONE', 'PAUSED');
    expect(done).toMatchObject({ state: 'DONE', progress: { waiting: 0, failed: 0, unknown } });
    expect(padron.spent() - before).toBe(rows.length - unknown);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'padron-restart-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const operation = join(__dirname, '../../../../schema/examples/person-credit.graphql');
const dataset = join(folder, 'people.csv');
const asked = [...new Set(NSS)].slice(0, 30);
writeFileSync(dataset, `nss\n${asked.join('\n')}\n`);
const run = (url: string, ...options: readonly string[]) =>
  builtCommand(['batch', dataset, operation, '--url', url, '--max-units', '100', ...options]);

describe('`padron batch` while padron restarts', () => {
  it('waits, continues, writes the results, and pays for no row twice', async () => {
    const service = await startSandbox();
    const proxy = await startProxy(service.url);
    let isHeld = true;
    proxy.tamper(async () => {
      while (isHeld && service.calls.length > 5) await sleep(10);
      return null;
    });
    const port = await freePort();
    const settings = {
      ...{ PORT: String(port), REGISTRY_URL: proxy.url, DATA_DIR: join(folder, 'data') },
      ...{ BATCH_CONCURRENCY: '1', REPLAY_SECONDS: '0' },
    };
    const first = startProcess(settings);
    const url = await first.address();
    const running = run(url);
    while (service.calls.length <= 5) await sleep(10);
    first.child.kill('SIGTERM');
    isHeld = false;
    await first.ended();
    const second = startProcess(settings);
    try {
      const { code, text: said } = await running;
      expect(said).toMatch(/(Cannot reach padron at|shutting down).* Trying again for 300 s\.\n/);
      expect(said).toContain(`${asked.length} of ${asked.length} rows done`);
      expect(code).toBe(0);
      expect(readFileSync(join(folder, 'people.results.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(31);
      // Beside them is the check of the token, which is free.
      expect(service.calls.filter(({ units }) => units > 0)).toHaveLength(asked.length);
    } finally {
      second.child.kill('SIGKILL');
      await proxy.close();
      await service.close();
    }
  });
});
