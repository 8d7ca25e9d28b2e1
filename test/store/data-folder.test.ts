import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FolderLock, lockFolder } from '../../src/store/embedded/folder-lock';
import { readDataKeys } from '../../src/store/key-ring';
import { UnusableStoreError } from '../../src/store/store';

describe('the file with the keys of a data folder', () => {
  it.each([
    ['is empty', ''],
    ['has a blank line only', '  \n'],
    ['has one letter', 'a\n'],
    ['is cut', `${'k'.repeat(43)}\n${'k'.repeat(20)}`],
  ])('is not used if it %s, also beside secrets of the operator', (_what, text) => {
    const path = mkdtempSync(join(tmpdir(), 'padron-keys-'));
    writeFileSync(join(path, 'keys'), text);
    for (const secrets of [[], ['s'.repeat(32)]]) {
      const read = () => readDataKeys({ kind: 'folder', path }, secrets);
      expect(read).toThrow(UnusableStoreError);
      expect(read).toThrow(`${join(path, 'keys')} is damaged. Restore it from a backup`);
    }
  });
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'padron-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const taken = (lock: Awaited<ReturnType<typeof lockFolder>>): FolderLock => {
  if ('holder' in lock) throw new Error(`It is held by ${lock.holder}.`);
  return lock;
};

/** Abstract names are Linux's alone; files are everywhere. */
const platforms: readonly NodeJS.Platform[] = process.platform === 'linux' ? ['linux', 'darwin'] : ['darwin'];

describe.each(platforms)('a folder lock on %s', (platform) => {
  const lock = (path = folder) => lockFolder(path, platform);

  it('has one holder, who is named, whatever path leads to the folder', async () => {
    const first = taken(await lock());
    const path = join(folder, 'same');
    symlinkSync(folder, path);
    for (const each of [folder, path]) expect(await lock(each)).toEqual({ holder: `process ${process.pid}` });
    await first.release();
    await taken(await lock()).release();
  });

  it('leaves no file behind, whether it was acquired or not', async () => {
    const first = taken(await lock());
    const held = readdirSync(folder);
    await lock();
    expect(readdirSync(folder)).toEqual(held);
    await first.release();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a folder lock in a file', () => {
  const lock = () => lockFolder(folder, 'darwin');
  const holdAs = (pid: number | string): void => writeFileSync(join(folder, 'store.lock'), String(pid));
  let holder: ChildProcess;
  beforeEach(async () => {
    holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")']);
    if (holder.stdout !== null) await once(holder.stdout, 'data');
    holdAs(holder.pid ?? 0);
  });
  afterEach(() => void holder.kill('SIGKILL'));

  it('is held as long as the process lives, and taken over if it was killed', async () => {
    expect(await lock()).toEqual({ holder: `process ${holder.pid}` });
    const ended = once(holder, 'exit');
    holder.kill('SIGKILL');
    await ended;
    const own = taken(await lock());
    expect(await lock()).toEqual({ holder: `process ${process.pid}` });
    await own.release();
  });

  // A power cut leaves a file without what was written into it.
  it.each(['', 'nobody', '0', '-1'])('is taken over if the file names no process: %j', async (text) => {
    holdAs(text);
    await taken(await lock()).release();
    expect(readdirSync(folder)).toEqual([]);
  });
});
