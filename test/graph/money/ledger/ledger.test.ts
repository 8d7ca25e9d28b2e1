import fc from 'fast-check';
import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { findOrThrow } from '../../../support/find-or-throw';
import { NOW } from '../../../support/operations/employer-graph';
import { anyOperations } from '../../../support/operations/paid-operations';
import { CREDIT, IDENTITY } from '../../../support/operations/people-endpoints';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { card } from '../../../support/sandbox/cards';
import { engineRig, engines } from '../../../support/stores/engines';

const person = findOrThrow(people, ({ credit }) => credit !== null && credit !== '');
const check = `query Check($nss: NSS) { person(nss: $nss) { credit { outcome evidence { ledgerId validationCode units billing } } } }`;
const entries = `entries { id at client tag operation requestId outcome problem uncertainUnits settlement { billing units note }
  evidence { ledgerId endpoint status units billing servedFrom validationCode checkedAt message } }`;

describe.each(engines)('the ledger in the graph on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const padron = ledgerPadronForTests(rig);

  const ledger = async (filter: string, headers: Readonly<Record<string, string>> = {}) => {
    const { data, errors } = await padron.ask(`{ registryLedger(filter: ${filter}) { ${entries} next } }`, {}, headers);
    expect(errors).toBeUndefined();
    return data.registryLedger.entries;
  };

  it('shows a call with the evidence of its answer immediately, without a call to the service', async () => {
    const headers = { 'x-client-name': 'payroll', 'x-tag': 'shown' };
    const { data, headers: answered } = await padron.ask(check, { nss: person.nss }, headers);
    const { evidence } = data.person.credit;
    expect(padron.calls()).toEqual([CREDIT]);
    const { ledgerId, validationCode } = evidence;
    const moment = expect.stringMatching(/^\d{4}-.*Z$/);
    const requestId = answered['x-request-id'];
    expect(await ledger('{ tag: "shown" }')).toEqual([
      {
        ...{ id: ledgerId, at: moment, client: 'payroll', tag: 'shown', operation: 'Check' },
        ...{ requestId, outcome: 'FOUND', problem: null, uncertainUnits: 0, settlement: null },
        evidence: {
          ...{ ledgerId, endpoint: CREDIT, status: 200, units: 1, billing: 'CHARGED', servedFrom: 'LIVE' },
          ...{ validationCode, checkedAt: moment, message: null },
        },
      },
    ]);
    expect(padron.calls()).toEqual([]);
  });

  it.each([
    ['client', 'x-client-name'],
    ['tag', 'x-tag'],
  ])('filters by %s', async (field, header) => {
    for (const name of ['named', 'another']) await padron.ask(check, { nss: person.nss }, { [header]: name });
    const found = await ledger(`{ ${field}: "named" }`);
    expect(found.map((entry: Record<string, unknown>) => entry[field])).toEqual(['named']);
    expect(await ledger(`{ ${field}: "named", endpoint: "${CREDIT}", operation: "Check" }`)).toHaveLength(1);
    expect(await ledger(`{ ${field}: "named", endpoint: "${IDENTITY}" }`)).toEqual([]);
    expect(await ledger(`{ ${field}: "nam" }`)).toEqual([]);
  });

  it("marks another person's record with ANSWER_MISMATCH", async () => {
    await padron.ask(check, { nss: card('somebody-else', 'nss') }, { 'x-tag': 'mixed up' });
    const query = '{ registryLedger(filter: { tag: "mixed up" }) { entries { outcome problem } csvUrl } }';
    const { data } = await padron.ask(query);
    expect(data.registryLedger.entries).toEqual([{ outcome: 'FOUND', problem: 'ANSWER_MISMATCH' }]);
    const file = await (await fetch(data.registryLedger.csvUrl)).text();
    expect(file).toContain(',FOUND,ANSWER_MISMATCH,200,');
  });

  // A header with UTF-8 bytes.
  it.each(['x-client-name', 'apollographql-client-name', 'x-tag'])(
    'reads a name with accents from %s',
    async (header) => {
      const nomina = Buffer.from('Nómina').toString('latin1');
      await padron.ask(check, { nss: person.nss }, { [header]: nomina });
      const field = header === 'x-tag' ? 'tag' : 'client';
      expect(await ledger(`{ ${field}: "Nómina" }`)).not.toEqual([]);
    },
  );

  it('returns pages until the last entry', async () => {
    const tag = { 'x-tag': 'paged' };
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1)
      ids.unshift((await padron.ask(check, { nss: person.nss }, tag)).data.person.credit.evidence.ledgerId);
    const query =
      'query ($after: String) { registryLedger(filter: { tag: "paged" }, first: 2, after: $after) { entries { id } next } }';
    const pages: string[][] = [];
    for (let after: string | null = null; ; ) {
      const { data } = await padron.ask(query, { after });
      pages.push(data.registryLedger.entries.map(({ id }: { id: string }) => id));
      after = data.registryLedger.next;
      if (after === null) break;
    }
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  it.each([
    ['a reversed interval', 'registryLedger(filter: { from: "2026-02-02", to: "2026-02-01" }) { next }', 'from'],
    ['a month', 'registryLedger(filter: { from: "2026-02" }) { next }', 'zone'],
    ['a plain day that does not exist', 'registrySpend(filter: { from: "2026-02-30" }) { units }', 'zone'],
    ['a time without a zone', 'registrySpend(filter: { to: "2026-02-01T00:00:00" }) { units }', 'zone'],
    ['a day that does not exist', 'registryLedger(filter: { from: "2026-02-30T00:00:00Z" }) { next }', 'zone'],
    ['a page of 0 entries', 'registryLedger(first: 0) { next }', 'first'],
    ['a page of more than 1,000 entries', 'registryLedger(first: 1001) { next }', 'first'],
    ['a cursor that padron did not create', 'registryLedger(after: "MDE") { next }', 'after'],
    ['a cursor with SQL', `registryLedger(after: "${btoa("after 0' OR true --")}") { next }`, 'after'],
    ['a name that is too long', `registryLedger(filter: { tag: "${'x'.repeat(1_001)}" }) { next }`, 'tag'],
    ['too many keys', 'registrySpend(by: [DAY, MONTH, CLIENT, TAG, OPERATION]) { units }', 'by'],
    ['a subject without an identifier', 'registryProofs(subject: {}) { next }', 'subject'],
    ['an NSS with a wrong check digit', 'registryProofs(subject: { nss: "04159600264" }) { next }', 'subject.nss'],
    ['a malformed CURP', 'registryProofs(subject: { curp: "GARM" }) { next }', 'subject.curp'],
    ['an empty name', 'registryProofs(subject: { name: { names: " ", paternalSurname: "B" } }) { next }', 'name.names'],
  ])('rejects %s with a message that does not quote it', async (_what, field, mentions) => {
    const { status, data, errors } = await padron.ask(`{ ${field} }`);
    expect([status, Object.values(data)]).toEqual([200, [null]]);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(errors?.[0].message).toContain(mentions);
    expect(errors?.[0].message).not.toMatch(/04159600264|GARM|2026-02-30/);
  });

  it('sums spent, saved and uncertain units', async () => {
    const headers = { 'x-tag': 'summed' };
    await padron.ask(check, { nss: person.nss }, headers);
    await padron.ask(check, { nss: card('html', 'nss') }, headers);
    const sums = async (): Promise<unknown> => {
      const query =
        '{ registrySpend(filter: { tag: "summed" }, by: [TAG, OPERATION, ENDPOINT]) { day client tag operation endpoint calls units uncertainUnits savedUnits } }';
      return (await padron.ask(query)).data.registrySpend;
    };
    const keys = { day: null, client: null, tag: 'summed', operation: 'Check', endpoint: CREDIT };
    const sum = { ...keys, calls: 2, savedUnits: 0 };
    expect(await sums()).toEqual([{ ...sum, units: 1, uncertainUnits: 1 }]);
    const [unsettled] = await ledger('{ tag: "summed", unsettled: true }');
    expect(unsettled).toMatchObject({ outcome: 'UNAVAILABLE', uncertainUnits: 1 });
    expect(unsettled.evidence).toMatchObject({ billing: 'UNKNOWN', units: 0 });
    const settle = `mutation ($input: [RegistryBillingInput!]!) { settleRegistryBilling(input: $input) { id uncertainUnits settlement { billing units note } evidence { billing } } }`;
    const input = [{ id: unsettled.id, billing: 'CHARGED', note: 'February, line 12' }];
    const settlement = { billing: 'CHARGED', units: 1, note: 'February, line 12' };
    for (let time = 0; time < 2; time += 1) {
      const { data } = await padron.ask(settle, { input });
      expect(data.settleRegistryBilling).toEqual([
        { id: unsettled.id, uncertainUnits: 0, settlement, evidence: { billing: 'UNKNOWN' } },
      ]);
    }
    expect(await sums()).toEqual([{ ...sum, units: 2, uncertainUnits: 0 }]);
    expect(await ledger('{ tag: "summed", unsettled: true }')).toEqual([]);
    // A later settlement replaces an earlier one.
    await padron.ask(settle, { input: [{ id: unsettled.id, billing: 'NOT_CHARGED' }] });
    expect(await sums()).toEqual([{ ...sum, units: 1, uncertainUnits: 0 }]);
  });

  it('settles nothing if one of the calls cannot be settled', async () => {
    const charged = (await padron.ask(check, { nss: person.nss })).data.person.credit.evidence.ledgerId;
    await padron.ask(check, { nss: card('html', 'nss') }, { 'x-tag': 'unsettled' });
    const [{ id }] = await ledger('{ tag: "unsettled" }');
    const own = { id, billing: 'CHARGED' };
    const settle = 'mutation ($input: [RegistryBillingInput!]!) { settleRegistryBilling(input: $input) { id } }';
    for (const input of [
      [],
      [own, own],
      [own, { id: charged, billing: 'CHARGED' }],
      [own, { id: 'NOTHING', billing: 'CHARGED' }],
      [{ ...own, billing: 'UNKNOWN' }],
      [{ ...own, note: 'x'.repeat(101) }],
      [{ ...own, note: 'GARM960415MDFRRN04' }],
      [{ ...own, note: 'NSS 041-5960-0263' }],
      [{ ...own, note: 'NSS ０４１５９６００２６３' }],
      [{ ...own, note: 'see ｊｕａｎ＠example.com' }],
      [{ ...own, note: 'see juan@example.com' }],
      Array.from({ length: 1_001 }, (_, index) => ({ id: `${index}`, billing: 'CHARGED' })),
    ]) {
      const { data, errors } = await padron.ask(settle, { input });
      expect(data.settleRegistryBilling).toBeNull();
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
      expect(errors?.[0].message).not.toMatch(/GARM|5960/);
    }
    const foreign = await padron.ask(settle, { input: [own] }, { authorization: `Bearer ${OTHER_TOKEN}` });
    expect(foreign.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(await ledger('{ tag: "unsettled", unsettled: true }')).toHaveLength(1);
  });

  it('is free', async () => {
    padron.calls();
    for (const headers of [{ 'x-dry-run': 'true' }, { 'x-max-units': '0' }]) {
      const query = '{ registryLedger { next } registrySpend { units } registryBudgets { id } }';
      expect((await padron.ask(query, {}, headers)).errors).toBeUndefined();
    }
    const estimate =
      '{ unitEstimate(input: { operation: "{ registryLedger { next } }" }) { estimatedUnits atMost invalidRows } }';
    expect((await padron.ask(estimate)).data.unitEstimate).toEqual({ estimatedUnits: 0, atMost: 0, invalidRows: 0 });
    expect(padron.calls()).toEqual([]);
  });

  it('never shows the entries of another account', async () => {
    const otherAccount = { authorization: `Bearer ${OTHER_TOKEN}` };
    const { ledgerId } = (await padron.ask(check, { nss: person.nss }, { 'x-tag': 'own' })).data.person.credit.evidence;
    expect(await ledger('{ tag: "own" }')).toHaveLength(1);
    expect(await ledger('{ tag: "own" }', otherAccount)).toEqual([]);
    // The sandbox mode of the service has a separate ledger.
    expect(await ledger('{ tag: "own" }', { 'x-sandbox': 'true' })).toEqual([]);
    const query = `query ($r: [_Any!]!) { registrySpend { units } registryProofs(subject: { nss: "${person.nss}" }) { entries { id } }
      _entities(representations: $r) { ... on RegistryLedgerEntry { id outcome } } }`;
    const r = [{ __typename: 'RegistryLedgerEntry', id: ledgerId }];
    const foreign = await padron.ask(query, { r }, otherAccount);
    expect(foreign.data).toEqual({ registrySpend: [], registryProofs: { entries: [] }, _entities: [null] });
    const own = await padron.ask(query, { r });
    expect(own.data._entities).toEqual([{ id: ledgerId, outcome: 'FOUND' }]);
  });

  it('needs a token', async () => {
    const query = '{ registryLedger { next } registrySpend { units } }';
    const { data, errors } = await padron.ask(query, {}, { authorization: '' });
    expect(data).toEqual({ registryLedger: null, registrySpend: null });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
  });

  it('resolves many entities in their order', async () => {
    const ids = (await ledger('{}')).map(({ id }: { id: string }) => id);
    const r = [...ids, 'NOTHING', "0' OR true", 7, ids[0]].map((id) => ({ __typename: 'RegistryLedgerEntry', id }));
    const query = 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on RegistryLedgerEntry { id } } }';
    const { data, errors } = await padron.ask(query, { r });
    expect(errors).toBeUndefined();
    const expected = [...ids, null, null, null, ids[0]].map((id) => (id === null ? null : { id }));
    expect(data._entities).toEqual(expected);
  });

  it.each([
    `registryProofs(subject: { nss: "${person.nss}" })`,
    'registryLedger(filter: { reference: "x" })',
    'registryLedger(filter: { actor: "x" })',
    'registryAudit(actor: "x")',
  ])('rejects a search by GET, because URLs get into logs: %s', async (search) => {
    const query = encodeURIComponent(`{ ${search} { next } }`);
    const response = await fetch(`${padron.url}?query=${query}`, { headers: { 'apollo-require-preflight': 'true' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

const settings: fc.Parameters<unknown> = { seed: 20_261_122, numRuns: 40, endOnFailure: true };

describe.each(engines)('the sum of the ledger on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const padron = ledgerPadronForTests(rig, { REPLAY_SECONDS: '30' }, { now: () => NOW });

  const none = { calls: 0, units: 0, uncertainUnits: 0 };
  const sum = async (): Promise<typeof none> =>
    (await padron.ask('{ registrySpend(by: []) { calls units uncertainUnits } }')).data.registrySpend[0] ?? none;

  it("is at most the service's own sum, differs from it by uncertain units at most, and equals it once all calls are settled", async () => {
    let uncertain = 0;
    await fc.assert(
      fc.asyncProperty(anyOperations, async ({ text }) => {
        await padron.ask(text);
        const { units, uncertainUnits, calls } = await sum();
        expect(padron.spent()).toBeGreaterThanOrEqual(units);
        expect(padron.spent()).toBeLessThanOrEqual(units + uncertainUnits);
        // Downloads by link are free and need no token. Calls that the service answered with 429 are retried.
        const paidCalls = padron
          .callsInFull()
          .filter(({ endpoint, status }) => !endpoint.startsWith('GET /archivos') && status !== 429);
        expect(calls).toBeLessThanOrEqual(padron.callsInFull().length);
        expect(calls).toBeGreaterThanOrEqual(paidCalls.length);
        uncertain = Math.max(uncertain, uncertainUnits);
      }),
      settings,
    );
    expect(uncertain).toBeGreaterThan(0);
    await settleByTheStatement();
    expect(await sum()).toMatchObject({ units: padron.spent(), uncertainUnits: 0 });
  });

  /** Settles uncertain calls like the finance team: the units that the service charged beyond the sum of an endpoint are theirs. */
  async function settleByTheStatement(): Promise<void> {
    const unsettledUnits = new Map<string, number>();
    for (const { endpoint, units } of padron.callsInFull())
      unsettledUnits.set(endpoint, (unsettledUnits.get(endpoint) ?? 0) + units);
    const query =
      '{ registrySpend(by: [ENDPOINT]) { endpoint units } registryLedger(filter: { unsettled: true }, first: 1000) { entries { id uncertainUnits evidence { endpoint } } } }';
    const { data } = await padron.ask(query);
    for (const { endpoint, units } of data.registrySpend)
      unsettledUnits.set(endpoint, (unsettledUnits.get(endpoint) ?? 0) - units);
    interface Unsettled extends Readonly<Record<'id', string>> {
      readonly uncertainUnits: number;
      readonly evidence: { readonly endpoint: string };
    }
    const input = data.registryLedger.entries.map(({ id, uncertainUnits, evidence }: Unsettled) => {
      const rest = unsettledUnits.get(evidence.endpoint) ?? 0;
      unsettledUnits.set(evidence.endpoint, Math.max(0, rest - uncertainUnits));
      return { id, billing: rest >= uncertainUnits && uncertainUnits > 0 ? 'CHARGED' : 'NOT_CHARGED' };
    });
    const { errors } = await padron.ask(
      'mutation ($input: [RegistryBillingInput!]!) { settleRegistryBilling(input: $input) { id } }',
      { input },
    );
    expect(errors).toBeUndefined();
    expect([...unsettledUnits.values()].filter((rest) => rest !== 0)).toEqual([]);
  }
});
