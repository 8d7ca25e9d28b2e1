import { people } from '../../../src/sandbox/data/people';
import { ledgerPadronForTests } from '../../support/padrons/padron-for-tests';
import { type SharingPadrons, startSharingPadrons } from '../../support/padrons/sharing-padrons';
import { BatchClient, CREDIT } from '../../support/requests/batches';
import { engineRig } from '../../support/stores/engines';

/** People whose credit each takes one call. */
const nssOf = people.filter(({ credit }) => credit !== null && credit !== '').map(({ nss }) => nss);
const [first = '', second = '', third = '', fourth = ''] = nssOf;

const replay = { REPLAY_SECONDS: '300' };

describe('a batch and the requests of its account, in one process', () => {
  const padron = ledgerPadronForTests(engineRig('embedded'), replay);
  const client = new BatchClient(padron);
  beforeAll(() => client.verifyToken());
  beforeEach(() => void padron.calls());

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
    padrons = await startSharingPadrons((await rig.settings()).environment, { DATA_DIR: rig.folder() });
    rig.atEnd(() => padrons.stop());
  });
  const batches = (): BatchClient => new BatchClient(padrons.first);
  const requests = (): BatchClient => new BatchClient(padrons.second);

  it('pay once when the other process has just asked for the person of a row', async () => {
    await askCredit(requests(), first);
    const done = await runBatch(batches(), [{ nss: first }]);
    expect(done.progress).toMatchObject({ done: 1, spentUnits: 0, savedUnits: 1 });
  });

  it('pay once when the batch of the other process has just asked for the person of a request', async () => {
    const done = await runBatch(batches(), [{ nss: second }]);
    expect(done.progress).toMatchObject({ done: 1, spentUnits: 1 });
    const { evidence } = await askCredit(requests(), second);
    expect(evidence).toMatchObject({ units: 0, servedFrom: 'REPLAY' });
  });
});

const askCredit = async (client: BatchClient, nss: string) =>
  (await client.ask(CREDIT, { nss })).person.credit as { readonly evidence: object };

async function runBatch(client: BatchClient, rows: readonly object[], maxUnits = 5) {
  const { id } = await client.ready(CREDIT, rows);
  await client.change(`startRegistryBatch(id: "${id}", maxUnits: ${maxUnits})`);
  return client.until(id, 'DONE', 'PAUSED');
}
