import { setTimeout as sleep } from 'node:timers/promises';
import { people } from '../../../src/sandbox/data/people';
import type { RunningPadron } from '../../support/padrons/padron';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { isAwaited, startSharingPadrons } from '../../support/padrons/sharing-padrons';
import { waitUntil } from '../../support/proxies/deferred';
import { holdResponses } from '../../support/proxies/held-responses';
import type { TamperingProxy } from '../../support/proxies/tampering-proxy';
import { BatchClient, CREDIT } from '../../support/requests/batches';
import { engineRig } from '../../support/stores/engines';

/** People whose credit each takes one call. */
const nssOf = people.filter(({ credit }) => credit !== null && credit !== '').map(({ nss }) => nss);
const [first = '', second = '', third = '', fourth = '', fifth = ''] = nssOf;

const replay = { REPLAY_SECONDS: '300' };

describe.each([
  ['in one process with the embedded store', 'embedded'],
  ['in two processes with one PostgreSQL', 'postgres'],
] as const)('a question of a batch and of a request, %s', (_where, engine) => {
  const rig = engineRig(engine);
  let padron: ProxiedPadron;
  /** The process of requests. With the embedded store it is the one that runs the batches. */
  let neighbour: RunningPadron;
  /** Whether a process waits for the call of another one. */
  let isAwaitedElsewhere = async (): Promise<boolean> => true;
  beforeAll(async () => {
    if (engine === 'embedded') {
      const { environment } = await rig.settings();
      padron = await runPadronBehindProxy({ ...environment, ...replay });
      neighbour = padron;
      rig.atEnd(() => padron.stop());
    } else {
      const padrons = await startSharingPadrons(rig, replay, { ROLE: 'graph' });
      padron = padrons.first;
      neighbour = padrons.second;
      isAwaitedElsewhere = () => isAwaited(padrons);
      rig.atEnd(() => padrons.stop());
    }
    await new BatchClient(padron).verifyToken();
  });
  beforeEach(() => padron.proxy.reset());

  it('is paid once if a request has just asked it, also by a batch whose budget is 0', async () => {
    await askCredit(new BatchClient(neighbour), first);
    const client = new BatchClient(padron);
    const done = await runBatch(client, [{ nss: first }], 0);
    expect(done.progress).toMatchObject({ done: 1, spentUnits: 0, savedUnits: 1 });
    expect(await client.rows(done.id)).toMatchObject([{ units: 0, evidence: [{ units: 0, servedFrom: 'REPLAY' }] }]);
    expect(creditCalls(padron.proxy)).toBe(1);
  });

  it('is paid once if a batch has just asked it', async () => {
    expect((await runBatch(new BatchClient(padron), [{ nss: second }])).progress).toMatchObject({ spentUnits: 1 });
    const { evidence } = await askCredit(new BatchClient(neighbour), second);
    expect(evidence).toMatchObject({ units: 0, servedFrom: 'REPLAY', billing: 'NOT_CHARGED' });
    expect(creditCalls(padron.proxy)).toBe(1);
  });

  it('is sent once if the row asks first, and a request at the same moment', async () => {
    const held = holdResponses(padron.proxy, creditPath);
    const spentBefore = padron.spent();
    const batch = runBatch(new BatchClient(padron), [{ nss: third }]);
    await waitUntil(() => creditCalls(padron.proxy) === 1);
    const request = askCredit(new BatchClient(neighbour), third);
    await waitUntil(isAwaitedElsewhere);
    await sleep(300);
    held.release();
    expect((await request).evidence).toMatchObject({ units: 0, servedFrom: 'REPLAY', billing: 'NOT_CHARGED' });
    expect((await batch).progress).toMatchObject({ done: 1, spentUnits: 1, savedUnits: 0 });
    expect([creditCalls(padron.proxy), padron.spent() - spentBefore]).toEqual([1, 1]);
  });

  it('is sent once if the request asks first, and a row at the same moment', async () => {
    const held = holdResponses(padron.proxy, creditPath);
    const spentBefore = padron.spent();
    const request = askCredit(new BatchClient(neighbour), fourth);
    await waitUntil(() => creditCalls(padron.proxy) === 1);
    const id = await startBatch(new BatchClient(padron), [{ nss: fourth }]);
    await waitUntil(isAwaitedElsewhere);
    await sleep(300);
    held.release();
    expect((await request).evidence).toMatchObject({ units: 1, servedFrom: 'LIVE' });
    const done = await new BatchClient(padron).until(id, 'DONE', 'PAUSED');
    expect(done.progress).toMatchObject({ done: 1, spentUnits: 0, savedUnits: 1 });
    expect([creditCalls(padron.proxy), padron.spent() - spentBefore]).toEqual([1, 1]);
  });

  it('is sent once if two batches of the account ask it', async () => {
    const client = new BatchClient(padron);
    const held = holdResponses(padron.proxy, creditPath);
    const ids = [await startBatch(client, [{ nss: fifth }]), await startBatch(client, [{ nss: fifth }])];
    await waitUntil(() => creditCalls(padron.proxy) > 0);
    await sleep(300);
    held.release();
    const done = await Promise.all(ids.map((id) => client.until(id, 'DONE', 'PAUSED')));
    const sum = (part: 'spentUnits' | 'savedUnits') => done.reduce((total, { progress }) => total + progress[part], 0);
    expect([sum('spentUnits'), sum('savedUnits'), creditCalls(padron.proxy)]).toEqual([1, 1, 1]);
  });
});

const creditPath = 'buscar-credito';
const creditCalls = ({ requests }: TamperingProxy): number =>
  requests.filter(({ path }) => path.endsWith(creditPath)).length;

const askCredit = async (client: BatchClient, nss: string) =>
  (await client.ask(CREDIT, { nss })).person.credit as { readonly evidence: object };

/** Starts a batch, and returns its ID. */
async function startBatch(client: BatchClient, rows: readonly object[], maxUnits = 5): Promise<string> {
  const { id } = await client.ready(CREDIT, rows);
  await client.change(`startRegistryBatch(id: "${id}", maxUnits: ${maxUnits})`);
  return id;
}

const runBatch = async (client: BatchClient, rows: readonly object[], maxUnits = 5) =>
  client.until(await startBatch(client, rows, maxUnits), 'DONE', 'PAUSED');
