import { people } from '../../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../../support/find-or-throw';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { type PreparedPadron, preparePadron } from '../../../support/padrons/ledger';
import type { GraphqlAnswer, RunningPadron } from '../../../support/padrons/padron';
import { BatchClient, CREDIT } from '../../../support/requests/batches';
import { card } from '../../../support/sandbox/cards';
import { engineRig, engines } from '../../../support/stores/engines';
import { askAs, jwtMode, readTrail } from './read-trail';

const person = findOrThrow(people, ({ credit }) => credit !== null && credit !== '');
const hr = {
  client_id: 'hr',
  scope: 'use_buscar_credito padron_budgets padron_ledger_settle padron_batch',
};
const compliance = { client_id: 'compliance', scope: 'padron_proofs padron_erase' };
const check = 'query ($nss: NSS!) { person(nss: $nss) { credit { outcome evidence { ledgerId billing units } } } }';
const subject = { nss: person.nss, curp: person.curp };
const erase =
  'mutation ($subject: RegistrySubjectInput!) { eraseRegistrySubject(subject: $subject) { id at entries rows notSearched } }';
const search =
  'query ($subject: RegistrySubjectInput!) { registryProofs(subject: $subject) { entries { id } csvUrl } }';
const recordShape = { id: expect.stringMatching(/^[0-9A-Z]{26}$/), at: expect.stringMatching(/^\d{4}-.*Z$/) };
const requestOf = ({ headers }: GraphqlAnswer) => headers['x-request-id'];

describe.each(engines)('the audit trail on the %s engine', (engine) => {
  const rig = engineRig(engine);
  let prepared: PreparedPadron;
  let padron: RunningPadron;
  beforeAll(async () => {
    prepared = await preparePadron(rig, jwtMode);
    padron = await prepared.start();
  });
  afterAll(() => padron.stop());

  it('records who set, changed and removed a budget, with which scope and parameters', async () => {
    const set = (input: string) => askAs(padron, hr, `mutation { setRegistryBudget(input: ${input}) { id } }`);
    const created = await set('{ client: "kiosk", tag: "night", period: DAY, units: 50 }');
    const { id } = created.data.setRegistryBudget;
    const changed = await set(`{ id: "${id}", period: DAY, units: 80 }`);
    const removed = await askAs(padron, hr, `mutation { removeRegistryBudget(id: "${id}") }`);
    const scopeOfBudget = { budget: id, budgetClient: 'kiosk', budgetTag: 'night', budgetPeriod: 'DAY' };
    const by = { ...recordShape, outcome: 'DONE', client: 'hr', scope: 'padron_budgets' };
    expect(await readTrail(padron)).toEqual([
      { ...by, action: 'REMOVE_BUDGET', budget: id, requestId: requestOf(removed) },
      { ...by, action: 'SET_BUDGET', ...scopeOfBudget, units: 80, requestId: requestOf(changed) },
      { ...by, action: 'SET_BUDGET', ...scopeOfBudget, units: 50, requestId: requestOf(created) },
    ]);
  });

  it('records a refused action with its reason and without the text of the caller', async () => {
    const planted = `${person.curp}-${person.nss}`;
    for (const change of [
      `setRegistryBudget(input: { id: "${planted}", period: DAY, units: 1 }) { id }`,
      `removeRegistryBudget(id: "${planted}")`,
      `settleRegistryBilling(input: [{ id: "${person.nss}", billing: CHARGED }]) { id }`,
    ])
      await askAs(padron, hr, `mutation { ${change} }`);
    const before = (await readTrail(padron)).slice(0, 3);
    expect(before).toMatchObject([
      { action: 'SETTLE_BILLING', outcome: 'REFUSED', problem: 'BAD_USER_INPUT', entries: 1 },
      { action: 'REMOVE_BUDGET', outcome: 'REFUSED', problem: 'NOT_FOUND' },
      { action: 'SET_BUDGET', outcome: 'REFUSED', problem: 'BAD_USER_INPUT', units: 1 },
    ]);
    // A batch that the caller does not have cannot change, so nothing is recorded.
    const cancel = `mutation { cancelRegistryBatch(id: "${planted}") { problems { code } } }`;
    expect((await askAs(padron, hr, cancel)).data.cancelRegistryBatch.problems).toEqual([{ code: 'BATCH_NOT_FOUND' }]);
    const after = await readTrail(padron);
    expect(after.slice(0, 3)).toEqual(before);
    expect(JSON.stringify(after)).not.toContain(person.curp);
  });

  it('records the number of settled calls and their units', async () => {
    const { data } = await askAs(padron, hr, check, { nss: card('html', 'nss') });
    const { ledgerId, billing } = data.person.credit.evidence;
    expect(billing).toBe('UNKNOWN');
    const settle = `mutation { settleRegistryBilling(input: [{ id: "${ledgerId}", billing: CHARGED }]) { id } }`;
    await askAs(padron, hr, settle);
    expect((await readTrail(padron))[0]).toMatchObject({
      ...{ action: 'SETTLE_BILLING', outcome: 'DONE', client: 'hr', scope: 'padron_ledger_settle' },
      ...{ entries: 1, units: 1 },
    });
  });

  it('records each search of proofs with the number of entries found', async () => {
    await askAs(padron, hr, check, { nss: person.nss });
    const found = await askAs(padron, compliance, search, { subject });
    const withoutEntries = await askAs(padron, compliance, search, { subject: { rfc: person.rfc } });
    expect(found.data.registryProofs.entries).toHaveLength(1);
    const done = { ...recordShape, outcome: 'DONE', action: 'SEARCH_PROOFS' };
    const by = { ...done, client: 'compliance', scope: 'padron_proofs' };
    expect((await readTrail(padron)).slice(0, 2)).toEqual([
      { ...by, identifiers: ['rfc'], entries: 0, requestId: requestOf(withoutEntries) },
      { ...by, identifiers: ['nss', 'curp'], entries: 1, requestId: requestOf(found) },
    ]);
  });

  it('finds the record of an erasure by the ID of its receipt', async () => {
    await askAs(padron, hr, check, { nss: person.nss });
    const erased = await askAs(padron, compliance, erase, { subject });
    const { notSearched, ...receipt } = erased.data.eraseRegistrySubject;
    expect(receipt).toEqual({ ...recordShape, entries: 2, rows: 0 });
    expect(notSearched).toEqual([]);
    expect((await askAs(padron, compliance, search, { subject })).data.registryProofs.entries).toEqual([]);
    expect(await readTrail(padron, `{ id: "${receipt.id}" }`)).toEqual([
      {
        ...receipt,
        ...{ action: 'ERASE_SUBJECT', outcome: 'DONE', client: 'compliance', scope: 'padron_erase' },
        ...{ identifiers: ['nss', 'curp'], requestId: requestOf(erased) },
      },
    ]);
    // A second erasure has another receipt and does not change the first record.
    const again = (await askAs(padron, compliance, erase, { subject })).data.eraseRegistrySubject;
    expect(again).toMatchObject({ ...recordShape, entries: 0, rows: 0 });
    expect((await readTrail(padron, '{ action: ERASE_SUBJECT }')).map(({ id }) => id)).toEqual([again.id, receipt.id]);
  });

  it('records once in a request that rows of a batch were read, and each download of its results', async () => {
    const client = new BatchClient(padron, signedBySecret(jwtMode.JWT_SECRET, hr));
    const { id } = await client.ready(CREDIT, [{ nss: person.nss }]);
    const before = (await readTrail(padron)).length;
    const read = `{ registryBatch(id: "${id}") { xlsxUrl a: rows { rows { data } } b: rows(first: 1) { next } } }`;
    const names = await askAs(
      padron,
      hr,
      `{ registryBatch(id: "${id}") { rows { rows { number ref problems { code } } } } }`,
    );
    expect(names.data.registryBatch.rows.rows).toHaveLength(1);
    const nothing = await askAs(padron, hr, `{ registryBatch(id: "${id}") { rows(state: DONE) { rows { data } } } }`);
    expect(nothing.data.registryBatch.rows.rows).toEqual([]);
    expect(await readTrail(padron)).toHaveLength(before);
    await client.run(id);
    const all = { client_id: 'review', scope: 'padron_batch padron_batches_all' };
    const shown = await askAs(padron, all, read);
    expect(shown.data.registryBatch.a.rows).toHaveLength(1);
    const { csvUrl } = await client.get(id);
    expect(await client.download(`${csvUrl}x`)).toMatchObject({ status: 403 });
    expect(await client.download(csvUrl)).toMatchObject({ status: 200 });
    const done = { ...recordShape, action: 'READ_RESULTS', outcome: 'DONE', batch: id };
    expect(await readTrail(padron, '{ action: READ_RESULTS }')).toEqual([
      { ...done, client: 'hr', scope: 'padron_batch', requestId: expect.any(String) },
      { ...done, client: 'review', scope: 'padron_batches_all', requestId: requestOf(shown) },
    ]);
  });

  it('is filtered by time, action and client, and read page by page', async () => {
    const all = await readTrail(padron);
    const from = all[2]?.at;
    expect(all.length).toBeGreaterThan(8);
    const expectFiltered = async (filter: string, isWanted: (record: (typeof all)[number]) => boolean) => {
      const wanted = all.filter(isWanted);
      expect(wanted.length).toBeGreaterThan(0);
      expect(await readTrail(padron, filter)).toEqual(wanted);
    };
    await expectFiltered('{ client: "compliance" }', ({ client }) => client === 'compliance');
    await expectFiltered('{ action: SET_BUDGET, client: "hr" }', ({ action }) => action === 'SET_BUDGET');
    await expectFiltered(`{ from: "${from}" }`, ({ at }) => at >= from);
    await expectFiltered(`{ to: "${from}" }`, ({ at }) => at < from);
    const ids: string[] = [];
    for (let after: string | null = null; ; ) {
      const query = 'query ($after: String) { registryAudit(first: 3, after: $after) { actions { id } next } }';
      const { data } = await askAs(padron, { scope: 'padron_audit' }, query, { after });
      ids.push(...data.registryAudit.actions.map(({ id }: { id: string }) => id));
      after = data.registryAudit.next;
      if (after === null) break;
    }
    expect(ids).toEqual(all.map(({ id }) => id));
  });

  it.each([
    ['an interval that ends before it begins', 'filter: { from: "2026-02-02T00:00:00Z", to: "2026-02-01T00:00:00Z" }'],
    ['a time without a zone', 'filter: { from: "2026-02-01T00:00:00" }'],
    ['a page of more than 1,000 records', 'first: 1001'],
    ['a cursor that padron did not create', 'after: "MDE"'],
  ])('refuses %s', async (_what, parameters) => {
    const { errors } = await askAs(padron, { scope: 'padron_audit' }, `{ registryAudit(${parameters}) { next } }`);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  it('records nothing of a search and of results in a dry run', async () => {
    const before = await readTrail(padron);
    const results = '{ registryBatches { batches { rows { rows { data } } } } }';
    const { data } = await askAs(padron, hr, results, {}, { 'x-dry-run': 'true' });
    expect(data).toBeNull();
    await askAs(padron, compliance, search, { subject }, { 'x-dry-run': 'true' });
    expect(await readTrail(padron)).toEqual(before);
  });

  it('writes one log line per action, with the ID of its record', async () => {
    const [newest] = await readTrail(padron, '{ action: ERASE_SUBJECT }');
    const lines = padron.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'audit');
    expect(lines.length).toBe((await readTrail(padron)).length);
    const { id, requestId, client, scope, action, outcome } = newest;
    expect(lines.filter((line) => line.id === id)).toMatchObject([{ requestId, client, scope, action, outcome }]);
  });

  it('contains no identifier of a person and no hash of one', async () => {
    await askAs(padron, hr, check, { nss: person.nss });
    await askAs(padron, compliance, search, { subject });
    await padron.stop();
    const [trail, hashes] = await prepared.read(async (store) => [
      await store.query('SELECT a::text AS line FROM ledger_audit a'),
      await store.query<{ readonly hash: string }>("SELECT encode(hash, 'hex') AS hash FROM ledger_subjects"),
    ]);
    const text = JSON.stringify(trail).toUpperCase();
    expect(trail.length).toBeGreaterThan(10);
    expect(hashes.length).toBeGreaterThan(0);
    const personal = [person.nss, person.curp, person.rfc, person.names, person.paternalSurname];
    const found = [...personal, ...hashes.map(({ hash }) => hash)].filter((part) => text.includes(part.toUpperCase()));
    expect(found).toEqual([]);
  });
});
