import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { preparePadron } from '../../../support/padrons/ledger';
import { proxiedPadronForEachTest } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT, NSS } from '../../../support/requests/batches';
import { engineRig } from '../../../support/stores/engines';
import { askAs, jwtMode, readTrail } from './read-trail';

const trail = '{ registryAudit { actions { id action outcome client scope batch } next } }';
const search = `{ registryProofs(subject: { nss: "${NSS[0]}" }) { entries { id } csvUrl } }`;
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
    await batches.change(`startRegistryBatch(id: "${id}", maxUnits: 1, earlierAnswers: PAY_AGAIN)`);
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

const stranger = { authorization: 'Bearer unknown-token' };
const settle =
  'mutation { settleRegistryBilling(input: [{ id: "01M82SX78AWEE5KX3Y00000005", billing: CHARGED }]) { id } }';
const create = `mutation { createRegistryBatch(input: { operation: "${CREDIT}" }) { batch { id } problems { code } } }`;
const malformed =
  'mutation { createRegistryBatch(input: { operation: "{ __typename }", name: " " }) { problems { code } } }';

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
    expect((await padron.ask(trail)).data.registryAudit.actions).toMatchObject([
      { action: 'CREATE_BATCH', outcome: 'DONE' },
      { action: 'SEARCH_PROOFS', outcome: 'DONE' },
    ]);
  });
});

const officer = { client_id: 'officer', scope: 'use_buscar_credito padron_budgets padron_erase padron_proofs' };
const set = 'mutation { setRegistryBudget(input: { client: "kiosk", period: DAY, units: 5 }) { id } }';
const erase = `mutation { eraseRegistrySubject(subject: { nss: "${NSS[0]}" }) { id entries } }`;
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
