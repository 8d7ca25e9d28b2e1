import { people, type SandboxPerson } from '../../../../src/extensions/sandbox/data/people';
import { startSandbox } from '../../../../src/extensions/sandbox/service';
import { findOrThrow } from '../../../support/find-or-throw';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { preparePadron } from '../../../support/padrons/ledger';
import type { RunningPadron } from '../../../support/padrons/padron';
import { proxiedPadronForTests } from '../../../support/padrons/padron-for-tests';
import { holdResponses } from '../../../support/proxies/held-responses';
import { BatchClient } from '../../../support/requests/batches';
import { engineRig, engines } from '../../../support/stores/engines';
import { askAs, jwtMode } from '../audit/read-trail';

const scope =
  'padron_ledger padron_proofs padron_erase padron_batch use_buscar_credito use_obtener_cuenta use_buscar_cedula use_descargar_constancia_profesional padron_find_identity';
const claims = { client_id: 'compliance', scope };
const settings = { ...jwtMode, REPLAY_SECONDS: '60', REUSE_DAYS: '5' };
const query = (selection: string): string =>
  `query ($nss: NSS, $curp: CURP, $name: PersonNameInput) { person(nss: $nss, curp: $curp, name: $name) { ${selection} } }`;
const ask = async (padron: RunningPadron, text: string, variables: object, headers = {}) => {
  const { data, errors } = await askAs(padron, claims, text, variables, headers);
  expect(errors).toBeUndefined();
  return data;
};

const fullName = ({ names, paternalSurname, maternalSurname }: SandboxPerson): string =>
  [names, paternalSurname, maternalSurname].join(' ');
/** People of whom no other has the name, as an entry of another test would be found by it. */
const knownPeople = people.filter(
  (person, index) =>
    person.credit &&
    person.licences.length > 0 &&
    people.findIndex((namesake) => fullName(namesake) === fullName(person)) === index &&
    people.findLastIndex((namesake) => fullName(namesake) === fullName(person)) === index,
);
/** Returns a person that no other test uses. */
const nextPerson = (): SandboxPerson => {
  const person = knownPeople.pop();
  if (person === undefined) throw new Error('The sandbox has too few people.');
  return person;
};
const nameOf = ({ names, paternalSurname, maternalSurname }: SandboxPerson) => ({
  names,
  paternalSurname,
  maternalSurname,
});

interface Found {
  /** Last part of the endpoint of each entry. */
  readonly calls: readonly string[];
  /** Further entries by kind of identifier. */
  readonly others: Readonly<Record<string, number>>;
  readonly ids: readonly string[];
}

const toOthers = (list: readonly { readonly kind: string; readonly entries: number }[]) =>
  Object.fromEntries(list.map(({ kind, entries }) => [kind, entries]));

async function find(padron: RunningPadron, subject: object, reference: string | null = null): Promise<Found> {
  const proofs = `query ($subject: RegistrySubjectInput!, $reference: String) { registryProofs(subject: $subject, reference: $reference) {
    entries { id evidence { endpoint } } otherIdentifiers { kind entries } } }`;
  const { entries, otherIdentifiers } = (await ask(padron, proofs, { subject, reference })).registryProofs;
  const calls = entries.map(({ evidence }: { readonly evidence: { readonly endpoint: string } }) =>
    evidence.endpoint.split('/').at(-1),
  );
  const ids = entries.map(({ id }: { readonly id: string }) => id);
  return { calls: calls.sort(), others: toOthers(otherIdentifiers), ids };
}

async function erase(padron: RunningPadron, subject: object) {
  const text = `mutation ($subject: RegistrySubjectInput!) { eraseRegistrySubject(subject: $subject) {
    entries notSearched otherIdentifiers { kind entries } } }`;
  const { entries, notSearched, otherIdentifiers } = (await ask(padron, text, { subject })).eraseRegistrySubject;
  expect(notSearched).toEqual(otherIdentifiers.map(({ kind }: { readonly kind: string }) => kind));
  return { entries, others: toOthers(otherIdentifiers) };
}

const [credit, account, identity] = ['buscar-credito', 'obtener-cuenta', 'valida-curp'];
const [licences, status] = ['obtener-cedula', 'descargar-constancia-profesional'];

describe.each(engines)('entries of one person on the %s engine', (engine) => {
  const padron = proxiedPadronForTests(settings, engineRig(engine));

  /** Makes the housing fund answer with the name of another person, as for people who share one. */
  const giveName = (of: SandboxPerson, changes: object = {}): void =>
    padron.proxy.tamper(({ json }, { path }) => {
      const body = json as { readonly data?: object };
      if (!path.includes('buscar-credito') || body.data === undefined) return null;
      const { names: nombre, paternalSurname: apPaterno, maternalSurname: apMaterno } = of;
      return { json: { ...body, data: { ...body.data, nombre, apPaterno, apMaterno, ...changes } } };
    });

  it('are found by the NSS that led to them', async () => {
    const { nss, curp, ...person } = nextPerson();
    await ask(
      padron,
      query('credit { outcome } licences { outcome } professionalStatus { outcome } identity { outcome }'),
      { nss },
    );
    expect(padron.calls().length).toBe(4);
    expect(await find(padron, { nss })).toMatchObject({
      calls: [credit, status, licences, identity].sort(),
      others: { curp: 0, name: 0 },
    });
    expect(await find(padron, { curp })).toMatchObject({ calls: [status, identity].sort(), others: { nss: 2 } });
    expect(await find(padron, { name: nameOf({ nss, curp, ...person }) })).toMatchObject({
      calls: [licences],
      others: { nss: 3, curp: 2 },
    });
    expect(padron.calls()).toEqual([]);
  });

  it('are found by the CURP whose answer gave the name', async () => {
    const { curp } = nextPerson();
    await ask(padron, query('licences { outcome }'), { curp });
    expect(await find(padron, { curp })).toMatchObject({ calls: [licences, identity].sort(), others: { name: 0 } });
  });

  it('are found by each given identifier if one answer has shown that they belong together', async () => {
    const person = nextPerson();
    const { nss, curp } = person;
    const name = nameOf(person);
    await ask(
      padron,
      query('identity { outcome } licences { outcome } credit { outcome } housingAccount { outcome }'),
      { nss, curp, name },
    );
    const all = [credit, account, identity, licences].sort();
    for (const subject of [{ nss }, { curp }]) expect((await find(padron, subject)).calls).toEqual(all);
    expect(await find(padron, { name })).toMatchObject({ calls: [licences], others: { nss: 3, curp: 3 } });
    expect(await erase(padron, { nss })).toEqual({ entries: 4, others: { curp: 0, name: 0 } });
    expect(await find(padron, { nss, curp, name })).toMatchObject({ calls: [], others: {} });
  });

  it('stay if a namesake is erased by the name too', async () => {
    const [first, second] = [nextPerson(), nextPerson()];
    giveName(first, { scurp: '', rfc: '' });
    const name = nameOf(first);
    const selection = query('credit { outcome } licences { outcome } housingAccount { outcome }');
    await ask(padron, selection, { nss: first.nss, name });
    await ask(padron, selection, { nss: second.nss, name });
    await erase(padron, { nss: second.nss, name });
    expect((await find(padron, { nss: first.nss })).calls).toEqual([credit, account].sort());
    expect((await find(padron, { nss: second.nss, name })).calls).toEqual([]);
  });

  it('are not those of a namesake of the same request who has no other identifier in common', async () => {
    const [first, second] = [nextPerson(), nextPerson()];
    giveName(first, { scurp: '', rfc: '' });
    const pair = `query ($curp: CURP, $name: PersonNameInput, $nss: NSS) {
      a: person(curp: $curp, name: $name) { licences { outcome } professionalStatus { outcome } }
      b: person(nss: $nss) { licences { outcome } } }`;
    await ask(padron, pair, { curp: first.curp, name: nameOf(first), nss: second.nss });
    expect(padron.calls().length).toBe(3);
    const b = await find(padron, { nss: second.nss });
    expect(b).toMatchObject({ calls: [credit, licences].sort(), others: { name: 0 } });
    await erase(padron, { nss: second.nss });
    expect((await find(padron, { name: nameOf(first) })).calls).toEqual([licences]);
  });

  it('are only counted if the caller alone says that the identifiers belong together', async () => {
    const [{ nss, curp }, stranger] = [nextPerson(), nextPerson()];
    const both = `query ($nss: NSS, $curp: CURP, $other: NSS, $otherCurp: CURP) {
      person(nss: $nss, curp: $curp) { housingAccount { outcome } identity { outcome } professionalStatus { outcome } }
      other: person(nss: $other, curp: $otherCurp) { housingAccount { outcome } identity { outcome } } }`;
    await ask(padron, both, { nss, curp, other: stranger.nss, otherCurp: stranger.curp });
    expect(await find(padron, { nss })).toMatchObject({ calls: [account], others: { curp: 2 } });
    expect(await find(padron, { curp })).toMatchObject({ calls: [status, identity].sort(), others: { nss: 1 } });
    expect(await erase(padron, { nss })).toEqual({ entries: 1, others: { curp: 2 } });
    expect(await find(padron, { curp })).toMatchObject({ calls: [status, identity].sort(), others: {} });
    expect(await find(padron, { nss: stranger.nss })).toMatchObject({ calls: [account], others: { curp: 1 } });
  });

  it.each([
    'credit { outcome } licences { outcome } professionalStatus { outcome }',
    'professionalStatus { outcome } licences { outcome } credit { outcome }',
  ])('are apart if an answer contradicts that the identifiers belong together: %s', async (selection) => {
    const tomas = findOrThrow(people, ({ nss }) => nss === '54230400712');
    const claudia = findOrThrow(people, ({ curp }) => curp === 'MUMC530509MNLXRL02');
    const headers = { 'x-reference': `EXP ${selection.length} ${selection[0]}` };
    const reference = headers['x-reference'];
    const { nss } = tomas;
    const { curp } = claudia;
    const { person } = await ask(padron, query(`${selection} credit { problems { code } }`), { nss, curp }, headers);
    expect(person.credit.problems).toEqual([{ code: 'IDENTITY_CONFLICT' }]);
    expect(await find(padron, { nss }, reference)).toMatchObject({ calls: [credit], others: {} });
    const hers = [licences, status, identity].sort();
    expect(await find(padron, { curp }, reference)).toMatchObject({ calls: hers, others: { name: 0 } });
    expect((await find(padron, { curp: tomas.curp }, reference)).calls).toEqual([]);
    expect((await find(padron, { name: nameOf(tomas) }, reference)).calls).toEqual([]);
    expect((await erase(padron, { nss, curp: tomas.curp, name: nameOf(tomas) })).others).toEqual({});
    expect((await find(padron, { curp }, reference)).calls).toEqual(hers);
    expect((await erase(padron, { curp })).entries).toBe(3);
    expect(await find(padron, { nss, curp })).toMatchObject({ calls: [] });
  });

  it('are apart if two people of a request have the same name', async () => {
    const [first, second] = [nextPerson(), nextPerson()];
    giveName(first, { scurp: '' });
    const pair = `query ($a: NSS, $b: NSS) { a: person(nss: $a) { licences { outcome } } b: person(nss: $b) { licences { outcome } } }`;
    await ask(padron, pair, { a: first.nss, b: second.nss });
    expect(padron.calls().length).toBe(3);
    const [a, b] = [await find(padron, { nss: first.nss }), await find(padron, { nss: second.nss })];
    expect([a.calls, b.calls]).toEqual([[credit, licences].sort(), [credit, licences].sort()]);
    expect(a.ids.filter((id) => b.ids.includes(id))).toEqual([]);
    expect((await find(padron, { name: nameOf(first) })).ids.length).toBe(2);
    expect((await erase(padron, { nss: first.nss })).entries).toBe(2);
    expect((await find(padron, { nss: second.nss })).calls).toEqual([credit, licences].sort());
    const spend =
      '{ registrySpend(filter: { endpoint: "POST /api/sep/grupo/obtener-cedula" }, by: []) { savedUnits } }';
    expect((await ask(padron, spend, {})).registrySpend[0].savedUnits).toBeGreaterThan(0);
  });

  it('are apart if two names only differ in an abbreviation, which the search leaves out', async () => {
    const [first, second] = [nextPerson(), nextPerson()];
    const { names, ...surnames } = nameOf(first);
    padron.proxy.tamper(({ json }, { path }) => {
      const answer = json as { readonly data?: object };
      if (!path.includes('buscar-credito') || answer.data === undefined) return null;
      const nombre = `${path.includes(first.nss) ? 'MA.' : 'J.'} ${names}`;
      const { paternalSurname: apPaterno, maternalSurname: apMaterno } = surnames;
      return { json: { ...answer, data: { ...answer.data, nombre, apPaterno, apMaterno, scurp: '', rfc: '' } } };
    });
    const pair = `query ($a: NSS, $b: NSS) { a: person(nss: $a) { licences { outcome } } b: person(nss: $b) { licences { outcome } } }`;
    await ask(padron, pair, { a: first.nss, b: second.nss });
    expect(padron.calls().length).toBe(3);
    const [a, b] = [await find(padron, { nss: first.nss }), await find(padron, { nss: second.nss })];
    expect([a.calls, b.calls]).toEqual([[credit, licences].sort(), [credit, licences].sort()]);
    expect(a.ids.filter((id) => b.ids.includes(id))).toEqual([]);
    for (const spelling of [`MA. ${names}`, `J. ${names}`, names])
      expect((await find(padron, { name: { names: spelling, ...surnames } })).ids.length).toBe(2);
    expect((await erase(padron, { nss: first.nss })).entries).toBe(2);
    expect((await find(padron, { nss: second.nss })).calls).toEqual([credit, licences].sort());
  });

  it('are those of each person if two with the same given name share an answer', async () => {
    const [first, second] = [nextPerson(), nextPerson()];
    giveName(first, { scurp: '', rfc: '' });
    const name = nameOf(first);
    const pair = `query ($a: NSS, $b: NSS, $name: PersonNameInput) { a: person(nss: $a, name: $name) { licences { outcome } credit { outcome } }
      b: person(nss: $b, name: $name) { licences { outcome } credit { outcome } } }`;
    await ask(padron, pair, { a: first.nss, b: second.nss, name });
    expect(padron.calls().length).toBe(3);
    const [a, b] = [await find(padron, { nss: first.nss }), await find(padron, { nss: second.nss })];
    expect([a.calls, b.calls]).toEqual([[credit, licences].sort(), [credit, licences].sort()]);
    expect(a.ids.filter((id) => b.ids.includes(id))).toEqual([]);
  });

  it('are linked in the same way if the answers are replayed or used again', async () => {
    const { nss, curp } = nextPerson();
    const selection = query('credit { outcome } identity { outcome } licences { evidence { servedFrom } }');
    const older = { 'x-max-age': '2d' };
    await ask(padron, query('identity { outcome }'), { curp }, older);
    await ask(padron, selection, { nss, curp }, older);
    padron.calls();
    const replay = await ask(padron, selection, { nss, curp });
    const kept = await ask(padron, selection, { nss, curp }, older);
    expect([replay, kept].map(({ person }) => person.licences.evidence.servedFrom)).toEqual(['REPLAY', 'REPLAY']);
    expect(padron.calls()).toEqual([]);
    // The first request did not name the NSS.
    expect(await find(padron, { nss })).toMatchObject({ others: { curp: 1, name: 0 } });
    expect((await find(padron, { nss })).calls.length).toBe(9);
    expect((await find(padron, { curp })).calls.length).toBe(10);
  });

  it('lead to the answers that are kept about the person, which an erasure deletes', async () => {
    const { nss, curp } = nextPerson();
    const selection = query('credit { outcome } identity { outcome } licences { outcome }');
    const older = { 'x-max-age': '2d' };
    await ask(padron, selection, { nss, curp }, older);
    expect(padron.calls().length).toBe(3);
    expect((await erase(padron, { nss })).entries).toBe(3);
    await ask(padron, selection, { nss, curp }, older);
    expect(padron.calls().length).toBe(3);
  });

  it('are those of the row in a batch, whose rows are people', async () => {
    const [first, second] = [nextPerson(), nextPerson()];
    giveName(first, { scurp: '' });
    const client = new BatchClient(padron, signedBySecret(jwtMode.JWT_SECRET, claims));
    const rows = [{ nss: first.nss }, { nss: second.nss }];
    await client.runRows('query Row($nss: NSS!) { person(nss: $nss) { licences { outcome } } }', rows);
    expect(padron.calls().filter((call) => call.includes(licences)).length).toBe(1);
    const [a, b] = [await find(padron, { nss: first.nss }), await find(padron, { nss: second.nss })];
    expect([a.calls, b.calls]).toEqual([[credit, licences].sort(), [credit, licences].sort()]);
    expect(a.ids.filter((entry) => b.ids.includes(entry))).toEqual([]);
  });

  it('are erased if the person is erased before an answer has shown what belongs together', async () => {
    const { nss, curp } = nextPerson();
    const held = holdResponses(padron.proxy, 'buscar-credito');
    const answer = ask(padron, query('identity { outcome } credit { outcome }'), { nss, curp });
    await held.arrived(1);
    expect((await erase(padron, { curp })).entries).toBe(1);
    held.release();
    await answer;
    expect(await find(padron, { nss, curp })).toMatchObject({ calls: [], others: {} });
  });
});

describe.each(engines)('entries of one person under a new key on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const [oldKey, newKey] = ['an-older-key-of-forty-characters-01234567', 'a-newer-key-of-forty-characters-012345678'];

  it('are found and counted as before', async () => {
    const prepared = await preparePadron(rig, settings);
    const { nss, curp } = nextPerson();
    const service = await startSandbox();
    rig.atEnd(() => service.close());
    const startWith = (keys: string) =>
      prepared.start({ registryUrl: () => service.url, environment: { DATA_KEYS: keys } });
    const before = await startWith(oldKey);
    await ask(before, query('licences { outcome }'), { nss });
    await ask(before, query('housingAccount { outcome } identity { outcome }'), { nss, curp });
    await before.stop();
    const after = await startWith(`${newKey},${oldKey}`);
    expect(await find(after, { nss })).toMatchObject({
      calls: [credit, account, licences].sort(),
      others: { curp: 1, name: 0 },
    });
    await after.stop();
  });
});
