import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SANDBOX_TOKEN } from '../../src/extensions/sandbox/accounts/accounts';
import { BatchClient, CREDIT } from '../support/requests/batches';
import { startPostgres } from '../support/stores/postgres';
import { milliseconds, ratio, type Table, whole } from './report';
import { type Peer, type Server, startProgram, startServer } from './rig/processes';
import type { Rig } from './rig/rig';
import { median } from './statistics';
import { padron } from './systems';

interface Level {
  readonly latencyMs: number;
  readonly concurrency: number;
}

/** Calls a second. */
interface RatePair {
  readonly bare: number;
  readonly batch: number;
}

const DATA_KEYS = '0123456789abcdef'.repeat(3);
/** Latencies of registries, and two shorter ones with many calls a second and few at once. */
const levels: readonly Level[] = [
  { latencyMs: 200, concurrency: 64 },
  { latencyMs: 20, concurrency: 64 },
  { latencyMs: 20, concurrency: 8 },
];
/** Approximate duration of a batch with the fastest calls. */
const batchSeconds = 6;
const engines = ['embedded', 'postgres'] as const;

/**
 * Compares the speed of a batch with that of the same calls alone. Each batch runs directly after the calls that it is compared with,
 * so that a disturbance affects both.
 */
export async function batchRates(
  rig: Rig,
  build: string,
  identifiers: readonly string[],
  rounds: number,
): Promise<Table> {
  const cluster = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'padron-bench-'));
  const bare = startProgram('bare-calls');
  const rows: (readonly string[])[] = [];
  try {
    for (const level of levels) {
      for (const engine of engines) {
        const store =
          engine === 'embedded'
            ? { DATA_DIR: mkdtempSync(join(folder, engine)) }
            : { DATABASE_URL: await cluster.createDatabase() };
        const settings = { ...store, DATA_KEYS, REGISTRY_CONCURRENCY: String(level.concurrency) };
        const server = await startServer(padron(engine, build, settings).launch(rig.registryUrl));
        try {
          rows.push(toRow(engine, level, await measure(rig, bare, server, level, identifiers, rounds)));
        } finally {
          await server.end();
        }
      }
    }
    return {
      title: 'A batch whose rows each ask once, beside the same calls bare',
      head: ['store', 'upstream', 'calls at once', 'bare calls a second', 'calls a second', 'ratio'],
      rows,
    };
  } finally {
    await bare.end();
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  rig: Rig,
  bare: Peer,
  server: Server,
  { latencyMs, concurrency }: Level,
  identifiers: readonly string[],
  rounds: number,
): Promise<readonly RatePair[]> {
  const count = Math.min(identifiers.length, Math.round((batchSeconds * 1_000 * concurrency) / latencyMs));
  const asked = identifiers.slice(0, count);
  const paths = asked.map((nss) => `/api/infonavit/grupo/buscar-credito?nss=${Number(nss)}`);
  const job = { url: rig.registryUrl, paths, token: SANDBOX_TOKEN, concurrency };
  await rig.latency(0);
  // Compiling is not what is looked for.
  await runBatch(server, identifiers);
  await rig.latency(latencyMs);
  const pairs: RatePair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { callsPerSecond } = await bare.ask<{ readonly callsPerSecond: number }>(job);
    pairs.push({ bare: callsPerSecond, batch: await runBatch(server, asked) });
  }
  return pairs;
}

/** Calls a second from its start to its end, as the store has them. */
async function runBatch(server: Server, identifiers: readonly string[]): Promise<number> {
  const client = new BatchClient(server);
  const { batch } = await client.create({ operation: CREDIT });
  await client.upload(batch.uploadUrl, `nss\n${identifiers.join('\n')}\n`);
  await client.until(batch.id, 'READY');
  await client.change(`startRegistryBatch(id: "${batch.id}", maxUnits: ${identifiers.length})`);
  const { state, progress, startedAt, finishedAt } = await client.until(batch.id, 'DONE', 'PAUSED');
  if (state !== 'DONE' || progress.done !== identifiers.length)
    throw new Error(`The batch is ${state} with ${progress.done} of ${identifiers.length} rows done.`);
  return identifiers.length / ((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000);
}

function toRow(engine: string, { latencyMs, concurrency }: Level, rounds: readonly RatePair[]): readonly string[] {
  return [
    engine,
    milliseconds(latencyMs),
    whole(concurrency),
    whole(median(rounds.map(({ bare }) => bare))),
    whole(median(rounds.map(({ batch }) => batch))),
    ratio(median(rounds.map(({ bare, batch }) => batch / bare))),
  ];
}
