import { readFileSync, writeFileSync } from 'node:fs';
import JSZip from 'jszip';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { luhnCheckDigit } from '../../../src/extensions/sandbox/data/identifiers';
import { type Sandbox, startSandbox } from '../../../src/extensions/sandbox/service';
import { type Server, startServer } from '../../bench/rig/processes';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { padronProgram } from '../load/measured-padron';

export interface WholeBatch {
  readonly rows: number;
  /** Number of distinct rows. The others repeat them. */
  readonly distinct: number;
  /** Unit limit. If it is below the number of distinct rows, the batch pauses and its finished rows are downloaded. */
  readonly maxUnits: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly heapMegabytes: number;
}

/** Runs a batch from upload to results with the built padron and a sandbox. */
export async function runWholeBatch(batch: WholeBatch) {
  const sandbox = await startSandbox();
  const padron = await startServer({
    program: padronProgram,
    flags: [`--max-old-space-size=${batch.heapMegabytes}`],
    environment: { PORT: '0', LOG_LEVEL: 'error', REGISTRY_URL: sandbox.url, ...batch.environment },
  });
  try {
    return await drive(batch, padron, sandbox);
  } finally {
    await padron.end();
    await sandbox.close();
  }
}

export type WholeBatchResult = Awaited<ReturnType<typeof drive>>;

async function drive(batch: WholeBatch, padron: Server, sandbox: Sandbox) {
  const client = new BatchClient(padron);
  /** Duration and peak memory of each step. */
  const steps: { readonly name: string; readonly seconds: number; readonly megabytes: number }[] = [];
  const step = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    resetPeak(padron.pid);
    const start = performance.now();
    const result = await work();
    steps.push({ name, seconds: (performance.now() - start) / 1_000, megabytes: peakMegabytes(padron.pid) });
    return result;
  };
  await step('at rest', () => client.ask('{ registryBatches { batches { id } } }'));
  const { batch: created } = await client.create({ operation: CREDIT });
  await step('load', () => client.upload(created.uploadUrl, [...lines(batch)].join('')));
  const { estimate } = await step('price', () => client.until(created.id, 'READY'));
  const ended = await step('run', async () => {
    await client.change(`startRegistryBatch(id: "${created.id}", maxUnits: ${batch.maxUnits})`);
    return client.until(created.id, 'DONE', 'PAUSED');
  });
  const jsonl = await step('JSONL', () => client.download(ended.jsonlUrl));
  const csv = await step('CSV', () => client.download(ended.csvUrl));
  const xlsx = await step('XLSX', () => client.downloadBytes(ended.xlsxUrl));
  return {
    steps,
    state: ended.state as string,
    estimated: estimate.estimatedUnits as number,
    spent: ended.progress.spentUnits as number,
    uncertain: ended.progress.uncertainUnits as number,
    // Calls that the service received. One call checks the token.
    calls: sandbox.calls.length - 1,
    charged: sandbox.spent(SANDBOX_TOKEN),
    done: ended.progress.done as number,
    jsonLines: jsonl.text.trimEnd().split('\n').length,
    csvLines: csv.text.trimEnd().split('\r\n').length,
    xlsxRows: await countRows(xlsx),
  };
}

/** Returns the number of rows of the only sheet of a workbook. */
async function countRows(workbook: Buffer): Promise<number> {
  const zip = await JSZip.loadAsync(workbook);
  const sheet = await zip.file('xl/worksheets/sheet1.xml')?.async('string');
  return (sheet ?? '').split('<row ').length - 1;
}

function* lines({ rows, distinct }: WholeBatch): Generator<string> {
  const beginnings = [...new Set(NSS.map((nss) => nss.slice(0, 6)))];
  yield 'ref,nss\n';
  for (let row = 0; row < rows; row += 1) {
    const person = row % distinct;
    const body = `${beginnings[person % beginnings.length]}${String(Math.floor(person / beginnings.length)).padStart(4, '0')}`;
    yield `row ${row},${body}${luhnCheckDigit(body)}\n`;
  }
}

/** Resets the peak memory that Linux reports of a process. */
function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round((Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1_024) / 1e6);
}
