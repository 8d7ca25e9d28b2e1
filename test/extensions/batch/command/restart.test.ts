import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '../../../../src/extensions/sandbox/service';
import { freePort } from '../../../support/processes/free-port';
import { builtCommand } from '../../../support/processes/padron-command';
import { startProcess } from '../../../support/processes/process';
import { startProxy } from '../../../support/proxies/tampering-proxy';
import { NSS } from '../../../support/requests/batches';
import { startServer } from '../../../support/start-server';

const folder = mkdtempSync(join(tmpdir(), 'padron-restart-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const operation = join(__dirname, '../../../../schema/examples/person-credit.graphql');
const dataset = join(folder, 'people.csv');
const people = [...new Set(NSS)].slice(0, 30);
writeFileSync(dataset, `nss\n${people.join('\n')}\n`);
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
      expect(said).toContain(`${people.length} of ${people.length} rows done`);
      expect(code).toBe(0);
      expect(readFileSync(join(folder, 'people.results.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(31);
      // Beside them is the check of the token, which is free.
      expect(service.calls.filter(({ units }) => units > 0)).toHaveLength(people.length);
    } finally {
      second.child.kill('SIGKILL');
      await proxy.close();
      await service.close();
    }
  });

  it.each([
    ['en', 'RUNNING', [], 'To see it and to download its results, run the same command again. Nothing is paid twice.'],
    ['es', 'RUNNING', [], 'ejecute de nuevo el mismo comando. Nada se paga dos veces.'],
    ['en', 'DONE', ['--retry', 'unknown'], 'run the same command again without --retry. Nothing is paid twice.'],
  ])('gives up after a while, and says how to see the batch: %s, %s', async (language, state, options, words) => {
    const changes: string[] = [];
    const progress = {
      ...{ rows: 1, done: 0, failed: 0, retryable: 0, unknown: 1, waiting: 0 },
      ...{ canceled: 0, erased: 0, doubtful: 0, running: 0 },
      ...{ spentUnits: 0, uncertainUnits: 1, savedUnits: 0, rowsPerMinute: null, secondsLeft: null },
    };
    const batch = {
      ...{
        id: 'b',
        reason: null,
        pausedUntil: null,
        uploadUrl: null,
        csvUrl: null,
        xlsxUrl: null,
        jsonlUrl: null,
        progress,
      },
      ...{
        state,
        startProblem: null,
        refusedCount: 0,
        refusedRows: [],
        columns: [],
        sheet: null,
        sheets: [],
        estimate: null,
      },
    };
    const server = await startServer(async (request, response) => {
      const [change = ''] = /(?:start|retry|resume)RegistryBatch/.exec(await text(request)) ?? [];
      if (change !== '') changes.push(change);
      // It answers until the price is shown, and a retry is lost.
      if (change !== '' || served > 1) return response.destroy();
      served += 1;
      response.end(JSON.stringify({ data: { change: { batch, problems: [] }, registryBatch: batch } }));
    });
    let served = 0;
    const { code, text: said } = await run(`${server.url}/graphql`, '--wait', '1', '--language', language, ...options);
    await server.close();
    expect([code, said]).toEqual([4, expect.stringContaining(words)]);
    expect(said).toContain(language === 'es' ? 'Se intenta de nuevo durante 1 s.' : 'Trying again for 1 s.');
    expect(changes).toEqual(state === 'DONE' ? ['retryRegistryBatch'] : []);
  });
});
