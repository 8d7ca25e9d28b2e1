import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** A new RSA key of the size that the tax authority issues. */
export async function newKey(): Promise<KeyObject> {
  return (await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })).privateKey;
}

let shared: Promise<KeyObject> | undefined;

/** One key for the whole test file, for tests that do not depend on its owner. */
export function sharedKey(): Promise<KeyObject> {
  shared ??= newKey();
  return shared;
}
