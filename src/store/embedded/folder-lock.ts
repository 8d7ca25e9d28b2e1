import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** A lock that is held until it is released or its process ends, even if the process is killed. */
export interface FolderLock {
  release(): Promise<void>;
}

const answerMs = 1_000;

/**
 * Locks a folder for this process. Returns the lock, or a description of the process that holds it. The lock applies to the folder
 * itself, whatever path leads to it.
 */
export async function lockFolder(
  folder: string,
  use = 'store',
  platform: NodeJS.Platform = process.platform,
): Promise<FolderLock | { readonly holder: string }> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { dev, ino } = statSync(folder);
  if (platform !== 'linux') return lockByFile(join(folder, `${use}.lock`));
  // The kernel gives an abstract socket name of Linux to one process and releases it when that process ends. A file would be left behind.
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

/** Asks the holder for its process id. The holder may be another program, or stopped, so it has a second to answer. */
function askHolder(address: string): Promise<string> {
  return new Promise((resolve) => {
    let reply = '';
    const socket = connect(address);
    const end = (): void => {
      socket.destroy();
      resolve(/^\d{1,10}$/.test(reply) ? `process ${reply}` : 'another process');
    };
    socket.setTimeout(answerMs, end);
    socket.on('data', (bytes) => {
      reply += bytes.toString();
    });
    socket.on('error', end);
    socket.on('end', end);
  });
}

/** Locks with a file that contains the holder's process id. Takes over the lock of a process that has ended. */
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
  // Other numbers address a group of processes.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
