import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { preparePadron } from '../../../support/padrons/ledger';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';
import { askAs, jwtMode, readTrail } from './read-trail';

const trail = '{ registryAudit { actions { id action client scope batch } next } }';
const search = `{ registryProofs(subject: { nss: "${NSS[0]}" }) { next } }`;
const everyOther =
  'padron_ledger padron_ledger_settle padron_proofs padron_budgets padron_erase padron_batch use_buscar_credito';

describe('access to the audit trail', () => {
  const rig = engineRig();

  it('needs the scope padron_audit if callers have JWTs', async () => {
    const padron = await (await preparePadron(rig, jwtMode)).start();
    await askAs(padron, { client_id: 'hr', scope: 'padron_proofs' }, search);
    await askAs(padron, { scope: 'padron_proofs' }, search);
    for (const claims of [{ client_id: 'hr', scope: everyOther }, { client_id: 'hr' }, { scope: 'PADRON_AUDIT' }]) {
      const { data, errors } = await askAs(padron, claims, trail);
      expect(data).toEqual({ registryAudit: null });
      expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
      expect(errors?.[0].message).toContain('`padron_audit`');
    }
    const { data } = await askAs(padron, { scope: 'padron_audit' }, trail);
    expect(data.registryAudit.actions).toMatchObject([{ client: null }, { client: 'hr', scope: 'padron_proofs' }]);
    // The scope gives no access to the ledger or to budgets.
    const ledgerQuery = '{ registryLedger { next } registryBudgets { id } }';
    expect((await askAs(padron, { scope: 'padron_audit' }, ledgerQuery)).data).toEqual({
      registryLedger: null,
      registryBudgets: null,
    });
    await padron.stop();
  });

  it('needs the token of the account if callers have no JWT', async () => {
    const padron = await (await preparePadron(rig)).start();
    const batches = new BatchClient(padron, undefined, { 'x-client-name': 'payroll' });
    const { id } = await batches.ready(CREDIT, [{ nss: NSS[0] }]);
    await batches.change(`startRegistryBatch(id: "${id}", maxUnits: 1)`);
    await padron.ask(search, {}, { 'x-client-name': 'audit desk' });
    const own = await padron.ask(trail);
    expect(own.data.registryAudit.actions).toMatchObject([
      { action: 'SEARCH_PROOFS', client: 'audit desk', scope: null, batch: null },
      { action: 'START_BATCH', client: 'payroll', scope: null, batch: id },
      { action: 'CREATE_BATCH', client: 'payroll', scope: null, batch: id },
    ]);
    const strangers = [{ authorization: `Bearer ${OTHER_TOKEN}` }, { 'x-sandbox': 'true' }] as const;
    for (const headers of strangers)
      expect((await padron.ask(trail, {}, headers)).data.registryAudit).toEqual({ actions: [], next: null });
    const withoutToken = await padron.ask(trail, {}, { authorization: '' });
    expect(withoutToken.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    await padron.stop();
  });

  it('is not possible through _entities', async () => {
    const padron = await (await preparePadron(rig, jwtMode)).start();
    const compliance = { client_id: 'compliance', scope: 'padron_erase padron_audit' };
    const erase = `mutation { eraseRegistrySubject(subject: { nss: "${NSS[0]}" }) { id } }`;
    const { id } = (await askAs(padron, compliance, erase)).data.eraseRegistrySubject;
    const query = 'query ($r: [_Any!]!) { _entities(representations: $r) { __typename } }';
    for (const __typename of ['RegistryAuditRecord', 'RegistryErasure', 'RegistryLedgerEntry']) {
      const { data } = await askAs(padron, { ...compliance, scope: 'padron_audit padron_ledger' }, query, {
        r: [{ __typename, id }],
      });
      expect(data?._entities?.[0] ?? null).toBeNull();
    }
    expect(await readTrail(padron, `{ id: "${id}" }`)).toHaveLength(1);
    await padron.stop();
  });
});

describe('the scope of a record', () => {
  const rig = engineRig();

  it('is null for searches of own entries, of which a request leaves one record, so that no JWT fills the trail', async () => {
    const padron = await (await preparePadron(rig, jwtMode)).start();
    const claims = { client_id: 'kiosk', scope: 'use_buscar_credito' };
    const credits = NSS.slice(0, 3).map((nss, index) => `p${index}: person(nss: "${nss}") { credit { outcome } }`);
    await askAs(padron, claims, `{ ${credits.join(' ')} }`, {}, { 'x-reference': 'E-1' });
    const counts = [1, 2, 3].map(
      (first) => `l${first}: registryLedger(filter: { reference: "E-1" }, first: ${first}) { next }`,
    );
    const unknown = [1, 2, 3].map(
      (number) => `u${number}: registrySpend(filter: { reference: "U-${number}" }) { calls }`,
    );
    const query = `{ ${[...counts, ...unknown].join(' ')} }`;
    for (let turn = 0; turn < 2; turn += 1) expect((await askAs(padron, claims, query)).errors).toBeUndefined();
    const own = { action: 'SEARCH_PROOFS', client: 'kiosk', identifiers: ['reference'] };
    const records = await readTrail(padron);
    expect(records).toMatchObject([own, own]);
    expect(records.filter(({ scope }) => scope !== undefined)).toEqual([]);
    expect(records[0].requestId).not.toBe(records[1].requestId);
    await askAs(padron, { client_id: 'finance', scope: 'padron_ledger' }, query);
    const searched = (await readTrail(padron)).filter(({ client }) => client === 'finance');
    expect(searched.map(({ entries }) => entries).sort()).toEqual([0, 0, 0, 1, 2, 3]);
    await padron.stop();
  });

  it('is padron_batches_all for a change of the batch of another client', async () => {
    const padron = await (await preparePadron(rig, jwtMode)).start();
    const create = `mutation { createRegistryBatch(input: { operation: "${CREDIT}" }) { batch { id } } }`;
    const scope = 'padron_batch padron_batches_all';
    const { data } = await askAs(padron, { client_id: 'payroll', scope }, create);
    const { id } = data.createRegistryBatch.batch;
    const cancel = `mutation { cancelRegistryBatch(id: "${id}") { problems { code } } }`;
    await askAs(padron, { client_id: 'operator', scope }, cancel);
    expect(await readTrail(padron)).toMatchObject([
      { action: 'CANCEL_BATCH', client: 'operator', scope: 'padron_batches_all' },
      { action: 'CREATE_BATCH', client: 'payroll', scope: 'padron_batch' },
    ]);
    await padron.stop();
  });
});
