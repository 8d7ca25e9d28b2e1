import { people } from '../../../../src/extensions/sandbox/data/people';
import type { Claims } from '../../../support/keys/identity-provider';
import { CREDIT } from '../../../support/operations/people-endpoints';
import { preparePadron } from '../../../support/padrons/ledger';
import type { RunningPadron } from '../../../support/padrons/padron';
import { startForTests } from '../../../support/start-for-tests';
import { engineRig, engines } from '../../../support/stores/engines';
import { dumpDatabase } from '../../../support/stores/postgres';
import { askAs, jwtMode, readTrail } from './read-trail';

const numbers = people.filter(({ credit }) => Boolean(credit)).map(({ nss }) => nss);
/** Returns an operation about another person each time, because an answer of a moment ago is shared. */
const credit = (): string => `query Credit { person(nss: "${numbers.pop()}") { credit { outcome } } }`;
const [ANA, LUIS] = ['auth0|ana.lopez@example.com', 'luis-7c1f0b66'];
const scope = 'use_buscar_credito padron_batch padron_budgets';
const auditor = { client_id: 'audit-desk', scope: 'padron_audit' };
const create = `mutation ($rows: [JSON!]) { createRegistryBatch(input: { operation: "query Q($nss: NSS!) { person(nss: $nss) { credit { outcome } } }", rows: $rows }) { batch { id } problems { code } } }`;

describe.each(engines)('the person who asks, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  let prepared: Awaited<ReturnType<typeof preparePadron>>;
  const newKeys = `${'fedcba9876543210'.repeat(3)},${'0123456789abcdef'.repeat(3)}`;
  const padron = startForTests(
    async () => {
      prepared = await preparePadron(rig, jwtMode);
      return prepared.start();
    },
    (started: RunningPadron) => started.stop(),
  );
  const calls = async (claims: Claims, actor: string, on: RunningPadron = padron, batch: string | null = null) => {
    const query = `query ($filter: RegistryLedgerFilter) { registryLedger(filter: $filter) { entries { client operation } } registrySpend(filter: $filter, by: []) { units } }`;
    return askAs(on, claims, query, { filter: { actor, batch } });
  };
  const changes = (claims: Claims, actor: string, on: RunningPadron = padron) =>
    askAs(on, claims, 'query ($actor: String) { registryAudit(actor: $actor) { actions { action client } } }', {
      actor,
    });

  let address = '';
  beforeAll(async () => {
    address = padron.sandbox.url;
    await askAs(padron, { azp: 'onboarding', sub: ANA, scope }, credit());
    await askAs(padron, { azp: 'crm', sub: ANA, scope }, credit());
    await askAs(padron, { client_id: 'crm', sub: LUIS, scope }, credit());
    // Tokens that an application got for itself, and that name no application.
    await askAs(padron, { azp: 'job', sub: 'job', scope }, credit());
    await askAs(padron, { sub: 'desk', scope }, credit());
    expect(padron.calls()).toEqual(Array(5).fill(CREDIT));
    const budget = 'mutation { setRegistryBudget(input: { period: DAY, units: 99, alertsAt: [] }) { id } }';
    await askAs(padron, { azp: 'onboarding', sub: ANA, scope }, budget);
  });

  it('is found with the scope padron_audit: all calls and changes, of every application', async () => {
    const ana = await calls(auditor, ANA);
    expect(ana.errors).toBeUndefined();
    expect(ana.data.registryLedger.entries.map(({ client }: { client: string }) => client)).toEqual([
      'crm',
      'onboarding',
    ]);
    expect(ana.data.registrySpend).toEqual([{ units: 2 }]);
    const search = { client: 'audit-desk', scope: 'padron_audit', identifiers: ['actor'], entries: 2 };
    const trail = await readTrail(padron, '{ action: SEARCH_PROOFS }');
    expect(trail).toEqual([expect.objectContaining(search), expect.objectContaining(search)]);
    expect(JSON.stringify(trail)).not.toContain('ana.lopez');
    expect((await calls(auditor, LUIS)).data.registryLedger.entries).toEqual([{ client: 'crm', operation: 'Credit' }]);
    for (const stranger of ['job', 'desk', ANA.toUpperCase()])
      expect((await calls(auditor, stranger)).data.registryLedger.entries).toEqual([]);
    expect((await changes(auditor, ANA)).data.registryAudit.actions).toEqual([
      { action: 'SET_BUDGET', client: 'onboarding' },
    ]);
    expect((await changes(auditor, LUIS)).data.registryAudit.actions).toEqual([]);
    expect(padron.calls()).toEqual([]);
  });

  it('is not found without the scope', async () => {
    const { data, errors } = await calls({ client_id: 'crm', scope: 'padron_ledger padron_proofs' }, ANA);
    expect(data).toEqual({ registryLedger: null, registrySpend: null });
    expect(errors?.map(({ extensions, message }) => [extensions.code, message.includes('padron_audit')])).toEqual([
      ['FORBIDDEN', true],
      ['FORBIDDEN', true],
    ]);
    expect((await changes({ client_id: 'crm', scope }, ANA)).errors?.[0].extensions.code).toBe('FORBIDDEN');
  });

  it('is kept with a batch, for the entries of its rows', async () => {
    const claims = { azp: 'payroll', sub: LUIS, scope };
    const { data } = await askAs(padron, claims, create, { rows: [{ nss: numbers.pop() }] });
    const { id } = data.createRegistryBatch.batch;
    const state = async (): Promise<string> =>
      (await askAs(padron, claims, `{ registryBatch(id: "${id}") { state } }`)).data.registryBatch.state;
    while ((await state()) !== 'READY') await new Promise((resolve) => setTimeout(resolve, 50));
    // A job of the same application starts it, and acts for the person who created it.
    const job = { azp: 'payroll', sub: 'payroll', scope };
    await askAs(
      padron,
      job,
      `mutation { startRegistryBatch(id: "${id}", maxUnits: 9, earlierAnswers: PAY_AGAIN) { problems { code } } }`,
    );
    while ((await state()) !== 'DONE') await new Promise((resolve) => setTimeout(resolve, 50));
    const [row] = (await calls(auditor, LUIS, padron, id)).data.registryLedger.entries;
    expect(row).toEqual({ client: 'payroll', operation: 'Q' });
    expect((await changes(auditor, LUIS)).data.registryAudit.actions).toEqual([
      { action: 'CREATE_BATCH', client: 'payroll' },
    ]);
    expect(padron.calls()).toEqual([CREDIT]);
  });

  it('is still found under new keys, and is nowhere in the database or the log', async () => {
    const registryUrl = (): string => address;
    await padron.stop();
    const environment = engine === 'postgres' ? { DATA_KEYS: newKeys } : {};
    const restarted = await prepared.start({ environment, registryUrl });
    expect((await calls(auditor, ANA, restarted)).data.registryLedger.entries).toHaveLength(2);
    expect((await changes(auditor, ANA, restarted)).data.registryAudit.actions).toHaveLength(1);
    await restarted.stop();
    const rows = await prepared.read(async (store) => [
      ...(await store.query('SELECT actor FROM ledger_entries WHERE actor IS NOT NULL')),
      ...(await store.query('SELECT actor FROM ledger_audit WHERE actor IS NOT NULL')),
      ...(await store.query('SELECT actor FROM batch WHERE actor IS NOT NULL')),
    ]);
    expect(rows.length).toBeGreaterThan(5);
    const dump = prepared.store.kind === 'postgres' ? await dumpDatabase(prepared.store.url) : JSON.stringify(rows);
    const all = [dump, ...padron.log, ...restarted.log].join('\n');
    for (const planted of ['ana.lopez', LUIS]) expect(all).not.toContain(planted);
  });
});
