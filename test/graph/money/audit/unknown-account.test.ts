import { proxiedPadronForEachTest } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';

const stranger = { authorization: 'Bearer unknown-token' };
const search = `{ registryProofs(subject: { nss: "${NSS[0]}" }) { entries { id } } }`;
const settle =
  'mutation { settleRegistryBilling(input: [{ id: "01M82SX78AWEE5KX3Y00000005", billing: CHARGED }]) { id } }';
const create = `mutation { createRegistryBatch(input: { operation: "${CREDIT}" }) { batch { id } problems { code } } }`;
const malformed =
  'mutation { createRegistryBatch(input: { operation: "{ __typename }", name: " " }) { problems { code } } }';
const trail = '{ registryAudit { actions { action outcome } } }';

describe('the audit trail of a token that the service has not accepted', () => {
  const rig = engineRig();
  const padron = proxiedPadronForEachTest({}, rig);

  it('has no record, and the token is checked with the service once', async () => {
    for (const query of [search, settle, create]) {
      const { errors } = await padron.ask(query, {}, stranger);
      expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    }
    expect(padron.callsInFull()).toMatchObject([{ status: 401, sandbox: true, units: 0 }]);
    const { data } = await padron.ask(malformed, {}, stranger);
    expect(data.createRegistryBatch.problems).toMatchObject([{ code: 'INVALID_FORMAT' }]);
    expect((await padron.ask(trail, {}, stranger)).data.registryAudit.actions).toEqual([]);
  });

  it('is read without a check if the account has entries', async () => {
    await padron.ask(`{ person(nss: "${NSS[0]}") { credit { outcome } } }`);
    padron.proxy.standIn(() => ({ status: 503, json: {} }));
    expect((await padron.ask(search)).data.registryProofs.entries).toHaveLength(1);
    expect(padron.callsInFull()).toHaveLength(1);
  });

  it('has no record while the service is unavailable, and records again afterwards', async () => {
    padron.proxy.standIn(() => ({ status: 503, json: {} }));
    for (const query of [search, settle]) {
      const { errors } = await padron.ask(query);
      expect(errors).toMatchObject([{ extensions: { code: 'LEDGER_UNAVAILABLE' } }]);
    }
    expect((await padron.ask(create)).data.createRegistryBatch.problems).toMatchObject([{ code: 'REGISTRY_ERROR' }]);
    expect((await padron.ask(trail)).data.registryAudit.actions).toEqual([]);
    padron.proxy.reset();
    expect((await padron.ask(search)).data.registryProofs.entries).toEqual([]);
    await new BatchClient(padron).create({ operation: CREDIT });
    expect((await padron.ask(trail)).data.registryAudit.actions).toEqual([
      { action: 'CREATE_BATCH', outcome: 'DONE' },
      { action: 'SEARCH_PROOFS', outcome: 'DONE' },
    ]);
  });
});
