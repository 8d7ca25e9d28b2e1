import { OTHER_TOKEN } from '../../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../../src/extensions/sandbox/data/people';
import { startSandbox } from '../../../../src/extensions/sandbox/service';
import { KeyRing } from '../../../../src/store/key-ring';
import { findOrThrow } from '../../../support/find-or-throw';
import { signedBySecret } from '../../../support/keys/identity-provider';
import { payer } from '../../../support/operations/employer-graph';
import { preparePadron } from '../../../support/padrons/ledger';
import type { RunningPadron } from '../../../support/padrons/padron';
import { ledgerPadronForTests } from '../../../support/padrons/padron-for-tests';
import { BatchClient, CREDIT } from '../../../support/requests/batches';
import { card } from '../../../support/sandbox/cards';
import { engineRig, engines } from '../../../support/stores/engines';

const SECRET = 'a-secret-shared-with-the-identity-provider';
const jwt = { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: SECRET };
const scopes = [
  ...['use_buscar_credito', 'use_obtener_cuenta', 'use_validar_cedula', 'use_buscar_cedula', 'use_validar_certificado'],
  ...[
    'padron_find_identity',
    'padron_list_snapshots',
    'padron_ledger',
    'padron_proofs',
    'padron_erase',
    'padron_audit',
    'padron_batch',
  ],
];
const authorization = `Bearer ${signedBySecret(SECRET, { client_id: 'compliance', scope: scopes.join(' ') })}`;

const person = findOrThrow(people, ({ credit, licences, certificate, maternalSurname }) =>
  Boolean(credit && licences.length > 0 && certificate && maternalSurname),
);
const stranger = findOrThrow(people, ({ nss }) => nss !== person.nss);
const [licence] = person.licences;
const folio = person.certificate?.folio ?? '';
const name = { names: person.names, paternalSurname: person.paternalSurname, maternalSurname: person.maternalSurname };
/** Endpoints of the entries about the person, whose credit has shown that the identifiers belong together. */
const ofPerson = ['buscar-credito', 'valida-curp', 'obtener-cedula'];
const everyQuestion = `query Everything($nss: NSS, $curp: CURP, $name: PersonNameInput, $number: LicenceNumber!, $folio: CertificateFolio!, $registration: EmployerRegistration!) {
  person(nss: $nss, curp: $curp, name: $name) { credit { outcome } identity { outcome } licences { outcome } }
  professionalLicence(number: $number) { outcome }
  studyCertificate(folio: $folio) { outcome }
  employer(registration: $registration) { snapshots { outcome } }
}`;
const identifiers = { nss: person.nss, curp: person.curp, registration: payer.registration, folio, name };
const variables = { ...identifiers, number: licence?.number };

const proofsQuery =
  'query ($subject: RegistrySubjectInput!) { registryProofs(subject: $subject) { entries { id outcome evidence { endpoint validationCode } } csvUrl } }';
const ask = (padron: RunningPadron, query: string, values: Readonly<Record<string, unknown>> = {}) =>
  padron.ask(query, values, { authorization });
const endpointsOf = async (padron: RunningPadron, subject: object): Promise<readonly string[]> => {
  const { data, errors } = await ask(padron, proofsQuery, { subject });
  expect(errors).toBeUndefined();
  return data.registryProofs.entries.map(({ evidence }: { evidence: { endpoint: string } }) =>
    evidence.endpoint.split('/').at(-1),
  );
};

describe.each(engines)('proofs about a person on the %s engine', (engine) => {
  const rig = engineRig(engine);
  const padron = ledgerPadronForTests(rig, jwt);
  beforeAll(async () => {
    expect((await ask(padron, everyQuestion, variables)).errors).toBeUndefined();
    padron.calls();
  });

  it.each([
    ['an NSS', { nss: person.nss }, ofPerson],
    ['an NSS with dashes and spaces', { nss: person.nss.replace(/^(..)(..)/, '$1-$2 ') }, ofPerson],
    ['a CURP in small letters', { curp: person.curp.toLowerCase() }, ofPerson],
    ['a licence', { licence: licence?.number }, ['validar-cedula']],
    ['a certificate', { certificate: folio.toLowerCase() }, ['validar-certificado']],
    ['a registration', { registration: payer.registration }, ['snapshots']],
    [
      'a name without its accents',
      { name: { ...name, names: name.names.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase() } },
      ['obtener-cedula'],
    ],
    [
      'several identifiers',
      { nss: person.nss, curp: person.curp, certificate: folio },
      ['validar-certificado', ...ofPerson],
    ],
    ['another NSS', { nss: stranger.nss }, []],
    ['another surname', { name: { ...name, maternalSurname: null } }, []],
  ])('are found by %s, without a call to the service', async (_what, subject, endpoints) => {
    expect([...(await endpointsOf(padron, subject))].sort()).toEqual([...endpoints].sort());
    expect(padron.calls()).toEqual([]);
  });

  it('include answers NOT_FOUND', async () => {
    const nss = card('not-found', 'nss');
    await ask(padron, 'query ($nss: NSS) { person(nss: $nss) { credit { outcome } } }', { nss });
    const { data } = await ask(padron, proofsQuery, { subject: { nss } });
    expect(data.registryProofs.entries).toMatchObject([
      { outcome: 'NOT_FOUND', evidence: { validationCode: expect.any(String) } },
    ]);
  });

  it('contain no identifier of the person, in a page or in a CSV file', async () => {
    const all =
      'entries { id at client tag operation requestId outcome uncertainUnits evidence { endpoint status message validationCode servedFrom checkedAt } } next csvUrl';
    const query = `query ($s: RegistrySubjectInput!) { a: registryLedger { ${all} } b: registryProofs(subject: $s) { ${all} } }`;
    const planted = { authorization, 'x-tag': person.nss };
    const page = await padron.ask(query, { s: { nss: person.nss } }, { ...planted, 'x-client-name': person.curp });
    await padron.ask(everyQuestion.replace('Everything', `E${person.nss}`), variables, planted);
    const files = [];
    for (const { csvUrl } of [page.data.a, page.data.b]) files.push(await (await fetch(csvUrl)).text());
    const text = [JSON.stringify(page.data), ...files, ...padron.log].join('\n').toUpperCase();
    const { nss, curp, rfc, names, paternalSurname } = person;
    const parts = [nss, curp, rfc, folio, payer.registration, names, paternalSurname];
    expect(parts.filter((part) => text.includes(part.toUpperCase()))).toEqual([]);
    expect(files.map((file) => file.split('\r\n').length)).toEqual([expect.any(Number), 8]);
  });

  it('cannot be found after an erasure, and the sums stay the same', async () => {
    const sums = async () => (await ask(padron, '{ registrySpend(by: [ENDPOINT]) { endpoint calls units } }')).data;
    const before = await sums();
    const erase = 'mutation ($subject: RegistrySubjectInput!) { eraseRegistrySubject(subject: $subject) { entries } }';
    const subject = { nss: person.nss, curp: person.curp };
    const { data } = await ask(padron, erase, { subject });
    expect(data.eraseRegistrySubject.entries).toBeGreaterThanOrEqual(2);
    expect(await endpointsOf(padron, subject)).toEqual([]);
    expect(await endpointsOf(padron, { registration: payer.registration })).not.toEqual([]);
    expect((await ask(padron, erase, { subject })).data.eraseRegistrySubject).toEqual({ entries: 0 });
    expect(await sums()).toEqual(before);
  });
});

const [oldKey, newKey] = ['an-older-key-of-forty-characters-01234567', 'a-newer-key-of-forty-characters-012345678'];

describe.each(engines)('a new key of DATA_KEYS on the %s engine', (engine) => {
  const rig = engineRig(engine);

  it('still finds the account, the proofs and the links of the old key', async () => {
    const prepared = await preparePadron(rig, jwt);
    const service = await startSandbox();
    const startWith = (keys: string) =>
      prepared.start({ registryUrl: () => service.url, environment: { DATA_KEYS: keys } });
    const buy = 'query ($nss: NSS) { person(nss: $nss) { credit { outcome } } }';
    const subject = { nss: person.nss };

    const before = await startWith(oldKey);
    await ask(before, buy, subject);
    const { csvUrl } = (await ask(before, proofsQuery, { subject })).data.registryProofs;
    await before.stop();

    const after = await startWith(`${newKey},${oldKey}`);
    await ask(after, buy, subject);
    expect(await endpointsOf(after, subject)).toEqual(['buscar-credito', 'buscar-credito']);
    expect((await ask(after, '{ registrySpend(by: []) { calls } }')).data.registrySpend).toEqual([{ calls: 2 }]);
    // The link was made with the old key, and selects the entries that this key found.
    const path = new URL(csvUrl);
    const file = await fetch(new URL(path.pathname + path.search, after.url));
    expect([file.status, (await file.text()).split('\r\n').length]).toEqual([200, 3]);
    const erase = 'mutation ($subject: RegistrySubjectInput!) { eraseRegistrySubject(subject: $subject) { entries } }';
    expect((await ask(after, erase, { subject })).data.eraseRegistrySubject).toEqual({ entries: 2 });
    await after.stop();
    await service.close();
  });

  it('is not enough as long as the ledger has links of the old key: searches and erasures are refused, unless it is lost for good', async () => {
    const prepared = await preparePadron(rig, jwt);
    const service = await startSandbox();
    const under = async <Result>(keys: string, use: (padron: RunningPadron) => Promise<Result>): Promise<Result> => {
      const padron = await prepared.start({ registryUrl: () => service.url, environment: { DATA_KEYS: keys } });
      const result = await use(padron);
      await padron.stop();
      return result;
    };
    const mark = new KeyRing([oldKey]).newest.id;
    const subject = { nss: person.nss };
    const values = { subject, despite: false };
    const buy = 'query ($nss: NSS) { person(nss: $nss) { credit { outcome } } }';
    const erase = `mutation ($subject: RegistrySubjectInput!, $despite: Boolean!) {
      eraseRegistrySubject(subject: $subject, despiteMissingKeys: $despite) { entries keysNotSearched } }`;
    const searches = [
      'query ($subject: RegistrySubjectInput!) { registryProofs(subject: $subject) { next } }',
      '{ registryProofs(reference: "E-007") { next } }',
      '{ registryLedger(filter: { reference: "E-007" }) { next } }',
      '{ registrySpend(filter: { actor: "ana" }) { calls } }',
      '{ registryAudit(actor: "ana") { next } }',
    ];
    const entriesOf = async (padron: RunningPadron): Promise<number> => (await endpointsOf(padron, subject)).length;
    const eraseUnder = (keys: string, despite = false) =>
      under(keys, async (padron) => (await ask(padron, erase, { subject, despite })).data.eraseRegistrySubject);

    await under(oldKey, (padron) => ask(padron, buy, subject));
    await under(newKey, async (padron) => {
      for (const query of [...searches, erase]) {
        const { data, errors } = await ask(padron, query, values);
        expect([query, Object.values(data ?? {}), errors?.map(({ extensions }) => extensions.code)]).toEqual([
          query,
          [null],
          ['LEDGER_KEY_MISSING'],
        ]);
        expect(errors?.[0].message).toContain(`(IDs ${mark})`);
      }
      // Entries that are not searched by hashes are still listed.
      expect((await ask(padron, '{ registryLedger(filter: { tag: "a" }) { next } }')).errors).toBeUndefined();
      await ask(padron, buy, subject);
    });
    expect(await under(`${newKey},${oldKey}`, entriesOf)).toBe(2);

    expect(await eraseUnder(newKey, true)).toEqual({ entries: 1, keysNotSearched: [mark] });
    const trail =
      '{ registryAudit(filter: { action: ERASE_SUBJECT }) { actions { outcome problem keysNotSearched } } }';
    expect((await under(newKey, (padron) => ask(padron, trail))).data.registryAudit.actions).toEqual([
      { outcome: 'DONE', problem: null, keysNotSearched: [mark] },
      { outcome: 'REFUSED', problem: 'LEDGER_KEY_MISSING', keysNotSearched: null },
    ]);
    expect(await eraseUnder(`${newKey},${oldKey}`)).toEqual({ entries: 1, keysNotSearched: [] });
    // A key without links is not missing, although entries were written with it.
    expect(await under(newKey, entriesOf)).toBe(0);
    await service.close();
  });

  it('does not erase a person as long as batches are stored with the old key', async () => {
    const prepared = await preparePadron(rig, jwt);
    const service = await startSandbox();
    const under = (keys: string) =>
      prepared.start({ registryUrl: () => service.url, environment: { DATA_KEYS: keys } });
    const erase = `mutation { eraseRegistrySubject(subject: { nss: "${person.nss}" }) { rows keysNotSearched } }`;
    const before = await under(oldKey);
    const client = new BatchClient(before, authorization.replace('Bearer ', ''));
    await client.ready(CREDIT, [{ nss: person.nss }]);
    await before.stop();
    const lacking = await under(newKey);
    expect((await ask(lacking, erase)).errors?.[0].extensions.code).toBe('LEDGER_KEY_MISSING');
    await lacking.stop();
    const after = await under(`${newKey},${oldKey}`);
    expect((await ask(after, erase)).data.eraseRegistrySubject).toEqual({ rows: 1, keysNotSearched: [] });
    await after.stop();
    await service.close();
  });
});
