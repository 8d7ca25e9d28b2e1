import { setTimeout as sleep } from 'node:timers/promises';
import { type Sandbox, startSandbox } from '../../../src/extensions/sandbox/service';
import { type RunningPadron, runPadron } from '../../support/padrons/padron';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';
import { BatchClient, CREDIT, NSS } from '../../support/requests/batches';
import { paidTwice } from '../../support/sandbox/paid-twice';
import { engineRig } from '../../support/stores/engines';

const rows = NSS.slice(0, 200).map((nss) => ({ nss }));
const answerMs = 40;

describe('a batch that is paused in one process and resumed in another', () => {
  const rig = engineRig('postgres');
  let service: Sandbox;
  let proxy: TamperingProxy;
  const padrons: RunningPadron[] = [];

  beforeAll(async () => {
    service = await startSandbox();
    proxy = await startProxy(service.url);
    proxy.tamper(async () => {
      await sleep(answerMs);
      return null;
    });
    const environment = { ...(await rig.settings()).environment, BATCH_CONCURRENCY: '8' };
    for (let index = 0; index < 2; index += 1)
      padrons.push(await runPadron({ environment, registryUrl: () => proxy.url }));
  });
  afterAll(async () => {
    await proxy.close();
    for (const padron of padrons) await padron.stop();
    await service.close();
  });

  /** Number of calls that a process made, according to its log. */
  const callsOf = (padron: RunningPadron | undefined): number =>
    (padron?.log ?? []).filter((line) => line.includes('"endpoint":"POST /api/infonavit/grupo/buscar-credito"')).length;

  it('pays for no question twice, even if calls of the first process are still running', async () => {
    const [first, second] = padrons.map((padron) => new BatchClient(padron)) as [BatchClient, BatchClient];
    const { id } = await first.ready(CREDIT, rows);
    await first.change(`startRegistryBatch(id: "${id}", maxUnits: 500)`);
    while (callsOf(padrons[0]) < 24) await sleep(5);
    await second.change(`pauseRegistryBatch(id: "${id}")`);
    const resumed = await second.change(`resumeRegistryBatch(id: "${id}")`);
    expect(resumed.problems).toEqual([]);
    const done = await second.until(id, 'DONE', 'PAUSED');
    expect(done).toMatchObject({ state: 'DONE', progress: { done: 200, spentUnits: 200, uncertainUnits: 0 } });
    // One call more than rows: the first process checked the token with the service.
    expect(callsOf(padrons[0]) + callsOf(padrons[1])).toBe(201);
    expect(paidTwice(service.calls)).toEqual([]);
  }, 60_000);
});
