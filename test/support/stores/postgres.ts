import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../processes/free-port';
import { waitUntil } from '../proxies/deferred';
import { copyPrepared } from './prepared';

/** Signals that also reach a stopped process. */
type FamilySignal = 'SIGKILL' | 'SIGSTOP' | 'SIGCONT';

/**
 * Sends a signal to a process and its children, each of which may lead a separate group, as those of PostgreSQL do. Returns their
 * IDs.
 */
function signalFamily(pid: number, name: FamilySignal): readonly number[] {
  // The process is stopped first, so that it starts no further child meanwhile.
  signal(pid, 'SIGSTOP');
  const family = [...childrenOf(pid), pid];
  for (const each of family) signal(each, name);
  return family;
}

/** Whether the process has ended. Its id may remain if its parent has not collected its exit status. */
function hasEnded(pid: number): boolean {
  const state = statusOf(pid)?.state;
  return state === undefined || state === 'Z' || state === 'X';
}

function childrenOf(parent: number): readonly number[] {
  const all = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  return all.map(Number).filter((pid) => statusOf(pid)?.parent === parent);
}

function statusOf(pid: number): { readonly state: string; readonly parent: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The values follow the name, which is in parentheses and may contain any character.
    const [state = '', parent = ''] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return null;
  }
}

/** A process that has ended meanwhile needs no signal. */
function signal(pid: number, name: FamilySignal): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const run = promisify(execFile);
const installed = '/usr/lib/postgresql';

/** A separate server in a temporary folder, on a free port. */
export interface PostgresCluster {
  /** The database in which a superuser manages the server. */
  readonly url: string;
  /** Its owner is a superuser, or a new role without its privileges. */
  createDatabase(owner?: string): Promise<string>;
  run(sql: string): Promise<void>;
  /** Stops the server as in a power failure, without notifying clients. */
  kill(): Promise<void>;
  /** Stops the server in order: it ends its connections, and keeps its unlogged tables. */
  stop(): Promise<void>;
  /** Stops answering, and keeps its connections: as a machine that hangs. */
  freeze(): void;
  thaw(): void;
  /** Answers readers, and refuses writers: as a standby that is not promoted yet. */
  setReadOnly(isReadOnly: boolean): Promise<void>;
  /** After `kill` or `stop`, on the same port with the same data. */
  start(): Promise<void>;
  /** Copies the data of a server that is stopped, or puts the copy in their place. */
  saveData(): Promise<void>;
  restoreData(): Promise<void>;
  remove(): Promise<void>;
}

/** Starts one, with further settings. It takes a second or two: see `shareDatabases` in engines.ts. */
export async function startPostgres(...further: readonly string[]): Promise<PostgresCluster> {
  const binaries = findBinaries();
  const folder = mkdtempSync(join(tmpdir(), 'padron-postgres-'));
  const user = await unprivilegedUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const identity = { cwd: folder, ...user };
  await copyPrepared('postgres', data, async (made) => {
    mkdirSync(made);
    if (user !== null) chownSync(made, user.uid, user.gid);
    const initialise = ['-D', made, '-U', 'padron', '-A', 'trust', '--no-sync', '--encoding=UTF8', '--locale=C'];
    await run(join(binaries, 'initdb'), initialise, identity);
  });
  const port = await freePort();
  const address = (database: string, user = 'padron'): string => `postgres://${user}@127.0.0.1:${port}/${database}`;
  // Committed data survives the processes, but not a failure of the machine.
  const settings = ['fsync=off', 'full_page_writes=off', 'shared_buffers=32MB', ...further];
  const options = [
    '-D',
    data,
    '-p',
    `${port}`,
    '-h',
    '127.0.0.1',
    '-k',
    '',
    ...settings.flatMap((each) => ['-c', each]),
  ];
  let server: ChildProcess | null = null;
  const signal = (name: FamilySignal): readonly number[] => {
    const pid = server?.pid;
    if (pid === undefined || server?.exitCode !== null || server.signalCode !== null) return [];
    return signalFamily(pid, name);
  };
  const end = async (): Promise<void> => {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, 'exit');
    const family = signal('SIGKILL');
    await exit;
    // The child processes end later, and use its memory and folder until then.
    await waitUntil(() => family.every(hasEnded));
    server = null;
  };
  const cluster: PostgresCluster = {
    url: address('postgres'),
    createDatabase: async (owner) => {
      const name = `padron_${randomUUID().replaceAll('-', '')}`;
      if (owner !== undefined) await cluster.run(`CREATE ROLE ${owner} LOGIN`);
      await cluster.run(`CREATE DATABASE ${name} OWNER ${owner ?? 'padron'}`);
      return address(name, owner);
    },
    run: (sql) => onServer(cluster.url, (client) => client.query(sql)),
    kill: end,
    stop: async () => {
      if (server === null) return;
      const exit = once(server, 'exit');
      server.kill('SIGINT');
      await exit;
      server = null;
    },
    freeze: () => void signal('SIGSTOP'),
    thaw: () => void signal('SIGCONT'),
    setReadOnly: async (isReadOnly) => {
      await cluster.run(`ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
      await cluster.run('SELECT pg_reload_conf()');
    },
    start: async () => {
      rmSync(join(data, 'postmaster.pid'), { force: true });
      server = spawn(join(binaries, 'postgres'), options, { ...identity, stdio: 'ignore' });
      await waitUntilReady(cluster.url, server);
    },
    saveData: async () => void (await run('cp', ['-a', data, `${data}-copy`])),
    restoreData: async () => {
      rmSync(data, { recursive: true });
      await run('mv', [`${data}-copy`, data]);
    },
    remove: async () => {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await cluster.start();
  return cluster;
}

export async function dumpDatabase(url: string, ...options: readonly string[]): Promise<string> {
  return (await run(join(findBinaries(), 'pg_dump'), [...options, url], { maxBuffer: 256e6 })).stdout;
}

function findBinaries(): string {
  const versions = existsSync(installed) ? readdirSync(installed) : [];
  const newest = versions.sort((left, right) => Number(right) - Number(left))[0];
  if (newest !== undefined) return join(installed, newest, 'bin');
  const onPath = (process.env.PATH ?? '').split(':').find((folder) => existsSync(join(folder, 'initdb')));
  if (onPath !== undefined) return onPath;
  throw new Error('These tests need the programs of PostgreSQL: `apt-get install postgresql` (CONTRIBUTING.md).');
}

/** PostgreSQL does not run as root. */
async function unprivilegedUser(): Promise<{ readonly uid: number; readonly gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const idOf = async (option: string, name: string): Promise<number> =>
    Number((await run('id', [option, name])).stdout.trim());
  const name = await run('id', ['-u', 'postgres']).then(
    () => 'postgres',
    () => 'nobody',
  );
  return { uid: await idOf('-u', name), gid: await idOf('-g', name) };
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 400 && server.exitCode === null; attempt += 1) {
    const isThere = await onServer(url, (client) => client.query('SELECT 1')).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The PostgreSQL of this test did not start.');
}

export async function onServer(url: string, use: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
