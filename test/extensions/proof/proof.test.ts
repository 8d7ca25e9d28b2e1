import { createHash, createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { renderProof } from '../../../src/extensions/proof/document';
import type { Facts } from '../../../src/extensions/proof/facts';
import { sign } from '../../../src/extensions/proof/signature';
import { people } from '../../../src/extensions/sandbox/data/people';
import { askAs, jwtMode } from '../../graph/money/audit/read-trail';
import { type Claims, ed25519Key, signedByKey } from '../../support/keys/identity-provider';
import { CREDIT } from '../../support/operations/people-endpoints';
import { type PreparedPadron, preparePadron } from '../../support/padrons/ledger';
import type { RunningPadron } from '../../support/padrons/padron';
import { withPadron } from '../../support/padrons/with-padron';
import { builtCommand, padronCommand } from '../../support/processes/padron-command';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';
import { engineRig } from '../../support/stores/engines';

const [key, nextKey] = [ed25519Key('first'), ed25519Key('next')];
const [person, stranger] = people.filter(({ credit }) => Boolean(credit));
const nss = person?.nss ?? '';
const subject = { nss };
const hr = { azp: 'hr', sub: 'ana@example.mx', scope: 'use_buscar_credito' };
const compliance = { azp: 'compliance', scope: 'padron_proofs padron_audit padron_erase' };
const check = `query ($nss: NSS, $curp: CURP) { person(nss: $nss, curp: $curp) { credit { evidence { ledgerId } } } }`;
const make = `query ($subject: RegistrySubjectInput!, $id: ID, $reference: String, $actor: String, $language: RegistryProofLanguage) {
  registryProofDocument(subject: $subject, id: $id, reference: $reference, actor: $actor, language: $language) { contentType content }
}`;
const named: Readonly<Record<string, string>> = {
  PROOF_ISSUER: 'Crédito Ñandú, S.A. de C.V.',
  PROOF_PURPOSES: 'hiring=Contratación de personal',
  PUBLIC_URL: 'https://padron.example/',
};
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('a proof as a document', () => {
  const rig = engineRig();
  const folder = mkdtempSync(join(tmpdir(), 'padron-proofs-'));
  let prepared: PreparedPadron;
  let proxy: TamperingProxy;
  let padron: RunningPadron;
  let received: Buffer;
  let target = '';
  let entry = '';

  const start = (keys: string, environment = named): Promise<RunningPadron> =>
    prepared.start({
      environment: { PROOF_KEY: keys, ...environment },
      registryUrl: ({ url }) => {
        target = url;
        return proxy.url;
      },
    });
  const credit = async (variables: object, headers: Readonly<Record<string, string>>): Promise<string> =>
    (await askAs(padron, hr, check, variables, headers)).data.person.credit.evidence.ledgerId;
  const proofOf = async (variables: object): Promise<Buffer> => {
    const { data } = await askAs(padron, compliance, make, { subject, ...variables });
    expect(data).toEqual({ registryProofDocument: { contentType: 'application/pdf', content: expect.any(String) } });
    return Buffer.from(data.registryProofDocument.content, 'base64');
  };
  const publishedKeys = async () => (await fetch(new URL('/.well-known/jwks.json', padron.url))).text();
  /** Runs the command, which has no store and no server. */
  const verify = async (document: string | Buffer, keys: string, run = padronCommand) => {
    const [file, keyFile] = [join(folder, 'proof.pdf'), join(folder, 'jwks.json')];
    writeFileSync(file, document);
    writeFileSync(keyFile, keys);
    const { code, output, text } = await run(['verify', file, '--keys', keyFile]);
    return [code, (output + text).replaceAll(`${folder}/`, '')] as const;
  };

  beforeAll(async () => {
    proxy = await startProxy(() => target);
    proxy.tamper(({ bytes }) => {
      received = bytes;
      return null;
    });
    prepared = await preparePadron(rig, { ...jwtMode, PURPOSES: 'hiring', REPLAY_SECONDS: '60' });
    padron = await start(key.pem);
    entry = await credit({ nss }, { 'x-reference': 'EXP-1', 'x-purpose': 'hiring' });
    // The age of the next answer would be rounded up.
    await setTimeout(600);
    // The second answer is a replay, and contradicts the identity that its request gives.
    await credit({ nss, curp: stranger?.curp }, { 'x-reference': 'EXP-1' });
    expect(padron.calls()).toEqual([CREDIT]);
  });
  afterAll(async () => {
    await proxy.close();
    rmSync(folder, { recursive: true });
  });

  it('says what was asked, when, by whom and with which result, in Spanish, and the command prints it', async () => {
    const document = await proofOf({ id: entry, actor: hr.sub, language: 'ES' });
    const keys = await publishedKeys();
    const [code, text] = await verify(document, keys, builtCommand);
    const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}-06:00/g;
    expect([code, text.replace(time, 'TIME').split('\n')]).toEqual([
      0,
      [
        ...[
          'proof.pdf is valid: every byte is as padron signed it. Its facts:',
          '',
          'Emisor: Crédito Ñandú, S.A. de C.V.',
          expect.stringMatching(/^Documento: \w{26}$/),
          'Elaborado el: TIME',
        ],
        ...[
          `Servicio: ${proxy.url}`,
          'Asientos: 1',
          `ID de la llave: ${JSON.parse(keys).keys[0].kid}`,
          'Llaves públicas: https://padron.example/.well-known/jwks.json',
          `Asiento: ${entry}`,
          `NSS: ${nss}`,
          `Consulta (endpoint): ${CREDIT}`,
        ],
        ...['Fecha y hora de la consulta: TIME', 'Llamada al servicio el: TIME', 'Resultado: Encontrado'],
        ...['Estado HTTP: 200', expect.stringMatching(/^Código de validación: \w+$/)],
        ...[
          'Origen de la respuesta: Consulta nueva',
          'Cobro: Cobrado',
          'Unidades: 1',
          'Finalidad: Contratación de personal (hiring)',
        ],
        ...['Aplicación que consultó: hr', `Persona que consultó: ${hr.sub}`],
        ...[
          `SHA-256 de la respuesta recibida: ${hashOf(received)}`,
          '',
          `SHA-256 of proof.pdf: ${hashOf(document)}`,
          '',
        ],
      ],
    ]);
  });

  it('has all entries of the person under a reference, with the age of a reused answer, in English', async () => {
    const [code, text] = await verify(await proofOf({ reference: 'exp-1', language: 'EN' }), await publishedKeys());
    expect(code).toBe(0);
    expect(text).toMatch(
      /\nReference: exp-1\nEntries: 2\nKey ID: .*\nPublic keys: .*\nLedger entry: [\s\S]*\nSource of the answer: LIVE\n/,
    );
    const reused =
      /\nAsked at: (.*)\nService called at: (.*)\nAge of the reused answer, in seconds: (\d)\n[\s\S]*\nSource of the answer: REPLAY\n/;
    const [, asked = '', called = '', age] = reused.exec(text) ?? [];
    expect(Number(age)).toBe(Math.floor((Date.parse(asked) - Date.parse(called)) / 1_000));
    expect(text.match(new RegExp(`\nSHA-256 of the received answer: ${hashOf(received)}\n`, 'g'))).toHaveLength(2);
  });

  it('is refused with the fact that was changed, and if its signature or its key is another one', async () => {
    const [keys, document] = [await publishedKeys(), await proofOf({ id: entry, language: 'ES' })];
    const [jws = '', content = ''] = /eyJ[\w-]+\.([\w-]+)\.[\w-]+/.exec(document.toString('latin1')) ?? [];
    const facts: Facts = JSON.parse(Buffer.from(content, 'base64url').toString());
    const [first = {}] = facts.entries ?? [];
    const render = (entries: NonNullable<Facts['entries']>, signature = jws) =>
      renderProof({ ...facts, entries }, async () => signature);
    const { kid } = JSON.parse(keys).keys[0];
    // The QR code of a long document.
    const withoutEntries = await sign({ ...facts, entries: null, sha256: 'abc' }, createPrivateKey(key.pem), kid);
    const forged = await render([{ ...first, nss: '04159600264' }]);
    const cases: readonly (readonly [Buffer | string, string])[] = [
      [
        await render([{ ...first, outcome: 'NOT_FOUND' }]),
        'changed at “Resultado”: it shows “Noencontrado”, but “Encontrado” was signed.',
      ],
      [forged, `“NSS”: it shows “04159600264”, but “${nss}” was signed.`],
      [Buffer.concat([Buffer.from('\n'), forged]), '“NSS”: it shows “04159600264”'],
      [await render([first, first]), 'changed at its end: “Asiento'],
      [await render([], withoutEntries), 'is not the file that padron made'],
      [await render([first]), 'is not the file that padron made'],
      [await render([first], `${jws.slice(0, -4)}AAAA`), 'is damaged or of another kind'],
      [signedByKey({ ...key, kid }, compliance), 'is damaged or of another kind'],
      [`${jws} and more`, 'is damaged or of another kind'],
      ['no signature', 'has no signature'],
    ];
    for (const [changed, message] of cases)
      expect(await verify(changed, keys)).toEqual([1, expect.stringContaining(message)]);
    const ofCode = /^proof.pdf is valid. Compare the signed facts below with the page:\n\n.*\nElaborado el: .*\nNSS: /s;
    expect(await verify(`\ufeff${jws}\r\n`, keys)).toEqual([0, expect.stringMatching(ofCode)]);
    const hash = '\nSHA-256 of the signature in the document: abc\n';
    expect(await verify(withoutEntries, keys)).toEqual([0, expect.stringContaining(hash)]);
    const [published] = JSON.parse(keys).keys;
    expect((await verify(document, JSON.stringify({ keys: [published, published] })))[0]).toBe(0);
    const withX = (x?: string) => JSON.stringify({ keys: [{ ...published, x }] });
    for (const damaged of ['no keys', '{"keys":[null]}', withX('AAAA'), withX(nextKey.jwk.x), withX()])
      expect(await verify(document, damaged)).toEqual([2, expect.stringContaining('jwks.json is not a copy of')]);
    for (const member of [{ use: 'enc' }, { alg: 'ES256' }])
      expect(await verify(document, JSON.stringify({ keys: [{ ...published, ...member }] }))).toEqual([
        1,
        expect.stringContaining('lacks the key'),
      ]);
    expect(await verify(document, `{"keys":[]}${' '.repeat(5_000_000)}`)).toEqual([
      2,
      'jwks.json is larger than 5 MB. No proof or key set is. Name the files that padron returned.\n',
    ]);
  });

  it('is not made for another person or account, an entry that does not exist, or a caller without the scopes', async () => {
    const errorOf = async (variables: object, claims = compliance as Claims, headers = {}) => {
      const { data, errors } = await askAs(padron, claims, make, { subject, ...variables }, headers);
      expect(data).toEqual({ registryProofDocument: null });
      return [errors?.[0].extensions.code, errors?.[0].message];
    };
    const refusals = [
      await errorOf({ id: `${entry.slice(0, -1)}Z` }),
      await errorOf({ id: entry, subject: { nss: stranger?.nss } }),
      await errorOf({ id: entry, subject: { nss, curp: person?.curp } }),
      await errorOf({ id: entry, actor: 'luis@example.mx' }),
      await errorOf({ reference: 'EXP-2' }),
      await errorOf({ id: entry }, compliance, { 'x-sandbox': 'true' }),
    ];
    expect(refusals).toEqual(Array(6).fill(['PROOF_NOT_FOUND', expect.stringContaining('every identifier')]));
    expect(await errorOf({})).toEqual(['BAD_USER_INPUT', expect.stringContaining('`id` or a `reference`')]);
    const [ledger, proofs] = ['padron_ledger', 'padron_proofs'].map((scope) => ({ azp: 'hr', scope }));
    expect((await errorOf({ id: entry }, ledger))[0]).toBe('FORBIDDEN');
    expect((await errorOf({ id: entry, actor: hr.sub }, proofs))[0]).toBe('FORBIDDEN');
    expect(padron.calls()).toEqual([]);
    const trail =
      '{ registryAudit(filter: { action: MAKE_PROOF }) { actions { scope outcome problem identifiers entries } } }';
    const by = { scope: 'padron_proofs', identifiers: ['nss'] };
    const made = { ...by, outcome: 'DONE', problem: null, entries: 2 };
    const refused = { ...by, outcome: 'REFUSED', problem: 'PROOF_NOT_FOUND', entries: null };
    expect((await askAs(padron, compliance, trail)).data.registryAudit.actions).toEqual(
      expect.arrayContaining([made, refused]),
    );
    await withPadron({ environment: { REGISTRY_URL: '' } }, async (sandbox) =>
      expect((await sandbox.ask(make, { subject, id: entry })).errors?.[0].extensions.code).toBe('PROOFS_OFF'),
    );
  });

  it('says how many entries of the person it lacks, because only other identifiers find them', async () => {
    const { nss: other, curp } = stranger ?? {};
    const scope = 'use_obtener_cuenta padron_find_identity';
    const both = `query { person(nss: "${other}", curp: "${curp}") { housingAccount { outcome } identity { outcome } } }`;
    await askAs(padron, { ...hr, scope }, both, {}, { 'x-reference': 'EXP-2' });
    const textOf = async (variables: object): Promise<string> => {
      const document = await proofOf({ subject: { nss: other }, reference: 'EXP-2', ...variables });
      const [code, text] = await verify(document, await publishedKeys());
      expect(code).toBe(0);
      return text;
    };
    expect(await textOf({ language: 'EN' })).toContain(
      '\nEntries: 1\nNot included: further entries of the person by other identifiers. CURP: 1\nKey ID: ',
    );
    expect(await textOf({ language: 'ES' })).toContain(
      '\nAsientos: 1\nSin incluir: otros asientos de la persona con otros datos. CURP: 1\nID de la llave: ',
    );
    expect(await textOf({ subject: { nss: other, curp }, language: 'EN' })).toContain('\nEntries: 2\nKey ID: ');
    const erase = `mutation { eraseRegistrySubject(subject: { nss: "${other}", curp: "${curp}" }) { entries } }`;
    expect((await askAs(padron, compliance, erase)).data.eraseRegistrySubject.entries).toBe(2);
  });

  it('is checked with old keys after a change of the key, and not made once the person is erased', async () => {
    const [before, keys] = [await proofOf({ id: entry }), await publishedKeys()];
    await padron.stop();
    padron = await start(`${nextKey.pem},${key.pem}`, {});
    const [after, newKeys] = [await proofOf({ id: entry }), await publishedKeys()];
    const published = [nextKey, key].map(({ jwk }) => ({ x: jwk.x, use: 'sig', alg: 'EdDSA' }));
    expect(JSON.parse(newKeys)).toEqual({ keys: published.map((each) => expect.objectContaining(each)) });
    expect([(await verify(before, newKeys))[0], (await verify(after, newKeys))[0]]).toEqual([0, 0]);
    expect(await verify(after, keys)).toEqual([1, expect.stringContaining('lacks the key')]);
    // Without their settings, the company is not named, and purposes are printed as they were sent.
    const [, text] = await verify(after, newKeys);
    const unnamed = ['Issuer: not stated', 'Public keys: jwks.json of the issuer', 'Purpose: hiring'];
    for (const line of unnamed) expect(text).toContain(`\n${line}\n`);
    const erase = 'mutation ($subject: RegistrySubjectInput!) { eraseRegistrySubject(subject: $subject) { entries } }';
    expect((await askAs(padron, compliance, erase, { subject })).data.eraseRegistrySubject).toEqual({ entries: 2 });
    const { errors } = await askAs(padron, compliance, make, { subject, id: entry });
    expect(errors?.[0].extensions.code).toBe('PROOF_NOT_FOUND');
    await padron.stop();
    // The sealed hashes are gone too.
    expect(await prepared.read((store) => store.query('SELECT kind FROM ledger_subjects'))).toEqual([]);
  });
});
