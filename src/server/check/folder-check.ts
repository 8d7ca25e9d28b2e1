import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../config/settings';
import { type CheckResult, failed, ok, skipped } from './check-result';

const name = 'data folder';

/** Writes a file into `DATA_DIR`, or into the folder in which padron would create it, and removes the file. */
export function checkFolder({ data: { store, folder, ledger } }: Config): CheckResult {
  const isUsed = store?.kind === 'folder' || (store?.kind === 'postgres' && ledger !== 'off');
  if (!isUsed) return skipped(name, 'padron stores nothing in DATA_DIR with these settings.');
  const place = findExisting(resolve(folder));
  const file = join(place, `.padron-check-${randomUUID()}`);
  try {
    writeFileSync(file, '', { flag: 'wx' });
    rmSync(file);
    return ok(name, place === resolve(folder) ? `${folder} can be written.` : `${folder} can be created.`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return failed(name, `${folder} cannot be written (${code}). Set DATA_DIR to a folder that this user can write.`);
  }
}

/** Returns the folder, or the nearest one above it that exists. */
const findExisting = (folder: string): string => (existsSync(folder) ? folder : findExisting(dirname(folder)));
