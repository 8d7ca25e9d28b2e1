import { Semaphore } from '../../run/semaphore';

/** Maximum children that read workbooks at the same time. Each takes memory: see docs/batch.md. */
const maxReaders = 2;
const readers = new Semaphore(maxReaders);
/** The owners that read or wait, each with one reader at most, so that nobody waits for all files of another owner. */
const owners = new Map<string, { readonly turn: Semaphore; uploads: number }>();

/** Resolves when the owner may read a workbook. The caller must call the returned function once, when it has been read. */
export async function acquireReader(owner: string): Promise<() => void> {
  const own = owners.get(owner) ?? { turn: new Semaphore(1), uploads: 0 };
  owners.set(owner, own);
  own.uploads += 1;
  await own.turn.acquire();
  await readers.acquire();
  return () => {
    readers.release();
    own.turn.release();
    own.uploads -= 1;
    if (own.uploads === 0) owners.delete(owner);
  };
}
