import { ledgerPadronForTests } from '../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../support/requests/batches';
import { bothEngines, engineRig } from '../support/stores/engines';

describe.each(bothEngines)('a batch on the %s store', (engine) => {
  const rig = engineRig(engine);
  const padron = ledgerPadronForTests(rig);
  beforeEach(() => void padron.calls());
  const client = new BatchClient(padron);
  beforeAll(() => client.verifyToken());

  it('is priced before it starts, and calls each distinct question once', async () => {
    const rows = [...NSS.slice(0, 5), ...NSS.slice(0, 5)].map((nss, index) => ({ nss, ref: `row ${index}` }));
    const ready = await client.ready(CREDIT, rows);
    expect(ready.estimate).toMatchObject({ rowCount: 10, estimatedUnits: 5, atMost: 5, bounded: true });
    expect(padron.calls()).toEqual([]);
    const { problems } = await client.change(`startRegistryBatch(id: "${ready.id}", maxUnits: 5)`);
    expect(problems).toEqual([]);
    const done = await client.until(ready.id, 'DONE', 'PAUSED');
    expect(done).toMatchObject({
      state: 'DONE',
      progress: {
        rows: 10,
        done: 10,
        failed: 0,
        unknown: 0,
        waiting: 0,
        spentUnits: 5,
        uncertainUnits: 0,
        savedUnits: 5,
      },
    });
    expect(padron.calls()).toHaveLength(5);
    const answers = await client.rows(ready.id);
    expect(answers.map(({ ref }) => ref)).toEqual(rows.map(({ ref }) => ref));
    expect(answers[0].data.person.credit).toMatchObject({
      outcome: 'FOUND',
      evidence: { units: 1, servedFrom: 'LIVE' },
    });
    expect(answers[5].data.person.credit).toMatchObject({
      outcome: 'FOUND',
      evidence: { units: 0, servedFrom: 'REPLAY' },
    });
  });
});
