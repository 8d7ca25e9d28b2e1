import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { CREDIT } from '../../../support/operations/people-endpoints';
import { preparePadron } from '../../../support/padrons/ledger';
import type { RunningPadron } from '../../../support/padrons/padron';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT as CREDIT_OF_ROW } from '../../../support/requests/batches';
import { startForTests } from '../../../support/start-for-tests';
import { engineRig, engines } from '../../../support/stores/engines';
import { dumpDatabase } from '../../../support/stores/postgres';
import { askAs, jwtMode } from '../audit/read-trail';

const numbers = people.filter(({ credit }) => Boolean(credit)).map(({ nss }) => nss);
const nextPerson = (): string => numbers.pop() ?? '';
const creditOf = (nss: string): string =>
  `query Credit { person(nss: "${nss}") { credit { outcome evidence { ledgerId } } } }`;
const bytes = (text: string): string => Buffer.from(text).toString('latin1');

interface Entry {
  readonly id: string;
  readonly references: readonly string[];
  readonly evidence: { readonly servedFrom: string };
}

const fields = 'entries { id references evidence { servedFrom } } csvUrl';

const textBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');

describe.each(engines)('a reference on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const padron = ledgerPadronForTests(rig, { REPLAY_SECONDS: '30' });
  beforeEach(() => void padron.calls());

  const find = async (reference: string, on: RunningPadron = padron): Promise<readonly Entry[]> => {
    const query = `query ($reference: String) { registryLedger(filter: { reference: $reference }) { ${fields} }
      registryProofs(reference: $reference) { entries { id } } }`;
    const { data, errors } = await on.ask(query, { reference });
    expect(errors).toBeUndefined();
    const { entries } = data.registryLedger;
    expect(data.registryProofs.entries).toEqual(entries.map(({ id }: Entry) => ({ id })));
    return entries;
  };

  it('finds the calls of a case, in any spelling of its accents and in any case, with the CSV', async () => {
    const nss = nextPerson();
    const { data } = await padron.ask(
      creditOf(nss),
      {},
      { 'x-reference': bytes('=Expediente Nu\u0301m. 2026/000417') },
    );
    const { ledgerId } = data.person.credit.evidence;
    const reference = '=Expediente Núm. 2026/000417';
    expect(await find(` ${reference} `)).toMatchObject([{ id: ledgerId, references: [reference] }]);
    expect(await find('=EXPEDIENTE núm. 2026/000417')).toMatchObject([{ id: ledgerId, references: [reference] }]);
    expect(await find('=Expediente Num. 2026/000417')).toEqual([]);
    const query = `{ registryProofs(subject: { nss: "${nss}" }, reference: "${reference}") { ${fields} }
      none: registryProofs(subject: { nss: "${numbers[0]}" }, reference: "${reference}") { next entries { id } } }`;
    const proofs = (await padron.ask(query)).data;
    expect([proofs.registryProofs.entries.length, proofs.none.entries]).toEqual([1, []]);
    const csv = await (await fetch(proofs.registryProofs.csvUrl)).text();
    const [head = '', line = ''] = csv.split('\r\n');
    expect(line.split(',')[head.split(',').indexOf('reference')]).toBe(`'${reference}`);
    expect(await (await fetch(`${proofs.registryProofs.csvUrl}&language=es`)).text()).toContain(
      ',finalidad,referencia,',
    );
    expect(padron.calls()).toEqual([CREDIT]);
  });

  it.each([
    ['65 characters', 'x'.repeat(65)],
    ['a zero-width space', bytes('E\u200b17')],
    ['a tab', 'E\t17'],
  ])('is refused, free of charge and without being quoted, if it has %s', async (_what, reference) => {
    const { status, errors } = await padron.ask(creditOf(nextPerson()), {}, { 'x-reference': reference });
    expect([status, errors?.[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
    expect(errors?.[0].message).toBe('The header `x-reference` must have 1 to 64 visible characters.');
    const search = await padron.ask('query ($r: String) { registryProofs(reference: $r) { next } }', {
      r: 'x'.repeat(65),
    });
    expect(search.errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
    expect(padron.calls()).toEqual([]);
  });

  it('accepts 64 characters of any script, and needs a subject or a reference in a search', async () => {
    const reference = '給'.repeat(64);
    await padron.ask(creditOf(nextPerson()), {}, { 'x-reference': bytes(reference) });
    expect(await find(reference)).toHaveLength(1);
    expect((await padron.ask('{ registryProofs { next } }')).errors?.[0].message).toContain('`reference`');
  });

  it('also finds the call that another request paid for', async () => {
    const query = creditOf(nextPerson());
    const paid = (await padron.ask(query)).data.person.credit.evidence.ledgerId;
    const shared = (await padron.ask(query, {}, { 'x-reference': 'CASE-17' })).data.person.credit.evidence.ledgerId;
    expect(padron.calls()).toEqual([CREDIT]);
    const found = await find('CASE-17');
    expect(found.map(({ id, evidence }) => [id, evidence.servedFrom])).toEqual([
      [shared, 'REPLAY'],
      [paid, 'LIVE'],
    ]);
  });

  it('has the conflict of its own case in its proofs and in the CSV, and not that of another case with the same answer', async () => {
    const [nss, curp] = [nextPerson(), people[0]?.curp ?? ''];
    const conflicting = `query ($nss: NSS!, $curp: CURP) { person(nss: $nss, curp: $curp) {
      credit { outcome problems { code } evidence { ledgerId } } } }`;
    const proofs = async (search: string): Promise<readonly (string | null)[]> => {
      const query = `{ registryProofs(${search}) { entries { problem outcome } csvUrl } }`;
      const { entries, csvUrl } = (await padron.ask(query)).data.registryProofs;
      const problems = entries.map(({ problem }: { problem: string | null }) => problem);
      const [head = '', ...lines] = (await (await fetch(csvUrl)).text()).trimEnd().split('\r\n');
      const column = head.split(',').indexOf('problem');
      expect(lines.map((line) => line.split(',')[column] || null)).toEqual(problems);
      return problems;
    };
    await padron.ask(creditOf(nss), {}, { 'x-reference': 'CLEAR-1' });
    const replayed = await padron.ask(conflicting, { nss, curp }, { 'x-reference': 'DOUBT-1' });
    expect(replayed.data.person.credit.problems).toEqual([{ code: 'IDENTITY_CONFLICT' }]);
    const client = new BatchClient(padron);
    const rows = [
      { nss, ref: 'CLEAR-2' },
      { nss, curp, ref: 'DOUBT-2' },
    ];
    const { batch } = await client.create({ operation: conflicting, rows });
    await client.run(batch.id);
    const paidByRow = await client.create({
      operation: conflicting,
      rows: [{ nss: nextPerson(), curp, ref: 'DOUBT-3' }],
    });
    await client.run(paidByRow.batch.id);
    await padron.ask(conflicting, { nss: nextPerson(), curp });
    expect(padron.calls()).toEqual([CREDIT, CREDIT, CREDIT]);
    const conflict = 'IDENTITY_CONFLICT';
    // The entry of the request that found it, and that of the request that had paid for the answer.
    expect(await proofs('reference: "DOUBT-1"')).toEqual([conflict, null]);
    expect(await proofs('reference: "DOUBT-2"')).toEqual([conflict]);
    expect(await proofs('reference: "DOUBT-3"')).toEqual([conflict]);
    expect(await proofs('reference: "CLEAR-1"')).toEqual([null]);
    expect(await proofs('reference: "CLEAR-2"')).toEqual([null]);
    expect(await proofs(`subject: { nss: "${nss}" }`)).toEqual([conflict, null]);
    const newest = (await padron.ask('{ registryLedger(first: 1) { entries { problem } } }')).data.registryLedger;
    expect(newest.entries).toEqual([{ problem: conflict }]);
  });

  it('is the label of a batch row, whether the row or another caller paid for its answer, also after the batch is erased', async () => {
    const client = new BatchClient(padron);
    const [own = '', others = '', both = ''] = [nextPerson(), nextPerson(), nextPerson()];
    const paid = (await padron.ask(creditOf(others), {}, { 'x-reference': 'CASE-18' })).data.person.credit.evidence
      .ledgerId;
    const tooLong = 'L'.repeat(65);
    const rows = [
      { nss: own, ref: 'E-00101' },
      { nss: others, ref: 'E-00102' },
      { nss: both, ref: 'E-00103' },
      { nss: both, ref: 'E-00104' },
      { nss: nextPerson(), ref: tooLong },
      { nss: nextPerson() },
    ];
    const { batch } = await client.create({ operation: CREDIT_OF_ROW, rows });
    await client.run(batch.id);
    expect(padron.calls()).toHaveLength(1 + 4);
    const labels = (await client.rows(batch.id)).map(({ ref }) => ref);
    expect(labels).toContain(tooLong);
    await client.change(`eraseRegistryBatch(id: "${batch.id}")`);
    expect(await find('E-00101')).toMatchObject([{ references: ['E-00101'], evidence: { servedFrom: 'LIVE' } }]);
    expect(await find('E-00102')).toMatchObject([{ id: paid, references: ['CASE-18', 'E-00102'] }]);
    const [first, second] = [await find('E-00103'), await find('E-00104')];
    expect(first).toHaveLength(1);
    expect(second).toEqual(first);
    expect([...(first[0]?.references ?? [])].sort()).toEqual(['E-00103', 'E-00104']);
    const all = (await padron.ask('{ registryLedger(first: 1000) { entries { references } } }')).data.registryLedger;
    expect(all.entries.flatMap(({ references }: Entry) => references)).not.toContain(tooLong);
  });
});

describe.each(engines)('references of one account with JWTs on the %s engine', (engine) => {
  const rig = engineRig(engine);
  let prepared: Awaited<ReturnType<typeof preparePadron>>;
  const padron = startForTests(
    async () => {
      prepared = await preparePadron(rig, { ...jwtMode, REPLAY_SECONDS: '30' });
      return prepared.start();
    },
    (started: RunningPadron) => started.stop(),
  );
  const scope = 'use_buscar_credito';
  const compliance = { client_id: 'compliance', scope: 'padron_proofs padron_erase padron_audit padron_ledger' };
  const find = async (claims: object, reference: string) =>
    (await askAs(padron, { ...claims }, `{ registryLedger(filter: { reference: "${reference}" }) { ${fields} } }`)).data
      .registryLedger.entries;

  it('are hidden from other clients that share an answer', async () => {
    const query = creditOf(nextPerson());
    await askAs(padron, { client_id: 'hr', scope }, query, {}, { 'x-reference': 'HR-1' });
    await askAs(padron, { client_id: 'loans', scope }, query, {}, { 'x-reference': 'LOAN-9' });
    expect(padron.calls()).toEqual([CREDIT]);
    expect((await find({ client_id: 'hr' }, 'HR-1')).map(({ references }: Entry) => references)).toEqual([['HR-1']]);
    expect(await find({ client_id: 'hr' }, 'LOAN-9')).toEqual([]);
    expect(await find({ client_id: 'loans' }, 'HR-1')).toEqual([]);
    expect((await find({ client_id: 'loans' }, 'LOAN-9')).map(({ references }: Entry) => references)).toEqual([
      ['LOAN-9'],
    ]);
    expect(await find(compliance, 'LOAN-9')).toHaveLength(2);
  });

  it('find the case of each client that uses the same reference for the same answer', async () => {
    const query = creditOf(nextPerson());
    const lookIn = (client_id: string, reference: string) =>
      askAs(padron, { client_id, scope }, query, {}, { 'x-reference': reference });
    padron.calls();
    await lookIn('hr', 'HR-2');
    await lookIn('loans', 'EMP-9001');
    await lookIn('hr', 'EMP-9001');
    expect(padron.calls()).toEqual([CREDIT]);
    const sources = (await find({ client_id: 'hr' }, 'EMP-9001')).map(({ evidence }: Entry) => evidence.servedFrom);
    expect(sources).toEqual(['REPLAY', 'LIVE']);
    expect(await find({ client_id: 'loans' }, 'EMP-9001')).toHaveLength(1);
    const [, , paid] = await find(compliance, 'EMP-9001');
    expect([...paid.references].sort()).toEqual(['EMP-9001', 'HR-2']);
  });

  it('are removed with a person from their entries, and stay at those of others', async () => {
    const [erased, kept] = [nextPerson(), nextPerson()];
    for (const nss of [erased, kept])
      await askAs(padron, { client_id: 'hr', scope }, creditOf(nss), {}, { 'x-reference': 'BOTH-1' });
    await askAs(padron, { client_id: 'loans', scope }, creditOf(erased), {}, { 'x-reference': 'LOAN-10' });
    const erasure = `mutation { eraseRegistrySubject(subject: { nss: "${erased}" }) { entries } }`;
    expect((await askAs(padron, compliance, erasure)).data.eraseRegistrySubject.entries).toBe(2);
    expect(await find(compliance, 'BOTH-1')).toMatchObject([{ references: ['BOTH-1'] }]);
    expect(await find(compliance, 'LOAN-10')).toEqual([]);
    const { data } = await askAs(padron, compliance, '{ registrySpend(by: []) { calls } }');
    expect(data.registrySpend[0].calls).toBe(4);
    // A later question about the person is a new call, because the answer was erased. It brings its reference, and only that.
    await askAs(padron, { client_id: 'hr', scope }, creditOf(erased), {}, { 'x-reference': 'AGAIN-1' });
    expect(await find(compliance, 'AGAIN-1')).toMatchObject([{ evidence: { servedFrom: 'LIVE' } }]);
    await askAs(padron, compliance, erasure);
    expect(await find(compliance, 'AGAIN-1')).toEqual([]);
  });

  it('leave a record of each search, and no text of it', async () => {
    await askAs(padron, compliance, '{ registryProofs(reference: "HR-1") { next } }');
    await askAs(padron, compliance, '{ registrySpend(filter: { reference: "HR-1" }, by: []) { calls } }');
    const { data } = await askAs(
      padron,
      compliance,
      '{ registryAudit(first: 2) { actions { action scope identifiers entries } } }',
    );
    expect(data.registryAudit.actions).toEqual([
      { action: 'SEARCH_PROOFS', scope: 'padron_ledger', identifiers: ['reference'], entries: 1 },
      { action: 'SEARCH_PROOFS', scope: 'padron_proofs', identifiers: ['reference'], entries: 1 },
    ]);
  });

  it('are in no database, dump, log or metric as text', async () => {
    const planted = ['HR-1', 'LOAN-9', 'BOTH-1', 'LOAN-10', 'AGAIN-1', 'EXP-PLANTED-20417'];
    await askAs(padron, { client_id: 'hr', scope }, creditOf(nextPerson()), {}, { 'x-reference': 'EXP-PLANTED-20417' });
    const metrics = await (await fetch(new URL('/metrics', padron.url))).text();
    await padron.stop();
    const rows = await prepared.read((store) =>
      store.query(
        "SELECT encode(hash, 'hex') AS hash, encode(sealed, 'escape') AS sealed FROM ledger_subjects WHERE kind = 'reference'",
      ),
    );
    expect(rows.length).toBeGreaterThan(3);
    const vacuumed = await prepared.read((store) =>
      store.query(`SELECT relname FROM pg_class WHERE relname IN ('ledger_subjects', 'batch_row') AND reltuples >= 0`),
    );
    // PostgreSQL has autovacuum.
    if (engine === 'embedded') expect(vacuumed).toHaveLength(2);
    const { store, environment } = prepared;
    const stored = store.kind === 'postgres' ? await dumpDatabase(store.url) : textBelow(environment.DATA_DIR ?? '');
    const all = [metrics, JSON.stringify(rows), stored, ...padron.log].join('\n');
    expect(planted.filter((reference) => all.includes(reference))).toEqual([]);
  });
});
