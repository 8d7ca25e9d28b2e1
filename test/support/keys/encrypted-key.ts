import { createCipheriv, createHash, type KeyObject, pbkdf2Sync } from 'node:crypto';
import { integer, objectIdentifier, octets, sequence } from './der';

/** PBES2 with PBKDF2 (HMAC-SHA1, 2,048 iterations) and triple DES, salt and IV as the tax authority's program writes them. */
export function encryptAsTaxAuthority(
  key: KeyObject | Buffer,
  password: string | Buffer,
  iterations = 2048,
  digest: 'sha1' | 'sha224' = 'sha1',
): Buffer {
  const salt = Buffer.from('0201000282010100', 'hex');
  const iv = Buffer.from('308204bd02010030', 'hex');
  // The iteration count is written into the file unchecked, so that a test can claim a very large one.
  const secret = pbkdf2Sync(password, salt, Math.min(iterations, 2048), 24, digest);
  const prf = digest === 'sha1' ? [] : [sequence(objectIdentifier('2a864886f70d0208'))];
  const derivation = sequence(
    objectIdentifier('2a864886f70d01050c'),
    sequence(octets(salt), integer(iterations), ...prf),
  );
  const encryption = sequence(objectIdentifier('2a864886f70d0307'), octets(iv));
  const algorithm = sequence(objectIdentifier('2a864886f70d01050d'), sequence(derivation, encryption));
  return sequence(algorithm, octets(tripleDes(pkcs8(key), secret, iv)));
}

/** PBES1 with MD5 and DES, which OpenSSL 3 no longer opens: DES is triple DES with three equal keys. */
export function encryptWithOldCipher(key: KeyObject, password: string): Buffer {
  const salt = Buffer.from('7c2d2d66591bc571', 'hex');
  let derived: Buffer = Buffer.concat([Buffer.from(password), salt]);
  for (let round = 0; round < 2048; round += 1) derived = createHash('md5').update(derived).digest();
  const des = derived.subarray(0, 8);
  const encrypted = tripleDes(pkcs8(key), Buffer.concat([des, des, des]), derived.subarray(8));
  return sequence(
    sequence(objectIdentifier('2a864886f70d010503'), sequence(octets(salt), integer(2048))),
    octets(encrypted),
  );
}

/** Bytes are taken for a key in PKCS #8, whatever they are. */
function pkcs8(key: KeyObject | Buffer): Buffer {
  return Buffer.isBuffer(key) ? key : key.export({ type: 'pkcs8', format: 'der' });
}

function tripleDes(plain: Buffer, secret: Buffer, iv: Buffer): Buffer {
  const cipher = createCipheriv('des-ede3-cbc', secret, iv);
  return Buffer.concat([cipher.update(plain), cipher.final()]);
}
