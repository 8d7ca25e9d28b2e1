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
  platform: NodeJS.Platform = process.platform,
): Promise<FolderLock | { readonly holder: string }> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { dev, ino } = statSync(folder);
  if (platform !== 'linux') return lockByFile(join(folder, 'store.lock'));
  // Linux gives an abstract socket name to one process, and releases it when that process ends. A file would remain.
  const address = `\0padron-store-${dev}-${ino}`;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(String(process.pid));
  });
  const isLocked = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(address, () => resolve(true));
  });
  if (!isLocked) return { holder: await describeHolder(address) };
  server.unref();
  return { release: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Returns a description of the process that holds a lock. It has a second to respond, because it may be another program, or suspended. */
function describeHolder(address: string): Promise<string> {
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
  const temporary = `${file}.${randomUUID()}`;
  writeFileSync(temporary, String(process.pid));
  try {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        linkSync(temporary, file);
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
    rmSync(temporary, { force: true });
  }
}

function isAlive(pid: number): boolean {
  // Zero and negative numbers address groups of processes.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
