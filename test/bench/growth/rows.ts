import { BatchClient, CREDIT } from '../../support/requests/batches';
import { grouped, megabytes } from '../report';
import { inventedNss } from '../rig/recording';
import type { Rig } from '../rig/rig';
import type { Growth } from './growth';
import { Site } from './site';

const sizes = [1_000, 10_000, 100_000];

/** Measures larger and larger batches, each in a fresh process and database, with a service that answers at once. */
export async function growRows(rig: Rig, build: string): Promise<Growth> {
  await rig.latency(0);
  const results = [];
  for (const size of sizes) results.push(await measure(rig, build, size));
  return {
    table: {
      title: 'Rows of a batch',
      head: ['rows', 'rows a second', 'memory', 'store', 'store of a row'],
      rows: results.map(({ size, perSecond, memory, store }) => [
        grouped(size),
        grouped(perSecond),
        megabytes(memory),
        `${(store / 1e6).toFixed(1)} MB`,
        `${(store / size / 1e3).toFixed(1)} kB`,
      ]),
    },
    chart: {
      title: 'Rows of a batch, with a service that answers at once',
      unit: 'rows',
      panels: [
        { title: 'Rows a second', lines: [{ name: '', points: results.map((of) => [of.size, of.perSecond]) }] },
        {
          title: 'Memory at most (MB)',
          lines: [{ name: '', points: results.map((of) => [of.size, of.memory / 1e6]) }],
        },
        {
          title: 'Size of the store (MB)',
          lines: [{ name: '', points: results.map((of) => [of.size, of.store / 1e6]) }],
        },
      ],
    },
  };
}

async function measure(rig: Rig, build: string, size: number) {
  const site = await Site.start(rig, build, 1);
  const server = site.servers[0];
  if (server === undefined) throw new Error('no padron');
  try {
    const client = new BatchClient(server);
    const before = await site.bytes();
    const { batch } = await client.create({ operation: CREDIT });
    const lines = Array.from({ length: size }, (_, index) => inventedNss(index));
    await client.upload(batch.uploadUrl, `nss\n${lines.join('\n')}\n`);
    await client.until(batch.id, 'READY');
    await client.change(`startRegistryBatch(id: "${batch.id}", maxUnits: ${size})`);
    const { state, progress, startedAt, finishedAt } = await client.until(batch.id, 'DONE', 'PAUSED');
    if (state !== 'DONE' || progress.done !== size)
      throw new Error(`The batch is ${state} with ${progress.done} rows.`);
    const perSecond = size / ((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000);
    const { peakRss } = await server.usage();
    return { size, perSecond, memory: peakRss, store: (await site.bytes()) - before };
  } finally {
    await site.end();
  }
}
