import { createDecipheriv } from 'node:crypto';
import { type Credential, checkCredential } from '../../../../src/graph/domains/tax/credential';
import { type Authority, type IssuedCredential, mintAuthority } from '../../../support/keys/authority';
import { integer, objectIdentifier, octets, sequence } from '../../../support/keys/der';
import { encryptAsTaxAuthority, encryptWithOldCipher } from '../../../support/keys/encrypted-key';
import { sharedKey } from '../../../support/keys/rsa-keys';
import { isWiped } from '../../../support/requests/watched-bytes';

const NOW = new Date('2026-11-20T12:00:00Z');
const PERSON = { rfc: 'CACX7605101P8', curp: 'CACX760510MGTSHC04', name: 'XOCHILT CASAS CHAVEZ' };

const refusals = async (credential: Credential) =>
  (await checkCredential(credential, NOW)).blockingProblems.map(({ code }) => code);
const warnings = async (credential: Credential) =>
  (await checkCredential(credential, NOW)).warnings.map(({ code }) => code);

describe('the private key of an e.firma, before a unit is spent', () => {
  let authority: Authority;
  let person: IssuedCredential;

  beforeAll(async () => {
    authority = await mintAuthority();
    person = await authority.issue(PERSON);
  });

  it('is rejected with the certificate of another key', async () => {
    const reissued = await authority.issue({ ...PERSON, ownKey: true });
    expect(await refusals({ ...person, privateKey: reissued.privateKey })).toEqual(['KEY_MISMATCH']);
  });

  it('is rejected as having a wrong password, whatever error OpenSSL gives', async () => {
    // One wrong password in 200 deciphers to something with the right padding; 400 are enough to meet it.
    for (let attempt = 0; attempt < 400; attempt += 1) {
      expect(await refusals({ ...person, password: `wrong-${attempt}` })).toEqual(['WRONG_PASSWORD']);
    }
  });

  it.each([
    ['nothing', ''],
    ['more than OpenSSL takes', 'x'.repeat(3_000)],
  ])('is rejected with a password of %s', async (_what, password) => {
    expect(await refusals({ ...person, password })).toEqual(['WRONG_PASSWORD']);
  });

  it('is rejected with its own message if the password ends with a line break', async () => {
    const { blockingProblems } = await checkCredential({ ...person, password: '12345678a\n' }, NOW);
    expect(blockingProblems).toMatchObject([{ code: 'WRONG_PASSWORD', message: expect.stringMatching(/line break/) }]);
  });

  it('opens with a password that ends with a blank if that is the password', async () => {
    expect(await refusals(await authority.issue({ ...PERSON, password: 'contraseña ' }))).toEqual([]);
  });

  it('opens as PEM', async () => {
    const base64 = person.privateKey.toString('base64').replace(/(.{64})/g, '$1\n');
    const pem = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${base64}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
    expect(await refusals({ ...person, privateKey: Buffer.from(pem) })).toEqual([]);
  });

  it('leaves no bytes of itself or of its password behind, opened or not', async () => {
    const base64 = encryptAsTaxAuthority(await sharedKey(), 'contraseña').toString('base64');
    const pem = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${base64}\n-----END ENCRYPTED PRIVATE KEY-----`;
    const texts = [`\n${base64}\n`, 'contrasena', 'contraseña', 'contraseña'.normalize('NFD')];
    const decipher = Object.getPrototypeOf(createDecipheriv('aes-128-cbc', Buffer.alloc(16), Buffer.alloc(16)));
    const spies = [jest.spyOn(Buffer, 'concat'), jest.spyOn(decipher, 'update'), jest.spyOn(decipher, 'final')];
    const from = jest.spyOn(Buffer, 'from');
    const credential = { ...person, privateKey: Buffer.from(pem) };
    await checkCredential({ ...credential, password: 'contraseña' }, NOW);
    await checkCredential({ ...credential, password: 'contrasena' }, NOW);
    const decoded = from.mock.results.filter((_, index) => texts.includes(String(from.mock.calls[index]?.[0])));
    const made = [...decoded, ...spies.flatMap(({ mock }) => mock.results)].map(({ value }): unknown => value);
    jest.restoreAllMocks();
    const buffers = made.filter((value): value is Buffer => Buffer.isBuffer(value) && value.length > 0);
    // The last block of the key may be empty.
    expect(buffers.length).toBeGreaterThanOrEqual(7);
    expect(buffers.filter((bytes) => !isWiped(bytes))).toEqual([]);
  });

  it('is refused when nothing encrypts it, in every form', async () => {
    const key = await sharedKey();
    const forms = [
      key.export({ type: 'pkcs8', format: 'der' }),
      key.export({ type: 'pkcs1', format: 'der' }),
      Buffer.from(key.export({ type: 'pkcs8', format: 'pem' })),
      Buffer.from(key.export({ type: 'pkcs1', format: 'pem' })),
    ];
    for (const privateKey of forms) expect(await refusals({ ...person, privateKey })).toEqual(['KEY_NOT_ENCRYPTED']);
  });

  it('is sent with a warning if its cipher is too old to be opened by padron', async () => {
    const credential = { ...person, privateKey: encryptWithOldCipher(await sharedKey(), '12345678a') };
    expect(await refusals(credential)).toEqual([]);
    expect(await warnings(credential)).toEqual(['UNSUPPORTED_CIPHER']);
  });

  it('is not opened if it is derived with scrypt, whose work cannot be estimated cheaply', async () => {
    const scrypt = sequence(objectIdentifier('2b06010401da47040b'), sequence(octets(Buffer.alloc(8)), integer(1)));
    const algorithm = sequence(objectIdentifier('2a864886f70d01050d'), sequence(scrypt, sequence()));
    const privateKey = sequence(algorithm, octets(Buffer.alloc(64)));
    expect(await warnings({ ...person, privateKey })).toEqual(['UNSUPPORTED_CIPHER']);
  });

  it.each([0, 1, 40, 700, -1])('is unreadable if it ends at byte %i', async (end) => {
    const privateKey = person.privateKey.subarray(0, end);
    expect(await refusals({ ...person, privateKey })).toEqual(['KEY_UNREADABLE']);
  });
});
