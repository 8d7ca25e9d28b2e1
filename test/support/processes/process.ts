import { type ChildProcess, type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const BUILT = join(__dirname, '../../../dist');

export interface PadronProcess {
  readonly child: ChildProcess;
  output(): string;
  standardOutput(): string;
  /** Returns the output when it contains the text or the process has ended. */
  says(text: string): Promise<string>;
  /** The graph's address, once it listens. */
  address(): Promise<string>;
  ended(): Promise<number | null>;
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
  return watch(spawn(node, [file], { env: { PATH: process.env.PATH ?? '', ...settings }, cwd: folder }));
}

/** Starts padron by `npm start`, without building it. The signals of the test go to npm. */
export function startByNpm(settings: Readonly<Record<string, string>>): PadronProcess {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...settings };
  return watch(spawn('npm', ['start', '--ignore-scripts'], { env, cwd: join(BUILT, '..') }));
}

function watch(child: ChildProcessWithoutNullStreams): PadronProcess {
  const exit = once(child, 'close');
  let written = '';
  let standardOutput = '';
  const grew = (bytes: Buffer): void => {
    written += bytes.toString();
  };
  child.stdout.on('data', grew);
  child.stdout.on('data', (bytes: Buffer) => {
    standardOutput += bytes.toString();
  });
  child.stderr.on('data', grew);
  const says = async (text: string): Promise<string> => {
    while (!written.includes(text) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
    return written;
  };
  return {
    child,
    output: () => written,
    standardOutput: () => standardOutput,
    says,
    address: async () => /http:\S+\/graphql/.exec(await says('/graphql\n'))?.[0] ?? '',
    ended: async () => {
      const [code] = (await exit) as [number | null];
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
