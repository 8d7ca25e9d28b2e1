import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Fills a new folder with a copy of one that takes seconds to make. The first worker that needs it makes it, once for a run of jest: see
 * global-setup.cjs. Benchmarks make it each time.
 */
export async function copyPrepared(
  name: string,
  target: string,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = process.env.PADRON_PREPARED;
  if (folder === undefined) return make(target);
  const prepared = join(folder, name);
  if (!existsSync(prepared)) {
    const unfinished = `${prepared}.${randomUUID()}`;
    await make(unfinished);
    await rename(unfinished, prepared).catch((error: unknown) => {
      // Another worker was faster, and its folder is as good.
      if (!existsSync(prepared)) throw error;
      return rm(unfinished, { recursive: true });
    });
  }
  // `cp` keeps the owner, and takes a third of the time of `fs.cp`.
  await promisify(execFile)('cp', ['-Rp', prepared, target]);
}
