import { people } from '../../../../src/extensions/sandbox/data/people';
import { times } from '../../../../src/times';
import { ed25519Key, JWT_SECRET, signedBySecret } from '../../../support/keys/identity-provider';
import { type PreparedPadron, preparePadron } from '../../../support/padrons/ledger';
import type { RunningPadron } from '../../../support/padrons/padron';
import { waitUntil } from '../../../support/proxies/deferred';
import { holdResponses } from '../../../support/proxies/held-responses';
import { startProxy, type TamperingProxy } from '../../../support/proxies/tampering-proxy';
import { BatchClient, CREDIT } from '../../../support/requests/batches';
import { engineRig, engines } from '../../../support/stores/engines';
import { askAs, jwtMode, readTrail } from '../audit/read-trail';

const scope = 'use_buscar_credito padron_ledger padron_proofs padron_erase padron_audit padron_batch';
const compliance = { client_id: 'compliance', scope };
const officer = { client_id: 'compliance', scope: `${scope} padron_blocked` };
const persons = people.filter(({ credit }) => Boolean(credit));
const days = 86_400_000;

const check = 'query ($nss: NSS) { person(nss: $nss) { credit { evidence { ledgerId servedFrom } } } }';
const blocked = 'entries { id references blocked { purpose months until } } csvUrl';
const document = `query ($nss: NSS!, $id: ID!) { registryProofDocument(subject: { nss: $nss }, id: $id) { contentType } }`;
const receipt = 'entries blockedEntries blockedUntil rows notSearched otherIdentifiers { kind }';

interface Entry {
  readonly id: string;
  readonly references: readonly string[];
  readonly blocked: { readonly purpose: string; readonly months: number; readonly until: string } | null;
}

describe.each(engines)('an erasure while the period of a purpose runs, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const PROOF_KEY = ed25519Key('').pem;
  const purge = times.purge;
  let proxy: TamperingProxy;
  let prepared: PreparedPadron;
  let padron: RunningPadron;
  let nss = '';
  let target = '';

  const start = async (): Promise<void> => {
    padron = await prepared.start({
      registryUrl: ({ url }) => {
        target = url;
        return proxy.url;
      },
    });
  };
  beforeEach(async () => {
    nss = persons.pop()?.nss ?? '';
    const settings = { PURPOSES: 'hiring,credit:120,supplier:1', REUSE_DAYS: '30', REPLAY_SECONDS: '60', PROOF_KEY };
    prepared = await preparePadron(rig, { ...jwtMode, ...settings, PUBLIC_URL: 'https://padron.example/' });
    // Its address is a part of the names of accounts, so it outlives a padron.
    proxy = await startProxy(() => target);
    rig.atEnd(() => proxy.close());
    await start();
  });
  afterEach(async () => {
    times.purge = purge;
    await padron.stop();
  });

  const ask = async (claims: object, query: string, variables: object = {}, headers = {}) => {
    const { data, errors } = await askAs(padron, { ...claims }, query, variables, headers);
    expect(errors).toBeUndefined();
    return data;
  };
  const buy = async (purpose: string, headers: Readonly<Record<string, string>> = {}) =>
    (await ask(compliance, check, { nss }, { 'x-purpose': purpose, ...headers })).person.credit.evidence;
  const erase = async (claims: object = compliance) =>
    (await ask(claims, `mutation ($nss: NSS) { eraseRegistrySubject(subject: { nss: $nss }) { ${receipt} } }`, { nss }))
      .eraseRegistrySubject;
  /** Returns the entries that a caller finds by the person, by the reference and by both. */
  const find = async (claims: object): Promise<readonly (readonly Entry[])[]> => {
    const query = `query ($nss: NSS) { a: registryProofs(subject: { nss: $nss }) { ${blocked} otherIdentifiers { kind } }
      b: registryProofs(subject: { nss: $nss }, reference: "CASE-1") { ${blocked} }
      c: registryLedger(filter: { reference: "CASE-1" }) { ${blocked} } }`;
    const { a, b, c } = await ask(claims, query, { nss });
    expect(a.otherIdentifiers).toEqual([]);
    return [a, b, c].map(({ entries }) => entries);
  };
  const monthsFromNow = (months: number): number => {
    const date = new Date();
    date.setUTCMonth(date.getUTCMonth() + months);
    return date.getTime();
  };

  it('blocks its links: only padron_blocked finds them, with the purpose and the date', async () => {
    const { ledgerId } = await buy('credit', { 'x-reference': 'CASE-1' });
    expect((await find(compliance)).map((entries) => entries.map(({ blocked: state }) => state))).toEqual([
      ...[[null], [null], [null]],
    ]);
    const erasure = await erase();
    expect(erasure).toEqual({
      ...{ entries: 1, blockedEntries: 1, blockedUntil: expect.any(String), rows: 0, notSearched: [] },
      otherIdentifiers: [],
    });
    expect(Math.abs(Date.parse(erasure.blockedUntil) - monthsFromNow(120))).toBeLessThan(days);
    expect(await find(compliance)).toEqual([[], [], []]);
    const state = { purpose: 'credit', months: 120, until: erasure.blockedUntil };
    const shown = [{ id: ledgerId, references: ['CASE-1'], blocked: state }];
    expect(await find(officer)).toEqual([shown, shown, shown]);
    // The entry itself stays, and says nothing about the person.
    const all = `{ registryLedger { ${blocked} } registrySpend(filter: { reference: "CASE-1" }, by: []) { calls } }`;
    const hidden = { id: ledgerId, references: [], blocked: null };
    expect(await ask(compliance, all)).toMatchObject({
      ...{ registryLedger: { entries: [hidden] }, registrySpend: [{ calls: 0 }] },
    });
    expect(await ask(officer, all)).toMatchObject({
      registryLedger: { entries: shown },
      registrySpend: [{ calls: 1 }],
    });
    const scopes = (await readTrail(padron)).slice(0, 2).map((record) => record.scope);
    expect(scopes).toEqual(['padron_blocked', 'padron_blocked']);
  });

  it('makes a proof, a file and a record with the scope only', async () => {
    const { ledgerId: id } = await buy('credit', { 'x-reference': 'CASE-1' });
    await erase();
    const refused = await askAs(padron, compliance, document, { nss, id });
    expect(refused.errors).toMatchObject([{ extensions: { code: 'PROOF_NOT_FOUND' } }]);
    expect(await ask(officer, document, { nss, id })).toEqual({
      registryProofDocument: { contentType: 'application/pdf' },
    });
    const query = `query ($nss: NSS) { registryProofs(subject: { nss: $nss }) { csvUrl } }`;
    const [hidden, shown] = await Promise.all(
      [compliance, officer].map(async (claims) => {
        const { csvUrl } = (await ask(claims, query, { nss })).registryProofs;
        return (await fetch(csvUrl.replace('https://padron.example/', padron.url.replace('graphql', '')))).text();
      }),
    );
    expect(hidden).not.toMatch(/CASE-1|blocked/);
    expect(shown).toMatch(/settled_note,blocked_for,blocked_until\r\n/);
    expect(shown).toMatch(new RegExp(`CASE-1.*,credit,${new Date().getUTCFullYear() + 10}-`));
    const records = await readTrail(padron);
    expect(records.filter(({ entries }) => entries > 0).map((record) => [record.action, record.scope])).toEqual(
      expect.arrayContaining([
        ...[
          ['MAKE_PROOF', 'padron_blocked'],
          ['SEARCH_PROOFS', 'padron_blocked'],
          ['ERASE_SUBJECT', 'padron_erase'],
        ],
      ]),
    );
    expect(records.filter((record) => record.scope === 'padron_blocked')).toHaveLength(2);
  });

  it('deletes at once what has no period, or whose period has ended, and says how much', async () => {
    await buy('credit');
    await buy('hiring');
    await buy('supplier');
    expect(await erase()).toMatchObject({ entries: 3, blockedEntries: 2 });
    expect((await find(officer))[0]?.map((entry) => entry.blocked?.months)).toEqual([1, 120]);
  });

  it('can be repeated, and a new call about the person has its own links', async () => {
    await buy('credit');
    const first = await erase();
    expect(await erase(officer)).toEqual(first);
    // Another caller would learn from it that the person was asked about.
    expect(await erase()).toMatchObject({ entries: 0, blockedEntries: 0, blockedUntil: null });
    const { ledgerId, servedFrom } = await buy('credit');
    expect(servedFrom).toBe('LIVE');
    expect((await find(compliance))[0]).toMatchObject([{ id: ledgerId, blocked: null }]);
    expect((await find(officer))[0]).toMatchObject([{ id: ledgerId, blocked: null }, { blocked: { months: 120 } }]);
    expect(await erase()).toMatchObject({ entries: 1, blockedEntries: 1 });
    expect(await erase(officer)).toMatchObject({ entries: 2, blockedEntries: 2 });
    expect((await find(compliance))[0]).toEqual([]);
  });

  it('deletes kept answers and rows of batches at once', async () => {
    const kept = { 'x-purpose': 'credit', 'x-max-age': '30d' };
    const sources = async () => (await ask(compliance, check, { nss }, kept)).person.credit.evidence.servedFrom;
    expect(await sources()).toBe('LIVE');
    const client = new BatchClient(padron, signedBySecret(JWT_SECRET, compliance), { 'x-purpose': 'credit' });
    const { id } = await client.ready(CREDIT, [{ nss }]);
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 10, earlierAnswers: PAY_AGAIN)`);
    await client.until(id, 'DONE');
    const { rows, blockedEntries } = await erase();
    expect([rows, blockedEntries > 0]).toEqual([1, true]);
    expect(await client.rows(id)).toMatchObject([{ state: 'ERASED', data: null }]);
    expect(await sources()).toBe('LIVE');
    await padron.stop();
    const sql =
      'SELECT (SELECT count(*)::int FROM answers a WHERE a.operation = $1) AS answers, (SELECT count(*)::int FROM batch_subject) AS subjects';
    expect(await prepared.read((store) => store.query(sql, [id]))).toEqual([{ answers: 0, subjects: 0 }]);
  });

  it('blocks the links of a call that was under way, with its outcome', async () => {
    const held = holdResponses(proxy, 'buscar-credito');
    const answer = buy('credit', { 'x-reference': 'CASE-1' });
    await held.arrived(1);
    expect(await erase()).toMatchObject({ entries: 1, blockedEntries: 1 });
    held.release();
    const { ledgerId: id } = await answer;
    expect(await find(compliance)).toEqual([[], [], []]);
    await waitUntil(async () => (await find(officer)).every(([entry]) => entry?.id === id));
    expect(await ask(officer, document, { nss, id })).toMatchObject({ registryProofDocument: expect.anything() });
    await padron.stop();
    const kinds = `SELECT kind FROM ledger_blocked WHERE entry_id = $1 AND kind IN ('answer', 'nss', 'reference') ORDER BY 1`;
    expect(await prepared.read((store) => store.query(kinds, [id]))).toEqual(
      ['answer', 'nss', 'reference'].map((kind) => ({ kind })),
    );
  });

  it('ends with the period: the purge deletes the links and logs of which purpose', async () => {
    await buy('credit');
    await buy('supplier');
    await erase();
    await padron.stop();
    // 119 months later, and then two more.
    for (const [months, left] of [
      [119, [120]],
      [2, []],
    ] as const) {
      await prepared.read((store) =>
        store.query(`UPDATE ledger_blocked SET until = until - make_interval(months => $1)`, [months]),
      );
      times.purge = { first: 1, every: 3_600_000 };
      await start();
      const purpose = months === 2 ? 'credit' : 'supplier';
      await waitUntil(() => padron.log.some((line) => line.includes(`"ledger_blocked of ${purpose}":`)));
      expect((await find(officer))[0]?.map((entry) => entry.blocked?.months)).toEqual(left);
      await padron.stop();
    }
    expect(await prepared.read((store) => store.query('SELECT 1 FROM ledger_blocked'))).toEqual([]);
  });
});
