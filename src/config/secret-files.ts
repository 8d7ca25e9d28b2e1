import { readFileSync, statSync } from 'node:fs';
import { type Environment, type SettingsPart, secretNames } from './settings';

const ending = '_FILE';
const maxBytes = 65_536;

/** Names of the variables that name a file with a secret, as Docker and Kubernetes mount it. */
export const secretFileNames = (parts: readonly SettingsPart[]): readonly string[] =>
  secretNames(parts).map((name) => `${name}${ending}`);

/** Returns the environment with the secrets of their files, and the errors of these. */
export function readSecretFiles(environment: Environment, parts: readonly SettingsPart[]) {
  const errors: string[] = [];
  const secrets = secretNames(parts).flatMap((name) => {
    const variable = `${name}${ending}`;
    const path = environment[variable]?.trim();
    if (!path) return [];
    const isSet = (environment[name] ?? '').trim() !== '';
    const secret = isSet ? new Error(`and ${name} are both set. Remove one of them`) : readSecret(path);
    if (!(secret instanceof Error)) return [[name, secret] as const];
    errors.push(`${variable} ${secret.message}.`);
    return [];
  });
  const all = secrets.length === 0 ? environment : { ...environment, ...Object.fromEntries(secrets) };
  return { environment: all, errors };
}

/** Returns the text of a file, or an error with what is wrong with it. No error quotes the file. */
function readSecret(path: string): string | Error {
  try {
    const file = statSync(path);
    if (!file.isFile()) return new Error('is not a file. Set it to the path of a file with the secret');
    if (file.size > maxBytes)
      return new Error(`is larger than ${maxBytes} bytes. Set it to a file that has only the secret`);
    const secret = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)).trim();
    return secret === '' ? new Error('is an empty file. Write the secret into it, or remove the setting') : secret;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
      ? new Error('is not text in UTF-8. Write the secret as text')
      : new Error(`cannot be read (${code}). Set it to a file that padron may read`);
  }
}
