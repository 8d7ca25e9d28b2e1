import { setTimeout as sleep } from 'node:timers/promises';
import { people } from '../../../src/sandbox/data/people';
import type { RunningPadron } from '../../support/padrons/padron';
import { type ProxiedPadron, runPadronBehindProxy } from '../../support/padrons/padron-behind-proxy';
import { ledgerPadronForTests } from '../../support/padrons/padron-for-tests';
import { isAwaited, type SharingPadrons, startSharingPadrons } from '../../support/padrons/sharing-padrons';
import { waitUntil } from '../../support/proxies/deferred';
import { holdResponses } from '../../support/proxies/held-responses';
import type { TamperingProxy } from '../../support/proxies/tampering-proxy';
import { BatchClient, CREDIT } from '../../support/requests/batches';
import { engineRig } from '../../support/stores/engines';

/** People whose credit each takes one call. */
const nssOf = people.filter(({ credit }) => credit !== null && credit !== '').map(({ nss }) => nss);
const [first = '', second = '', third = '', fourth = '', fifth = '', sixth = '', seventh = ''] = nssOf;

const replay = { REPLAY_SECONDS: '300' };

describe('a batch and the requests of its account, in one process', () => {
  const padron = ledgerPadronForTests(engineRig('embedded'), replay);
  const client = new BatchClient(padron);
  beforeAll(() => client.verifyToken());
  beforeEach(() => void padron.calls());

  it('see the same availability of the registry', async () => {
    await runBatch(
      client,
      nssOf.slice(8, 13).map((nss) => ({ nss })),
    );
    const { registryEndpoints } = await client.ask('{ registryEndpoints { fields availability { state } } }');
    expect(
      registryEndpoints.find(({ fields }: { fields: string[] }) => fields.includes('Person.credit')),
    ).toMatchObject({
      availability: { state: 'OPERATIONAL' },
    });
  });

  it('pay once when a request has just asked for the person of a row', async () => {
    await askCredit(client, first);
    const done = await runBatch(client, [{ nss: first }, { nss: second }]);
    expect(done.progress).toMatchObject({ done: 2, spentUnits: 1, savedUnits: 1 });
    expect(padron.calls()).toHaveLength(2);
    const [row] = await client.rows(done.id);
    expect(row).toMatchObject({ units: 0, evidence: [{ units: 0, servedFrom: 'REPLAY' }] });
  });

  it('pay once when a batch has just asked for the person of a request', async () => {
    await runBatch(client, [{ nss: third }]);
    const { evidence } = await askCredit(client, third);
    expect(evidence).toMatchObject({ units: 0, servedFrom: 'REPLAY', billing: 'NOT_CHARGED' });
    expect(padron.calls()).toHaveLength(1);
  });

  it('leave a budget of 0 enough for rows whose answers are paid for', async () => {
    await askCredit(client, fourth);
    padron.calls();
    const done = await runBatch(client, [{ nss: fourth }], 0);
    expect(done.progress).toMatchObject({ done: 1, spentUnits: 0, savedUnits: 1 });
    expect(padron.calls()).toEqual([]);
  });
});

describe('a batch and the requests of its account, in two processes with one PostgreSQL', () => {
  const rig = engineRig('postgres');
  let padrons: SharingPadrons;
  beforeAll(async () => {
    padrons = await startSharingPadrons(rig, {}, { ROLE: 'graph' });
    rig.atEnd(() => padrons.stop());
    await new BatchClient(padrons.first).verifyToken();
  });
  beforeEach(() => padrons.proxy.reset());
  const batches = (): BatchClient => new BatchClient(padrons.first);
  const requests = (): BatchClient => new BatchClient(padrons.second);

  it('pay once when the other process has just asked for the person of a row', async () => {
    await askCredit(requests(), first);
    const done = await runBatch(batches(), [{ nss: first }]);
    expect(done.progress).toMatchObject({ done: 1, spentUnits: 0, savedUnits: 1 });
    expect(creditCalls(padrons.proxy)).toBe(1);
  });

  it('pay once when the batch of the other process has just asked for the person of a request', async () => {
    const done = await runBatch(batches(), [{ nss: second }]);
    expect(done.progress).toMatchObject({ done: 1, spentUnits: 1 });
    const { evidence } = await askCredit(requests(), second);
    expect(evidence).toMatchObject({ units: 0, servedFrom: 'REPLAY' });
    expect(creditCalls(padrons.proxy)).toBe(1);
  });
});

describe.each([
  ['in one process with the embedded store', 'embedded'],
  ['in two processes with one PostgreSQL', 'postgres'],
] as const)('a question that is asked twice at the same moment, %s', (_where, engine) => {
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

  it('is sent once if the row asks first', async () => {
    const held = holdResponses(padron.proxy, creditPath);
    const batch = runBatch(new BatchClient(padron), [{ nss: fifth }]);
    await waitUntil(() => creditCalls(padron.proxy) === 1);
    const request = askCredit(new BatchClient(neighbour), fifth);
    await waitUntil(isAwaitedElsewhere);
    await sleep(300);
    held.release();
    expect((await request).evidence).toMatchObject({ units: 0, servedFrom: 'REPLAY', billing: 'NOT_CHARGED' });
    expect((await batch).progress).toMatchObject({ done: 1, spentUnits: 1, savedUnits: 0 });
    expect([creditCalls(padron.proxy), padron.spent()]).toEqual([1, 1]);
  });

  it('is sent once if the request asks first', async () => {
    const held = holdResponses(padron.proxy, creditPath);
    const spentBefore = padron.spent();
    const request = askCredit(new BatchClient(neighbour), sixth);
    await waitUntil(() => creditCalls(padron.proxy) === 1);
    const id = await startBatch(new BatchClient(padron), [{ nss: sixth }]);
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
    const ids = [await startBatch(client, [{ nss: seventh }]), await startBatch(client, [{ nss: seventh }])];
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
