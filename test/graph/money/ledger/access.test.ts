import { Client } from 'pg';
import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../../support/find-or-throw';
import { type Claims, signedBySecret } from '../../../support/keys/identity-provider';
import { preparePadron } from '../../../support/padrons/ledger';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { withPadron } from '../../../support/padrons/with-padron';
import { waitUntil } from '../../../support/proxies/deferred';
import { card } from '../../../support/sandbox/cards';
import { engineRig, ownServerRig } from '../../../support/stores/engines';

const SECRET = 'a-secret-shared-with-the-identity-provider';
const { nss } = findOrThrow(people, ({ credit }) => credit !== null && credit !== '');
const check = (of: string) => `{ person(nss: "${of}") { credit { outcome evidence { ledgerId } } } }`;
const subject = `subject: { nss: "${nss}" }`;

const bearer = (claims: Claims): string => `Bearer ${signedBySecret(SECRET, claims)}`;

describe('access to the ledger with a JWT', () => {
  const rig = engineRig();
  const padron = ledgerPadronForTests(rig, { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: SECRET });
  let ids: { readonly hr: string; readonly sales: string };
  const askAs = (claims: Claims, query: string, variables = {}) =>
    padron.ask(query, variables, { authorization: bearer(claims), 'x-client-name': 'sales' });
  const buyAs = async (client_id: string, of: string): Promise<string> => {
    const { data } = await askAs({ client_id, scope: 'use_buscar_credito' }, check(of));
    return data.person.credit.evidence.ledgerId;
  };
  beforeAll(async () => {
    ids = { hr: await buyAs('hr', card('html', 'nss')), sales: await buyAs('sales', nss) };
  });

  const visibleClients = async (claims: Claims, filter = '{}'): Promise<unknown> => {
    const query = `query ($r: [_Any!]!) { registryLedger(filter: ${filter}) { entries { id client } } registrySpend(filter: ${filter}, by: [CLIENT]) { client }
      _entities(representations: $r) { ... on RegistryLedgerEntry { client } } }`;
    const r = Object.values(ids).map((id) => ({ __typename: 'RegistryLedgerEntry', id }));
    const { data, errors } = await askAs(claims, query, { r });
    expect(errors).toBeUndefined();
    const clients = (list: readonly ({ readonly client: string } | null)[]) =>
      list.map((entry) => entry?.client ?? null);
    return [clients(data.registryLedger.entries), clients(data.registrySpend), clients(data._entities)];
  };

  it('covers the whole account with the scope padron_ledger, and otherwise the entries of the own client', async () => {
    const all = { client_id: 'finance', scope: 'padron_ledger' };
    const both = ['hr', 'sales'];
    expect(await visibleClients(all)).toEqual([['sales', 'hr'], both, both]);
    expect(await visibleClients({ client_id: 'hr' })).toEqual([['hr'], ['hr'], ['hr', null]]);
    // A header or a filter gives no further access.
    expect(await visibleClients({ client_id: 'hr' }, '{ client: "sales" }')).toEqual([[], [], ['hr', null]]);
    expect(await visibleClients({ client_id: 'unknown' })).toEqual([[], [], [null, null]]);
  });

  it('is denied to a JWT without the scope that names no client', async () => {
    const { data, errors } = await askAs(
      {},
      '{ registryLedger { next } registrySpend { units } registryBudgets { id } }',
    );
    expect(data).toEqual({ registryLedger: null, registrySpend: null, registryBudgets: null });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
    expect(errors?.map(({ message }) => message).sort()).toEqual(
      ['budgets', 'ledger', 'ledger'].map((scope) => expect.stringContaining(`padron_${scope}`)),
    );
  });

  it('is the same for the CSV file as for a page', async () => {
    const { data } = await askAs({ client_id: 'hr' }, '{ registryLedger { csvUrl } }');
    const text = await (await fetch(data.registryLedger.csvUrl)).text();
    expect([text.includes(ids.hr), text.includes(ids.sales)]).toEqual([true, false]);
  });

  const everyOther = ['padron_ledger', 'padron_ledger_settle', 'padron_proofs', 'padron_budgets', 'padron_erase'];
  it.each([
    ['padron_proofs', `query { registryProofs(${subject}) { entries { id } } }`],
    ['padron_ledger_settle', 'mutation { settleRegistryBilling(input: [{ id: "01", billing: CHARGED }]) { id } }'],
    ['padron_budgets', 'mutation { setRegistryBudget(input: { period: DAY, units: 1 }) { id } }'],
    ['padron_budgets', 'mutation { removeRegistryBudget(id: "x") }'],
    ['padron_erase', `mutation { eraseRegistrySubject(${subject}) { entries } }`],
  ])('needs the scope %s for %s', async (scope, query) => {
    const scopes = everyOther.filter((each) => each !== scope).join(' ');
    for (const claims of [{ client_id: 'hr', scope: scopes }, { client_id: 'hr' }, { scope: scope.toUpperCase() }]) {
      const { data, errors } = await askAs(claims, query);
      expect(Object.values(data)).toEqual([null]);
      expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
      expect(errors?.[0].message).toContain(`\`${scope}\``);
    }
    const { errors } = await askAs({ client_id: 'compliance', scope }, query);
    expect(errors?.map(({ extensions }) => extensions.code) ?? []).not.toContain('FORBIDDEN');
  });

  it('includes settlements with the scope padron_ledger_settle alone', async () => {
    const query = `mutation { settleRegistryBilling(input: [{ id: "${ids.hr}", billing: NOT_CHARGED }]) { client settlement { billing units } } }`;
    const { data } = await askAs({ client_id: 'finance', scope: 'padron_ledger_settle' }, query);
    expect(data.settleRegistryBilling).toEqual([{ client: 'hr', settlement: { billing: 'NOT_CHARGED', units: 0 } }]);
  });

  it('is denied to an invalid JWT', async () => {
    const { errors } = await padron.ask('{ registryLedger { next } }', {}, { authorization: 'Bearer x' });
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  });
});

describe('changes of budgets and erasures', () => {
  const rig = engineRig();

  it.each([
    ['the token of the service', {}],
    ['the REGISTRY_TOKEN of padron', { REGISTRY_TOKEN: OTHER_TOKEN }],
  ])('are denied without a JWT: %s', async (_what, environment) => {
    const padron = await (await preparePadron(rig, environment)).start();
    await padron.ask(check(nss));
    const { data, errors } = await padron.ask(`mutation {
      setRegistryBudget(input: { period: DAY, units: 1 }) { id }
      removeRegistryBudget(id: "x")
      eraseRegistrySubject(${subject}) { entries }
    }`);
    const proofs = await padron.ask(
      `{ registryProofs(${subject}) { entries { id } } registryLedger { entries { id } } registryBudgets { id } }`,
    );
    await padron.stop();
    expect(data).toEqual({ setRegistryBudget: null, removeRegistryBudget: null, eraseRegistrySubject: null });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
    expect([proofs.data.registryProofs.entries.length, proofs.data.registryLedger.entries.length]).toEqual([1, 1]);
    expect(proofs.data.registryBudgets).toEqual([]);
  });
});

describe('without a ledger', () => {
  it('every field of the ledger answers LEDGER_OFF, and lookups have no ledgerId', () =>
    withPadron({}, async (padron) => {
      const { data, errors } = await padron.ask(`{
        registryLedger { next } registrySpend { units } registryProofs(${subject}) { next } registryBudgets { id } registryAudit { next }
        registryOperation(id: "x") { until }
        person(nss: "${nss}") { credit { outcome evidence { ledgerId } } }
      }`);
      expect(data).toEqual({
        registryLedger: null,
        registrySpend: null,
        registryProofs: null,
        registryBudgets: null,
        registryAudit: null,
        registryOperation: null,
        person: { credit: { outcome: 'FOUND', evidence: { ledgerId: null } } },
      });
      expect(new Set(errors?.map(({ extensions }) => extensions.code))).toEqual(new Set(['LEDGER_OFF']));
      expect(errors?.[0]?.message).toBe('The ledger is off. The operator turns it on with DATA_DIR or DATABASE_URL.');
      const changes = await padron.ask(
        `mutation { settleRegistryBilling(input: []) { id } eraseRegistrySubject(${subject}) { entries } endRegistryOperation(id: "x") { until } }`,
      );
      expect(changes.errors?.map(({ extensions }) => extensions.code)).toEqual([
        'LEDGER_OFF',
        'LEDGER_OFF',
        'LEDGER_OFF',
      ]);
      expect((await fetch(`${padron.url}/ledger.csv?link=x`)).status).toBe(404);
    }));
});

describe('while the store of the ledger is unavailable', () => {
  const rig = ownServerRig();

  it('its fields and its CSV file answer LEDGER_UNAVAILABLE', async () => {
    const padron = await (await preparePadron(rig)).start();
    const { ledgerId } = (await padron.ask(check(nss))).data.person.credit.evidence;
    const { data: before } = await padron.ask('{ registryLedger { csvUrl } }');
    await rig.cluster.kill();
    const { status, data, errors } = await padron.ask(`{
      registryLedger { next } registrySpend { units } registryProofs(subject: { nss: "${nss}" }) { next } }`);
    expect(status).toBe(200);
    expect(data).toEqual({ registryLedger: null, registrySpend: null, registryProofs: null });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(Array(3).fill('LEDGER_UNAVAILABLE'));
    // A settlement must not be reported as successful.
    const settle = `mutation { settleRegistryBilling(input: [{ id: "${ledgerId}", billing: CHARGED }]) { id } }`;
    const changed = await padron.ask(settle);
    expect([changed.data, changed.errors?.[0].extensions.code]).toEqual([
      { settleRegistryBilling: null },
      'LEDGER_UNAVAILABLE',
    ]);
    for (const { message } of [...(errors ?? []), ...(changed.errors ?? [])])
      expect(message).toMatch(/The ledger is unavailable\. Nothing was read/);
    const file = await fetch(before.registryLedger.csvUrl);
    expect([file.status, await file.json()]).toMatchObject([
      503,
      { errors: [{ extensions: { code: 'LEDGER_UNAVAILABLE' } }] },
    ]);

    await rig.cluster.start();
    const entries = async () =>
      (await padron.ask('{ registryLedger { entries { id } } }')).data.registryLedger?.entries;
    await waitUntil(async () => (await entries()) !== undefined);
    expect(await entries()).toEqual([{ id: ledgerId }]);
    await padron.stop();
  });

  it('asks a reader whose sum takes too long for a shorter period, while replays continue', async () => {
    const kept = await preparePadron(rig, { REPLAY_SECONDS: '60' });
    const padron = await kept.start();
    await padron.ask(check(nss));
    // A reader waits until the call is closed.
    await padron.ask('{ registryLedger { next } }');
    const client = new Client(kept.environment.DATABASE_URL);
    await client.connect();
    try {
      await client.query('BEGIN; LOCK TABLE ledger_entries IN ACCESS EXCLUSIVE MODE');
      const { errors } = await padron.ask('{ registrySpend { units } }');
      expect(errors?.[0]).toMatchObject({
        message: expect.stringMatching(/^The ledger did not answer in time\. .*Ask for a shorter period/),
        extensions: { code: 'LEDGER_UNAVAILABLE' },
      });
      expect((await padron.ask(check(nss))).data.person.credit.outcome).toBe('FOUND');
    } finally {
      await client.end();
      await padron.stop();
    }
  });
});
