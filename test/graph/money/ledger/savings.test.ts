import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { indebted } from '../../../support/requests/credit-request';
import { engineRig } from '../../../support/stores/engines';

const ask = 'query ($nss: NSS) { person(nss: $nss) { credit { outcome evidence { servedFrom } } } }';
const twice =
  'query ($nss: NSS) { one: person(nss: $nss) { credit { outcome } } two: person(nss: $nss) { credit { outcome } } }';
const sums = '{ registrySpend(by: [SAVING]) { saving calls units savedUnits } }';
const ledger = '{ registryLedger { entries { saving savedUnits evidence { servedFrom checkedAt age } } csvUrl } }';

describe('the savings in the ledger', () => {
  const padron = ledgerPadronForTests(engineRig(), { REPLAY_SECONDS: '60' });
  const [replayed = '', repeated = '', job = ''] = indebted;
  const lasting = { 'x-operation-id': 'a-secret-name-of-a-job', 'x-operation-keep': '1h' };

  it('are told apart by why no call was made, and those of kept answers have their age', async () => {
    const servedFrom = async (nss: string, headers = {}) =>
      (await padron.ask(ask, { nss }, headers)).data.person.credit.evidence.servedFrom;
    expect([await servedFrom(replayed), await servedFrom(replayed)]).toEqual(['LIVE', 'REPLAY']);
    await padron.ask(twice, { nss: repeated });
    expect([await servedFrom(job, lasting), await servedFrom(job, lasting)]).toEqual(['LIVE', 'KEPT']);

    const none = { calls: 0, units: 0, savedUnits: 1 };
    const { data } = await padron.ask(sums);
    expect(data.registrySpend).toEqual([
      { ...none, saving: 'JOB' },
      { ...none, saving: 'REPLAY' },
      { ...none, saving: 'REQUEST' },
      { saving: null, calls: 3, units: 3, savedUnits: 0 },
    ]);
    const { entries, csvUrl } = (await padron.ask(ledger)).data.registryLedger;
    expect(entries[0]).toEqual({
      saving: 'JOB',
      savedUnits: 1,
      evidence: { servedFrom: 'KEPT', checkedAt: expect.any(String), age: expect.any(Number) },
    });
    const [head, first] = (await (await fetch(csvUrl)).text()).split('\r\n').map((line) => line.split(','));
    const cell = (name: string) => first?.[head?.indexOf(name) ?? -1];
    expect([cell('served_from'), cell('saving'), cell('age')]).toEqual([
      'KEPT',
      'JOB',
      String(entries[0].evidence.age),
    ]);
    expect(new Date(cell('checked_at') ?? '')).toEqual(new Date(entries[0].evidence.checkedAt));
  });
});
