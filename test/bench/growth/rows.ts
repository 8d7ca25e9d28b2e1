import { BatchClient, CREDIT } from '../../support/requests/batches';
import { inventedNss } from '../rig/recording';
import type { Rig } from '../rig/rig';
import type { Growth } from './chart';
import { Site } from './site';

const sizes = [1_000, 10_000, 100_000];

/** Measures larger and larger batches, each in a fresh process and database, with a service that answers at once. */
export async function growRows(rig: Rig, build: string): Promise<Growth> {
  await rig.latency(0);
  const results: Sample[] = [];
  for (const size of sizes) results.push(await measure(rig, build, size));
  const of = (figure: keyof Sample): readonly number[] => results.map((result) => result[figure]);
  return {
    title: 'Rows of a batch, with a service that answers at once',
    counted: 'rows',
    sizes,
    figures: [
      { name: 'rows a second', panel: 'Rows a second', values: of('perSecond') },
      { name: 'memory', unit: 'MB', panel: 'Memory at most', values: of('memory') },
      { name: 'store', unit: 'MB', panel: 'Size of the store', values: of('store') },
      { name: 'store of a row', unit: 'kB', panel: null, values: of('storeOfRow') },
    ],
  };
}

type Sample = Awaited<ReturnType<typeof measure>>;

async function measure(rig: Rig, build: string, size: number) {
  const site = await Site.start(rig, build, 1);
  const server = site.servers[0];
  if (server === undefined) throw new Error('no padron');
  try {
    const client = new BatchClient(server);
    const before = await site.bytes();
    const { batch, problems } = await client.create({ operation: CREDIT });
    if (batch === null) throw new Error(JSON.stringify(problems));
    const lines = Array.from({ length: size }, (_, index) => inventedNss(index));
    await client.upload(batch.uploadUrl, `nss\n${lines.join('\n')}\n`);
    await client.until(batch.id, 'READY');
    await client.change(`startRegistryBatch(id: "${batch.id}", maxUnits: ${size})`);
    const { state, progress, startedAt, finishedAt } = await client.until(batch.id, 'DONE', 'PAUSED');
    if (state !== 'DONE' || progress.done !== size)
      throw new Error(`The batch is ${state} with ${progress.done} rows.`);
    const perSecond = size / ((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000);
    const { peakRss } = await server.usage();
    const store = (await site.bytes()) - before;
    return { perSecond, memory: peakRss / 1e6, store: store / 1e6, storeOfRow: store / size / 1e3 };
  } finally {
    await site.end();
  }
}
