import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { Redis } from 'ioredis';
import type { TlsFiles } from '../keys/tls-files';
import { freePort } from '../processes/free-port';
import { startForTests } from '../start-for-tests';

export interface RedisOptions {
  readonly program?: string;
  /** Lines of its configuration file; what a test needs (port, folder) is added. */
  readonly configuration?: string;
  /** Lines of its ACL file; a user for the test itself is added. */
  readonly acl?: string;
  readonly password?: string;
  readonly tls?: TlsFiles;
  readonly port?: number;
  /** Further options of the command line: `['--maxmemory', '1mb']`. */
  readonly options?: readonly string[];
}

/** The commands that the server has received since then, word by word: but those that manage it, which it does not tell. */
export interface CommandCapture {
  stop(): Promise<string>;
}

/** A separate real server, which keeps nothing on disk and is reachable from this machine only. */
export interface RedisServer {
  readonly port: number;
  /** Without a user: that of the default one. */
  readonly url: string;
  /** Ends it as a power cut would; what it held is lost. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Suspends the process: connections stay open and get no answer. */
  hang(): void;
  resume(): void;
  /** A command by a user who may do anything. */
  command(name: string, ...values: readonly string[]): Promise<unknown>;
  capture(): Promise<CommandCapture>;
  /** Names of all commands that were run since its start, those within scripts too, those of the test too. */
  commands(): Promise<readonly string[]>;
  dump(): Promise<string>;
  keys(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** redis-server, or another program that takes its options: `REDIS_SERVER=valkey-server`. */
export const storeProgram = process.env.REDIS_SERVER ?? 'redis-server';

const tester = { name: 'tester', password: 'of-the-test' };

export function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

export function redisForTests(): RedisServer {
  return startForTests(startRedis, (redis) => redis.stop());
}

export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const { program = storeProgram, tls, password } = options;
  if (!isInstalled(program)) throw new Error(`${program} is not installed: apt-get install redis-server`);
  const folder = mkdtempSync(join(tmpdir(), 'padron-redis-'));
  const port = options.port ?? (await freePort());
  const commandLine = argumentsOf(options, folder, port);
  let child: ChildProcess | null = null;
  const kill = async (): Promise<void> => {
    const ending = child;
    child = null;
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill('SIGKILL');
    await ended;
  };
  const start = async (): Promise<void> => {
    child = await launch(program, commandLine);
  };
  await start();
  // A test that breaks off leaves no server behind.
  const killNow = (): void => void child?.kill('SIGKILL');
  process.once('exit', killNow);
  const credential = options.acl === undefined ? { password } : { username: tester.name, password: tester.password };
  const command = async (name: string, ...values: readonly string[]): Promise<unknown> => {
    const client = new Redis({
      port,
      host: '127.0.0.1',
      ...(credential.password === undefined ? {} : (credential as { password: string })),
      ...(tls === undefined ? {} : { tls: { ca: readFileSync(tls.authority) } }),
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    // The call itself rejects.
    client.on('error', () => undefined);
    try {
      return await client.call(name, ...values);
    } finally {
      client.disconnect();
    }
  };
  return {
    port,
    url: `${tls === undefined ? 'redis' : 'rediss'}://127.0.0.1:${port}`,
    kill,
    start,
    hang: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    command,
    capture: async () => {
      const socket =
        tls === undefined ? connect(port, '127.0.0.1') : connectTls({ port, ca: readFileSync(tls.authority) });
      return capture(socket, credential, command);
    },
    commands: async () => {
      const statistics = String(await command('INFO', 'commandstats'));
      return [...statistics.matchAll(/^cmdstat_(\S+):calls=[1-9]/gm)].map(([, name = '']) => name).sort();
    },
    dump: async () => {
      await command('SAVE');
      return readFileSync(join(folder, 'dump.rdb'), 'latin1');
    },
    keys: async () => (await command('KEYS', '*')) as string[],
    stop: async () => {
      process.removeListener('exit', killNow);
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function argumentsOf(options: RedisOptions, folder: string, port: number): readonly string[] {
  const { configuration, acl, password, tls } = options;
  const written = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const testerLine = `user ${tester.name} on >${tester.password} ~* &* +@all\n`;
  return [
    ...(configuration === undefined ? [] : [written('redis.conf', configuration)]),
    ...['--dir', folder, '--bind', '127.0.0.1', '--daemonize', 'no', '--logfile', ''],
    // A dump shall be readable.
    ...['--save', '', '--appendonly', 'no', '--rdbcompression', 'no'],
    ...(acl === undefined ? [] : ['--aclfile', written('users.acl', `${acl.trimEnd()}\n${testerLine}`)]),
    ...(password === undefined ? [] : ['--requirepass', password]),
    ...(tls === undefined
      ? ['--port', String(port)]
      : [
          ...['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no'],
          ...['--tls-cert-file', tls.certificate, '--tls-key-file', tls.key, '--tls-ca-cert-file', tls.authority],
        ]),
    ...(options.options ?? []),
  ];
}

/** Starts the program and waits until it takes connections; one that ends before fails with all that it said. */
async function launch(program: string, commandLine: readonly string[]): Promise<ChildProcess> {
  const child = spawn(program, commandLine, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      said += chunk.toString();
      if (said.includes('Ready to accept connections')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`${program} ended: ${said}`)));
    child.once('error', reject);
  });
  return child;
}

interface Credential {
  readonly username?: string;
  readonly password?: string | undefined;
}

async function capture(
  socket: Socket,
  { username = 'default', password }: Credential,
  command: RedisServer['command'],
): Promise<CommandCapture> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  if (password !== undefined) socket.write(`AUTH ${username} "${password}"\r\n`);
  const goal = password === undefined ? 1 : 2;
  socket.write('MONITOR\r\n');
  while (text.split('+OK').length - 1 < goal) await once(socket, 'data');
  return {
    stop: async () => {
      // When this command has been recorded, all earlier ones have been too.
      await command('ECHO', 'the end of it');
      while (!text.includes('the end of it')) await once(socket, 'data');
      socket.destroy();
      return text;
    },
  };
}
