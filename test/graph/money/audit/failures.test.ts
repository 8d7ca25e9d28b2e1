import { preparePadron } from '../../../support/padrons/ledger';
import { NSS } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';
import { askAs, jwtMode, readTrail } from './read-trail';

const officer = { client_id: 'officer', scope: 'use_buscar_credito padron_budgets padron_erase padron_proofs' };
const set = 'mutation { setRegistryBudget(input: { client: "kiosk", period: DAY, units: 5 }) { id } }';
const erase = `mutation { eraseRegistrySubject(subject: { nss: "${NSS[0]}" }) { id entries } }`;
const search = `{ registryProofs(subject: { nss: "${NSS[0]}" }) { entries { id } csvUrl } }`;
const check = `{ person(nss: "${NSS[0]}") { credit { outcome } } }`;

describe('a change that cannot be recorded', () => {
  const rig = engineRig('postgres');

  it('is not made, and a search that cannot be recorded returns no result', async () => {
    const prepared = await preparePadron(rig, jwtMode);
    const padron = await prepared.start();
    await askAs(padron, officer, check);
    await prepared.read((store) => store.query('ALTER TABLE ledger_audit RENAME TO ledger_audit_elsewhere'));
    for (const query of [set, erase, search]) {
      const { data, errors } = await askAs(padron, officer, query);
      expect([Object.values(data), errors?.length]).toEqual([[null], 1]);
    }
    await prepared.read((store) => store.query('ALTER TABLE ledger_audit_elsewhere RENAME TO ledger_audit'));
    const { data } = await askAs(padron, officer, `{ registryBudgets { id } ${search.slice(1)}`);
    expect(data).toMatchObject({ registryBudgets: [], registryProofs: { entries: [{}] } });
    expect(await readTrail(padron)).toMatchObject([{ action: 'SEARCH_PROOFS', entries: 1 }]);
    await padron.stop();
  });

  it('is UNFINISHED in the trail if its result could not be recorded', async () => {
    const prepared = await preparePadron(rig, jwtMode);
    const padron = await prepared.start();
    await prepared.read((store) => store.query('ALTER TABLE ledger_budgets RENAME TO ledger_budgets_elsewhere'));
    const { errors } = await askAs(padron, officer, set);
    await prepared.read((store) => store.query('ALTER TABLE ledger_budgets_elsewhere RENAME TO ledger_budgets'));
    expect(errors).toHaveLength(1);
    const [record] = await readTrail(padron);
    expect(record).toMatchObject({ action: 'SET_BUDGET', outcome: 'UNFINISHED', client: 'officer', units: 5 });
    const lines = padron.log.map((line) => JSON.parse(line)).filter(({ id }) => id === record.id);
    expect(lines).toMatchObject([{ msg: 'audit', outcome: 'UNFINISHED' }]);
    await padron.stop();
  });
});
