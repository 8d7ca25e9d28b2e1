import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { SubjectIndex } from '../../../../src/money/ledger/entries/subject-index';
import { readDataKeys } from '../../../../src/store/key-ring';
import { findOrThrow } from '../../../support/find-or-throw';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { type PreparedPadron, preparePadron } from '../../../support/padrons/ledger';
import type { GraphqlAnswer, RunningPadron } from '../../../support/padrons/padron';
import { waitUntil } from '../../../support/proxies/deferred';
import { holdResponses } from '../../../support/proxies/held-responses';
import { startProxy, type TamperingProxy } from '../../../support/proxies/tampering-proxy';
import { BatchClient, CREDIT } from '../../../support/requests/batches';
import { engineRig, engines } from '../../../support/stores/engines';

const SECRET = 'a-secret-shared-with-the-identity-provider';
const jwt = { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: SECRET, REPLAY_SECONDS: '60' };
const scope = 'padron_ledger padron_proofs padron_erase padron_batch use_buscar_credito use_buscar_cedula';
const token = signedBySecret(SECRET, { client_id: 'compliance', scope });
const authorization = `Bearer ${token}`;

const { nss, names, paternalSurname, maternalSurname } = findOrThrow(people, ({ credit, licences, maternalSurname }) =>
  Boolean(credit && licences.length > 0 && maternalSurname),
);
const name = { names, paternalSurname, maternalSurname };
const credit = 'query ($nss: NSS) { person(nss: $nss) { credit { outcome } } }';
const origin = 'query ($nss: NSS) { person(nss: $nss) { credit { evidence { servedFrom } } } }';
const licences = 'query Licences($nss: NSS!) { person(nss: $nss) { licences { outcome } } }';

describe.each(engines)('an erasure while calls about the person are under way, on the %s engine', (engine) => {
  const rig = engineRig(engine);
  let proxy: TamperingProxy;
  let prepared: PreparedPadron;
  let padron: RunningPadron;

  beforeEach(async () => {
    let target = '';
    proxy = await startProxy(() => target);
    rig.atEnd(() => proxy.close());
    prepared = await preparePadron(rig, jwt);
    padron = await prepared.start({
      registryUrl: (sandbox) => {
        target = sandbox.url;
        return proxy.url;
      },
    });
  });

  // Each process opens its connections at the start, and the server has a hundred.
  afterEach(() => padron.stop());

  const ask = async (query: string, values = {}, headers = {}, from = padron): Promise<GraphqlAnswer['data']> => {
    const { data, errors } = await from.ask(query, { ...values }, { authorization, ...headers });
    expect(errors).toBeUndefined();
    return data;
  };
  const erase = async (subject: object = { nss }, from = padron): Promise<object> => {
    const query =
      'mutation ($subject: RegistrySubjectInput!) { eraseRegistrySubject(subject: $subject) { entries rows } }';
    return (await ask(query, { subject }, {}, from)).eraseRegistrySubject;
  };
  const proofs = async (subject: object = { nss }): Promise<readonly object[]> => {
    const query =
      'query ($subject: RegistrySubjectInput!) { registryProofs(subject: $subject) { entries { outcome } } }';
    return (await ask(query, { subject })).registryProofs.entries;
  };
  const spend = async (): Promise<object> => (await ask('{ registrySpend(by: []) { calls units } }')).registrySpend;

  /** Starts a batch of one row, and waits for its call whose response is held. */
  async function runHeld(operation: string, path: string, calls: number) {
    const client = new BatchClient(padron, token);
    const { id } = await client.ready(operation, [{ nss }]);
    const held = holdResponses(proxy, path);
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 10, earlierAnswers: PAY_AGAIN)`);
    await held.arrived(calls);
    return { client, id, held };
  }

  /** Asserts that a second erasure finds nothing, and that the ledger still has the calls and their price. */
  async function expectErased(calls: number, subject: object = { nss }): Promise<void> {
    expect([await proofs(subject), await erase(subject)]).toEqual([[], { entries: 0, rows: 0 }]);
    expect(await spend()).toEqual([{ calls, units: calls }]);
  }

  it('leaves no link to the call of a request, and counts the call', async () => {
    const held = holdResponses(proxy, 'buscar-credito');
    const answer = ask(credit, { nss });
    await held.arrived(1);
    expect(await erase()).toEqual({ entries: 1, rows: 0 });
    expect(await erase()).toEqual({ entries: 0, rows: 0 });
    held.release();
    expect((await answer).person.credit.outcome).toBe('FOUND');
    await expectErased(1);
  });

  it('leaves no link to calls that the request makes afterwards', async () => {
    const held = holdResponses(proxy, 'buscar-credito');
    const answer = ask(licences, { nss });
    await held.arrived(1);
    expect(await erase({ nss, name })).toEqual({ entries: 1, rows: 0 });
    held.release();
    expect((await answer).person.licences.outcome).toBe('FOUND');
    await expectErased(2, { nss, name });
  });

  it('leaves no link to a call that continues after its response', async () => {
    const held = holdResponses(proxy, 'buscar-credito');
    const early = await ask(credit, { nss }, { 'x-answer-within': '1s' });
    expect(early.person.credit.outcome).toBe('UNAVAILABLE');
    expect(await erase()).toEqual({ entries: 1, rows: 0 });
    held.release();
    await padron.stop();
    expect((await prepared.rows()).map(({ outcome, units }) => [outcome, units])).toEqual([['FOUND', 1]]);
    expect(await prepared.read((store) => store.query('SELECT 1 FROM ledger_subjects'))).toEqual([]);
  });

  it('leaves neither a link to the call of a batch row nor its answer, and the row is counted', async () => {
    const { client, id, held } = await runHeld(CREDIT, 'buscar-credito', 1);
    expect(await erase()).toEqual({ entries: 1, rows: 1 });
    held.release();
    expect((await client.until(id, 'DONE')).progress).toMatchObject({
      done: 0,
      erased: 1,
      spentUnits: 1,
      uncertainUnits: 0,
    });
    expect(await client.rows(id)).toMatchObject([{ state: 'ERASED', data: null, evidence: [], units: 1 }]);
    await expectErased(1);
    await expectNothingStored(id);
  });

  it('erases a row that is found only by what its questions ask', async () => {
    const { client, id, held } = await runHeld(licences, 'obtener-cedula', 2);
    // The row is not indexed by the name yet, so only the call is counted.
    expect(await erase({ name })).toEqual({ entries: 1, rows: 0 });
    held.release();
    await client.until(id, 'DONE');
    await expectErased(2, { name });
    await expectNothingStored(id);
  });

  it('makes no more calls for a row that has been erased, and ends it', async () => {
    const { client, id, held } = await runHeld(licences, 'buscar-credito', 1);
    expect(await erase()).toEqual({ entries: 1, rows: 1 });
    held.release();
    expect((await client.until(id, 'DONE')).progress).toMatchObject({ rows: 1, waiting: 0, spentUnits: 1 });
    expect(await client.rows(id)).toMatchObject([{ state: 'ERASED', data: null, evidence: [] }]);
    await expectErased(1);
    await expectNothingStored(id);
  });

  it('does not concern requests that begin afterwards', async () => {
    expect(await erase()).toEqual({ entries: 0, rows: 0 });
    await ask(credit, { nss });
    expect(await proofs()).toEqual([{ outcome: 'FOUND' }]);
    expect(await erase()).toEqual({ entries: 1, rows: 0 });
  });

  async function expectNothingStored(batch: string): Promise<void> {
    await padron.stop();
    const counts = `SELECT (SELECT count(*)::int FROM batch_subject WHERE batch = $1) AS subjects,
      (SELECT count(*)::int FROM answers WHERE operation = $1) AS answers,
      (SELECT count(*)::int FROM batch_row WHERE batch = $1 AND (length(input) > 0 OR result IS NOT NULL)) AS rows`;
    expect(await prepared.read((store) => store.query(counts, [batch]))).toEqual([
      { subjects: 0, answers: 0, rows: 0 },
    ]);
  }

  const originOf = async (from = padron, headers = {}): Promise<string> =>
    (await ask(origin, { nss }, headers, from)).person.credit.evidence.servedFrom;

  it('makes this process forget the answers that it keeps, also those of early responses', async () => {
    expect([await originOf(), await originOf()]).toEqual(['LIVE', 'REPLAY']);
    await erase();
    expect([await originOf(), await originOf()]).toEqual(['LIVE', 'REPLAY']);
    // What the second call answers is kept for the caller of the early response, too.
    await erase();
    const held = holdResponses(proxy, 'buscar-credito');
    await originOf(padron, { 'x-answer-within': '1s' });
    await held.arrived(1);
    held.release();
    await waitUntil(async () => (await originOf(padron, { 'x-answer-within': '5s' })) === 'REPLAY');
    await erase();
    expect(await originOf()).toBe('LIVE');
    expect(proxy.requests).toHaveLength(4);
  });

  it('keeps no answer of a call that began before it', async () => {
    const held = holdResponses(proxy, 'buscar-credito');
    await originOf(padron, { 'x-answer-within': '1s' });
    expect(await erase()).toEqual({ entries: 1, rows: 0 });
    held.release();
    await waitUntil(async () => JSON.stringify(await spend()).includes('"units":1'));
    expect(await originOf()).toBe('LIVE');
    expect(proxy.requests).toHaveLength(2);
  });

  it('leaves a hash of the person in no file but the store, not in the log, and in the store only in the record of erasures', async () => {
    const reference = 'EXP-2026-0001';
    await ask(credit, { nss }, { 'x-reference': reference });
    const client = new BatchClient(padron, token);
    const { id } = await client.ready(CREDIT, [{ nss, ref: 'E-002' }]);
    await client.change(`startRegistryBatch(id: "${id}", maxUnits: 10, earlierAnswers: PAY_AGAIN)`);
    await client.until(id, 'DONE');
    expect(await erase()).toEqual({ entries: 1, rows: 1 });
    const { environment, store } = prepared;
    const { ring } = readDataKeys(store, environment.DATA_KEYS === undefined ? [] : [environment.DATA_KEYS]);
    const index = new SubjectIndex(ring);
    const texts = [{ kind: 'nss', value: nss } as const, { kind: 'reference', value: reference } as const];
    const hashes = texts.flatMap((text) => index.hashes(text));
    const folder = environment.DATA_DIR ?? rig.folder();
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => !file.startsWith('store') && statSync(join(folder, file)).isFile())
      .map((file) => readFileSync(join(folder, file), 'latin1'));
    await padron.stop();
    const found = await prepared.read(async (open) => {
      const tables = await open.query<{ readonly name: string }>(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
      );
      expect(tables.length).toBeGreaterThan(15);
      const having = async ({ name }: { name: string }): Promise<readonly string[]> => {
        const rows = await open.query(`SELECT 1 FROM ${name} t WHERE t::text ~ $1`, [hashes.join('|')]);
        return rows.length > 0 ? [name] : [];
      };
      const names: string[] = [];
      for (const table of tables) names.push(...(await having(table)));
      return names;
    });
    expect(found).toEqual(['ledger_erasures']);
    const outside = [...files, ...padron.log];
    for (const secret of [...hashes, nss, reference])
      expect(outside.filter((text) => text.includes(secret))).toEqual([]);
  });

  if (engine === 'postgres')
    it('makes other processes on the same store forget their answers', async () => {
      const neighbour = await prepared.start({ registryUrl: () => proxy.url });
      expect([await originOf(), await originOf(neighbour)]).toEqual(['LIVE', 'REPLAY']);
      expect(
        await prepared.read((store) => store.query("SELECT 1 FROM answers WHERE rule = 'ACCOUNT' AND until > now()")),
      ).toHaveLength(1);
      await erase();
      expect(
        await prepared.read((store) => store.query("SELECT 1 FROM answers WHERE rule = 'ACCOUNT' AND until > now()")),
      ).toEqual([]);
      await waitUntil(async () => (await originOf(neighbour)) === 'LIVE');
      expect(await originOf()).toBe('REPLAY');
      expect(proxy.requests).toHaveLength(2);
      await neighbour.stop();
    });

  if (engine === 'postgres')
    it('leaves no link to calls of another process on the same store', async () => {
      const neighbour = await prepared.start({ registryUrl: () => proxy.url });
      const held = holdResponses(proxy, 'buscar-credito');
      const answer = ask(credit, { nss }, {}, neighbour);
      await held.arrived(1);
      expect(await erase()).toEqual({ entries: 1, rows: 0 });
      held.release();
      await answer;
      await neighbour.stop();
      await expectErased(1);
    });
});
