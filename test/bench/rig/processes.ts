import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process that answers messages by `id`. */
export class Peer {
  private next = 0;
  private readonly waiting = new Map<number, (reply: never) => void>();

  constructor(readonly child: ChildProcess) {
    child.on('message', (reply: { readonly id?: number }) => {
      if (reply.id === undefined) return;
      const resolve = this.waiting.get(reply.id) as ((reply: unknown) => void) | undefined;
      this.waiting.delete(reply.id);
      resolve?.(reply);
    });
  }

  ask<Reply>(message: object): Promise<Reply> {
    const id = this.next;
    this.next += 1;
    return new Promise<Reply>((resolve, reject) => {
      this.waiting.set(id, resolve as (reply: never) => void);
      this.child.send({ ...message, id }, (error) => error && reject(error));
    });
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    // Writing a profile takes time. Waiting for connections to end does not.
    const impatient = setTimeout(() => this.child.kill('SIGKILL'), 5_000);
    await exited;
    clearTimeout(impatient);
  }
}

/** One of the bench's own programs, in TypeScript. */
export function startProgram(name: string): Peer {
  const execArgv = ['--import', 'tsx', '--max-old-space-size=4096'];
  return new Peer(fork(join(__dirname, `${name}.ts`), { execArgv, serialization: 'advanced' }));
}

/** Measurements of a process. */
export interface Usage {
  readonly cpuMs: number;
  readonly rss: number;
  readonly peakRss: number;
  readonly loop: LoopFigures | null;
}

export interface LoopFigures {
  /** The most CPU between two ticks: the longest block that is this process's own doing. */
  readonly maxCpuMs: number;
}

/** A measured server in a separate process. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  usage(): Promise<Usage>;
  watch(): Promise<void>;
  endWatch(): Promise<LoopFigures>;
  end(): Promise<void>;
}

export interface Launch {
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

/** Starts a server with the probe in it and waits until it says where it listens. */
export async function startServer({ program, environment, flags = [] }: Launch): Promise<Server> {
  const env = { PATH: process.env.PATH ?? '', NODE_ENV: 'production', ...environment };
  const child = spawn(process.execPath, ['--require', join(__dirname, 'probe.cjs'), ...flags, program], {
    env,
    cwd: __dirname,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const peer = new Peer(child);
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    const hear = (bytes: Buffer): void => {
      said = (said + bytes.toString()).slice(-4_000);
      const found = /http:\S+\/graphql(?=\s)/.exec(said)?.[0];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}:\n${said}`)));
  }).catch(async (error: unknown) => {
    await peer.end();
    throw error;
  });
  return {
    url,
    pid: child.pid ?? 0,
    usage: () => peer.ask<Usage>({ ask: 'usage' }),
    watch: () => peer.ask<Usage>({ ask: 'watch' }).then(() => undefined),
    endWatch: async () => {
      const { loop } = await peer.ask<Usage>({ ask: 'endWatch' });
      if (loop === null) throw new Error('nothing was watched');
      return loop;
    },
    end: () => peer.end(),
  };
}
