import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** What is held until it is released, or its process ends however that may be. */
export interface FolderLock {
  release(): Promise<void>;
}

const answerMs = 1_000;

/**
 * Takes a folder for this process. Null gives the lock; else the process that holds it, as far as it says. The name stands for the
 * folder itself, by whatever path it is reached.
 */
export async function lockFolder(
  folder: string,
  use = 'store',
  platform: NodeJS.Platform = process.platform,
): Promise<FolderLock | { readonly holder: string }> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { dev, ino } = statSync(folder);
  if (platform !== 'linux') return lockByFile(join(folder, `${use}.lock`));
  // An abstract name of Linux: the kernel gives it to one, and takes it back from whoever ends. Files would be left behind.
  const address = `\0padron-${use}-${dev}-${ino}`;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(String(process.pid));
  });
  const isOurs = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(address, () => resolve(true));
  });
  if (!isOurs) return { holder: await askHolder(address) };
  server.unref();
  return { release: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** The holder may be another program, or be stopped: it has a second to say who it is. */
function askHolder(address: string): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(address);
    const end = (): void => {
      socket.destroy();
      resolve(/^\d{1,10}$/.test(said) ? `process ${said}` : 'another process');
    };
    socket.setTimeout(answerMs, end);
    socket.on('data', (bytes) => {
      said += bytes.toString();
    });
    socket.on('error', end);
    socket.on('end', end);
  });
}

/** Elsewhere a file names the holder; one whose process is no more is taken over. */
function lockByFile(file: string): FolderLock | { readonly holder: string } {
  const own = `${file}.${randomUUID()}`;
  writeFileSync(own, String(process.pid));
  try {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        linkSync(own, file);
        return { release: async () => rmSync(file, { force: true }) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = Number(readFileSync(file, 'utf8'));
      if (isAlive(holder)) return { holder: `process ${holder}` };
      rmSync(file, { force: true });
    }
    return { holder: 'another process' };
  } finally {
    rmSync(own, { force: true });
  }
}

function isAlive(pid: number): boolean {
  // These mean a whole group of processes.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
