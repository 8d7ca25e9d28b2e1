import { type ChildProcess, type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const BUILT = join(__dirname, '../../../dist');

export interface WatchedProcess {
  readonly child: ChildProcess;
  output(): string;
  standardOutput(): string;
  standardError(): string;
  /** Returns the output when it contains the text or the process has ended. */
  says(text: string): Promise<string>;
  ended(): Promise<number | null>;
  /** Sends SIGTERM, and SIGKILL if the process has not ended five seconds later. Returns the exit code. */
  stop(): Promise<number | null>;
}

export interface PadronProcess extends WatchedProcess {
  /** The graph's address, once it listens. */
  address(): Promise<string>;
}

/**
 * Starts a built program, as an operator does: it has these settings only, without the environment of this machine. Tests of the
 * projects `stores` and `long` find it built.
 */
export function startProcess(
  settings: Readonly<Record<string, string>>,
  { folder = __dirname, node = process.execPath, program = 'main.js' } = {},
): PadronProcess {
  const file = join(BUILT, program);
  if (!existsSync(file)) throw new Error('padron is not built here: npm run build');
  return padronIn(spawn(node, [file], { env: { PATH: process.env.PATH ?? '', ...settings }, cwd: folder }));
}

/** Starts padron by `npm start`, without building it. The signals of the test go to npm. */
export function startByNpm(settings: Readonly<Record<string, string>>): PadronProcess {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...settings };
  return padronIn(spawn('npm', ['start', '--ignore-scripts'], { env, cwd: join(BUILT, '..') }));
}

function padronIn(child: ChildProcessWithoutNullStreams): PadronProcess {
  const watched = watchProcess(child);
  const address = async () => {
    const said = await watched.says('/graphql\n');
    const [url] = /http:\S+\/graphql/.exec(said) ?? [];
    if (url === undefined) throw new Error(`padron has ended. It wrote:\n${said}`);
    return url;
  };
  return { ...watched, address };
}

export function watchProcess(child: ChildProcessWithoutNullStreams): WatchedProcess {
  const exit = once(child, 'close') as Promise<[number | null]>;
  const written = { all: '', stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (bytes: Buffer) => {
      written.all += bytes.toString();
      written[stream] += bytes.toString();
    });
  }
  const ended = async () => (await exit)[0];
  return {
    child,
    ended,
    output: () => written.all,
    standardOutput: () => written.stdout,
    standardError: () => written.stderr,
    says: async (text) => {
      while (!written.all.includes(text) && child.exitCode === null)
        await new Promise((resolve) => setTimeout(resolve, 20));
      return written.all;
    },
    stop: async () => {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
      const code = await ended();
      clearTimeout(late);
      return code;
    },
  };
}

/** The arguments of a printed call of curl, split by a real shell; curl itself need not be there. */
export async function argumentsOfCurl(printed: string): Promise<readonly string[]> {
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${printed}`;
  const { stdout } = await promisify(execFile)('sh', ['-c', script]);
  return stdout.split('\0').slice(0, -1);
}
