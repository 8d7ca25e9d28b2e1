import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runWholeBatch, type WholeBatchResult } from '../../reliability/batches/whole-batch';
import { type EngineName, engines } from '../../support/stores/engines';
import { startPostgres } from '../../support/stores/postgres';

type Row = readonly string[];

const heapMegabytes = 256;

/** Runs a batch on each engine. A tenth of its rows are repeated, so that rows, questions, calls and units differ. */
export async function batchRows(rows: number): Promise<readonly Row[]> {
  const results: WholeBatchResult[] = [];
  for (const engine of engines) results.push(await runOn(engine, rows));
  const each = (what: string, figure: (result: WholeBatchResult) => string | number): Row => [
    what,
    ...results.map((result) => String(figure(result))),
  ];
  const names = results[0]?.steps.map(({ name }) => name) ?? [];
  return [
    ['', ...engines],
    each('rows, done', ({ done }) => `${rows}, ${done}`),
    each('distinct questions, calls, charged by the service, spent, uncertain', (of) =>
      [of.estimated, of.calls, of.charged, of.spent, of.uncertain].join(', '),
    ),
    each('rows a minute', ({ done, steps }) => {
      const seconds = steps.find(({ name }) => name === 'run')?.seconds ?? Number.NaN;
      return Math.round((done / seconds) * 60);
    }),
    each('lines downloaded: JSONL, CSV, XLSX', (of) => [of.jsonLines, of.csvLines, of.xlsxRows].join(', ')),
    ...names.map((name) =>
      each(`${name}: seconds, memory at most`, ({ steps }) => {
        const step = steps.find((candidate) => candidate.name === name);
        return `${step?.seconds.toFixed(1)}, ${step?.megabytes} MB`;
      }),
    ),
  ];
}

async function runOn(engine: EngineName, rows: number): Promise<WholeBatchResult> {
  const cluster = engine === 'postgres' ? await startPostgres() : null;
  const folder = mkdtempSync(join(tmpdir(), 'padron-whole-'));
  try {
    const store = cluster === null ? { DATA_DIR: folder } : { DATABASE_URL: await cluster.createDatabase() };
    const environment = { ...store, DATA_KEYS: '0123456789abcdef'.repeat(3) };
    const distinct = Math.ceil(rows * 0.9);
    return await runWholeBatch({ rows, distinct, maxUnits: rows, heapMegabytes, environment });
  } finally {
    await cluster?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}
