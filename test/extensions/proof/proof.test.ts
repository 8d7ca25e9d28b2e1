import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { renderProof, signatureName } from '../../../src/extensions/proof/document';
import type { Facts } from '../../../src/extensions/proof/facts';
import { OTHER_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import { people } from '../../../src/extensions/sandbox/data/people';
import { PdfTextReader } from '../../../src/graph/core/files/pdf-text-reader';
import { findOrThrow } from '../../support/find-or-throw';
import { ed25519Key, signedBySecret } from '../../support/keys/identity-provider';
import { CREDIT } from '../../support/operations/people-endpoints';
import { type PreparedPadron, preparePadron } from '../../support/padrons/ledger';
import type { RunningPadron } from '../../support/padrons/padron';
import { withPadron } from '../../support/padrons/with-padron';
import { padronCommand } from '../../support/processes/padron-command';
import { startProxy, type TamperingProxy } from '../../support/proxies/tampering-proxy';
import { engineRig } from '../../support/stores/engines';

const SECRET = 'a-secret-shared-with-the-identity-provider';
const [key, nextKey] = [ed25519Key('first'), ed25519Key('next')];
const settings = { REGISTRY_TOKEN: OTHER_TOKEN, JWT_SECRET: SECRET, PURPOSES: 'hiring', REPLAY_SECONDS: '60' };
const person = findOrThrow(people, ({ credit, licences }) => Boolean(credit) && licences.length > 0);
const stranger = findOrThrow(people, ({ nss, credit }) => nss !== person.nss && Boolean(credit));
const [hr, compliance] = [
  { azp: 'hr', sub: 'ana@example.mx', scope: 'use_buscar_credito padron_find_identity' },
  { azp: 'compliance', scope: 'padron_proofs padron_audit padron_erase' },
];
const check =
  'query ($nss: NSS!, $curp: CURP) { person(nss: $nss, curp: $curp) { credit { outcome problems { code } evidence { ledgerId validationCode } } } }';
const make = `query ($subject: RegistrySubjectInput!, $id: ID, $reference: String, $actor: String, $language: RegistryProofLanguage) {
  registryProofDocument(subject: $subject, id: $id, reference: $reference, actor: $actor, language: $language) { filename contentType sizeBytes url content }
}`;

describe('a proof as a document', () => {
  const rig = engineRig();
  const folder = mkdtempSync(join(tmpdir(), 'padron-proofs-'));
  let prepared: PreparedPadron;
  let proxy: TamperingProxy;
  let padron: RunningPadron;
  let received: Buffer;
  let target = '';
  let entry = '';

  const start = (keys: string): Promise<RunningPadron> => {
    const registryUrl = ({ url }: { readonly url: string }): string => {
      target = url;
      return proxy.url;
    };
    return prepared.start({ registryUrl, environment: { PROOF_KEY: keys } });
  };
  const ask = (claims: object, query: string, variables: object, headers: Readonly<Record<string, string>> = {}) =>
    padron.ask(query, { ...variables }, { authorization: `Bearer ${signedBySecret(SECRET, claims)}`, ...headers });
  const credit = async (variables: object, headers: Readonly<Record<string, string>>): Promise<string> =>
    (await ask(hr, check, variables, headers)).data.person.credit.evidence.ledgerId;
  const proofOf = async (variables: object): Promise<Buffer> => {
    const { data, errors } = await ask(compliance, make, variables);
    expect(errors).toBeUndefined();
    const { content, ...file } = data.registryProofDocument;
    const bytes = Buffer.from(content, 'base64');
    const filename = expect.stringMatching(/^padron-proof-\w{26}\.pdf$/);
    expect(file).toEqual({ filename, contentType: 'application/pdf', sizeBytes: bytes.length, url: null });
    return bytes;
  };
  const save = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const publishedKeys = async (): Promise<string> =>
    (await request(new URL('/.well-known/jwks.json', padron.url))).body.text();
  /** Runs the built command, which has no store and no server. Returns its output without the folder. */
  const verify = async (document: string | Buffer, keys: string): Promise<readonly [code: number, text: string]> => {
    const args = ['verify', save('proof.pdf', document), '--keys', save('jwks.json', keys)];
    const { code, output, text } = await padronCommand(args);
    return [code, (output + text).replaceAll(`${folder}/`, '')];
  };
  const signatureOf = async (document: Buffer): Promise<string> => {
    const reader = new PdfTextReader();
    const reading = await reader.read(document, signatureName);
    await reader.close();
    return Buffer.from('lines' in reading && reading.attachment !== null ? reading.attachment : []).toString();
  };
  const factsIn = (jws: string): Facts => JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString());

  beforeAll(async () => {
    proxy = await startProxy(() => target);
    proxy.tamper(({ bytes }) => {
      received = bytes;
      return null;
    });
    prepared = await preparePadron(rig, settings);
    padron = await start(key.pem);
    entry = await credit({ nss: person.nss }, { 'x-reference': 'EXP-1', 'x-purpose': 'hiring' });
    await credit({ nss: person.nss, curp: stranger.curp }, { 'x-reference': 'EXP-1' });
    expect(padron.calls()).toEqual([CREDIT]);
  });
  afterAll(async () => {
    await proxy.close();
    rmSync(folder, { recursive: true });
  });

  it('says what was asked, when, by whom and with which result, in Spanish, and the command prints it', async () => {
    const document = await proofOf({ subject: { nss: person.nss }, id: entry, actor: hr.sub, language: 'ES' });
    if (process.env.PROOF_SAMPLES) writeFileSync(`${process.env.PROOF_SAMPLES}/es.pdf`, document);
    const [code, text] = await verify(document, await publishedKeys());
    const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}-06:00/g;
    expect([code, text.replace(time, 'TIME').split('\n')]).toEqual([
      0,
      [
        ...['proof.pdf is valid. Signed facts:', ''],
        ...[
          expect.stringMatching(/^Documento: \w{26}$/),
          'Elaborado el: TIME',
          `Servicio: ${proxy.url}`,
          'Asientos: 1',
        ],
        ...[`Asiento: ${entry}`, `NSS: ${person.nss}`, `Consulta (endpoint): ${CREDIT}`],
        ...['Fecha y hora de la consulta: TIME', 'Llamada al servicio el: TIME', 'Resultado: Encontrado'],
        ...['Problema: IDENTITY_CONFLICT', 'Estado HTTP: 200', expect.stringMatching(/^Código de validación: \S+$/)],
        ...['Origen de la respuesta: Consulta nueva', 'Cobro: Cobrado', 'Unidades: 1', 'Finalidad: hiring'],
        ...['Aplicación que consultó: hr', `Persona que consultó: ${hr.sub}`],
        `SHA-256 de la respuesta recibida: ${createHash('sha256').update(received).digest('hex')}`,
        ...['', `SHA-256 of proof.pdf: ${createHash('sha256').update(document).digest('hex')}`, ''],
      ],
    ]);
  });

  it('has all entries of the person under a reference, with the age of a reused answer, in English', async () => {
    const document = await proofOf({ subject: { nss: person.nss }, reference: 'exp-1', language: 'EN' });
    if (process.env.PROOF_SAMPLES) writeFileSync(`${process.env.PROOF_SAMPLES}/en.pdf`, document);
    const [code, text] = await verify(document, await publishedKeys());
    expect(code).toBe(0);
    expect(text).toMatch(/\nReference: exp-1\nEntries: 2\nLedger entry: /);
    expect(text).toMatch(
      /\nSource of the answer: LIVE\n[^]*\nAge of the reused answer, in seconds: \d\n[^]*\nSource of the answer: REPLAY\n/,
    );
    expect(text.match(/SHA-256 of the received answer: (\w{64})\n/g)).toHaveLength(2);
    expect(await signatureOf(document)).not.toContain(Buffer.from(person.curp).toString('base64url'));
  });

  it('is refused with the fact that was changed, and if its signature or its key is another one', async () => {
    const [document, keys] = [
      await proofOf({ subject: { nss: person.nss }, id: entry, language: 'ES' }),
      await publishedKeys(),
    ];
    const jws = await signatureOf(document);
    const facts = factsIn(jws);
    const [first = {}] = facts.entries;
    const rendered = (changed: Partial<Facts>, signature = jws): Promise<Buffer> =>
      renderProof({ ...facts, ...changed }, { published: { keys: [] }, sign: async () => signature });
    expect(await verify(await rendered({}), keys)).toMatchObject([0, expect.stringContaining('is valid')]);
    const other = `${jws.slice(0, -4)}AAAA`;
    const cases: readonly (readonly [Buffer | string, string])[] = [
      [
        await rendered({ entries: [{ ...first, outcome: 'NOT_FOUND' }] }),
        'was changed at “Resultado”: it shows “Noencontrado”, but “Encontrado” was signed.',
      ],
      [
        await rendered({ entries: [{ ...first, nss: stranger.nss }] }),
        `was changed at “NSS”: it shows “${stranger.nss}”, but “${person.nss}” was signed.`,
      ],
      [await rendered({ entries: [{ ...first, problem: null }] }), 'was changed at “Problema”'],
      [await rendered({ entries: [first, first] }), 'was changed at its end: “Asiento'],
      [await rendered({ entries: [] }), 'was changed at “Asiento”'],
      [await rendered({}, other), 'is not valid: its signature is damaged.'],
      [other, 'is not valid: its signature is damaged.'],
      [signedBySecret(SECRET, compliance), 'lacks the key'],
    ];
    for (const [changed, message] of cases)
      expect(await verify(changed, keys)).toEqual([1, expect.stringContaining(message)]);
    expect(await verify(jws, keys)).toMatchObject([0, expect.stringContaining('Resultado: Encontrado')]);
    expect(await verify(document, JSON.stringify({ keys: [nextKey.jwk] }))).toMatchObject([
      1,
      expect.stringContaining('lacks the key'),
    ]);
    expect((await verify(document, 'no keys'))[0]).toBe(2);
  });

  it('is not made for another person, another account, an entry that does not exist, or a caller without the scopes', async () => {
    const codeOf = async (variables: object, headers = {}, claims: object = compliance) => {
      const { data, errors } = await ask(claims, make, variables, headers);
      expect(data).toEqual({ registryProofDocument: null });
      return errors?.map(({ message, extensions }) => [extensions.code, message]);
    };
    const subject = { nss: person.nss };
    const missing = [['PROOF_NOT_FOUND', expect.stringContaining('linked to every identifier')]];
    const refusals = [
      await codeOf({ subject, id: `${entry.slice(0, -1)}Z` }),
      await codeOf({ subject: { nss: stranger.nss }, id: entry }),
      await codeOf({ subject: { nss: person.nss, curp: person.curp }, id: entry }),
      await codeOf({ subject, id: entry, actor: 'luis@example.mx' }),
      await codeOf({ subject, reference: 'EXP-2' }),
      await codeOf({ subject, id: entry }, { 'x-sandbox': 'true' }),
    ];
    expect(refusals).toEqual(refusals.map(() => missing));
    expect(await codeOf({ subject })).toEqual([['BAD_USER_INPUT', expect.stringContaining('`id` or a `reference`')]]);
    expect(await codeOf({ subject, id: entry }, {}, { azp: 'hr', scope: 'padron_ledger' })).toEqual([
      ['FORBIDDEN', expect.any(String)],
    ]);
    expect(await codeOf({ subject, id: entry, actor: hr.sub }, {}, { azp: 'hr', scope: 'padron_proofs' })).toEqual([
      ['FORBIDDEN', expect.any(String)],
    ]);
    expect(padron.calls()).toEqual([]);
    const trail = await ask(
      compliance,
      '{ registryAudit(filter: { action: MAKE_PROOF }) { actions { outcome problem scope identifiers entries } } }',
      {},
    );
    const by = { scope: 'padron_proofs', identifiers: ['nss'] };
    expect(trail.data.registryAudit.actions).toEqual(
      expect.arrayContaining([
        { ...by, outcome: 'DONE', problem: null, entries: 2 },
        { ...by, outcome: 'REFUSED', problem: 'PROOF_NOT_FOUND', entries: null },
      ]),
    );
    await withPadron({ environment: { REGISTRY_URL: '' } }, async (sandbox) => {
      const { errors } = await sandbox.ask(make, { subject, id: entry });
      expect(errors?.[0].extensions.code).toBe('PROOFS_OFF');
    });
  });

  it('is checked with old keys after a change of the key, and not made once the person is erased', async () => {
    const [subject, keys] = [{ nss: person.nss }, await publishedKeys()];
    const before = await proofOf({ subject, id: entry });
    await padron.stop();
    padron = await start(`${nextKey.pem},${key.pem}`);
    const [after, newKeys] = [await proofOf({ subject, id: entry }), await publishedKeys()];
    expect(JSON.parse(newKeys).keys).toMatchObject(
      [nextKey, key].map(({ jwk }) => ({ x: jwk.x, use: 'sig', alg: 'EdDSA' })),
    );
    expect([await verify(before, newKeys), await verify(after, newKeys)].map(([code]) => code)).toEqual([0, 0]);
    expect(await verify(after, keys)).toMatchObject([1, expect.stringContaining('lacks the key')]);
    const erase = 'mutation ($subject: RegistrySubjectInput!) { eraseRegistrySubject(subject: $subject) { entries } }';
    expect((await ask(compliance, erase, { subject })).data.eraseRegistrySubject).toEqual({ entries: 2 });
    expect((await ask(compliance, make, { subject, id: entry })).errors?.[0].extensions.code).toBe('PROOF_NOT_FOUND');
    await padron.stop();
    const left = await prepared.read((store) => store.query('SELECT kind FROM ledger_subjects'));
    expect(left).toEqual([]);
  });
});
