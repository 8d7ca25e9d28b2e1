import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type PdfProblem = 'UNREADABLE' | 'TOO_LARGE' | 'TOO_LONG' | 'TOO_SLOW';

export interface PdfText {
  /** All lines in the order of the pages, each with one or more cells. */
  readonly lines: readonly (readonly string[])[];
  /** The same text in the order in which it was drawn, so that a stamp across a page is in one piece. */
  readonly drawn: string;
}

export type PdfReading = PdfText | { readonly problem: PdfProblem };

const maxBytes = 5_000_000;
const maxProcesses = 2;

interface Job {
  readonly bytes: Buffer;
  readonly resolve: (reading: PdfReading) => void;
}

/**
 * Reads the text of PDFs in child processes, so that a hostile document cannot block or crash this process: V8 aborts the whole process
 * if one of its threads runs out of memory. The first document starts a child. A child ends after it has been idle for a while, and it
 * does not keep this process running.
 */
export class PdfTextReader {
  /** Readings by document, so that a document that is used several times is read once. */
  private readonly readings = new WeakMap<Buffer, Promise<PdfReading>>();
  private readonly processes = new Set<ReadingProcess>();
  /** Documents that wait for a child. Their number is not limited, because they belong to paid answers that are in memory anyway. */
  private waiting: readonly Job[] = [];

  get processCount(): number {
    return this.processes.size;
  }

  read(bytes: Buffer): Promise<PdfReading> {
    const existing = this.readings.get(bytes);
    if (existing !== undefined) return existing;
    if (bytes.length > maxBytes) return Promise.resolve({ problem: 'TOO_LARGE' });
    const reading = new Promise<PdfReading>((resolve) => {
      this.waiting = [...this.waiting, { bytes, resolve }];
    });
    this.readings.set(bytes, reading);
    this.next();
    return reading;
  }

  async close(): Promise<void> {
    for (const { resolve } of this.waiting) resolve({ problem: 'UNREADABLE' });
    this.waiting = [];
    await Promise.all([...this.processes].map((child) => child.end()));
  }

  private next(): void {
    const idle = [...this.processes].find(({ isIdle }) => isIdle);
    if (idle === undefined && this.processes.size >= maxProcesses) return;
    const [job, ...rest] = this.waiting;
    if (job === undefined) return;
    this.waiting = rest;
    void this.readIn(idle, job.bytes).then((reading) => {
      job.resolve(reading);
      this.next();
    });
  }

  private async readIn(idle: ReadingProcess | undefined, bytes: Buffer): Promise<PdfReading> {
    try {
      return await (idle ?? this.startProcess()).read(bytes);
    } catch {
      // The machine may be unable to start a process. The answer that contains the document was paid for and is still returned.
      return { problem: 'UNREADABLE' };
    }
  }

  private startProcess(): ReadingProcess {
    const child = new ReadingProcess(() => this.processes.delete(child));
    this.processes.add(child);
    return child;
  }
}

/** Time limit for one document. It includes the start of a new process. */
const maxReadingMs = 10_000;
const maxIdleMs = 30_000;
/** Memory limits of the child. V8 aborts a process that exceeds its heap, so the child only reads documents. */
const memoryLimits = ['--max-old-space-size=96', '--max-semi-space-size=16'];

class ReadingProcess {
  private readonly child: ChildProcess;
  private finish: ((reading: PdfReading) => void) | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly onEnd: () => void) {
    this.child = fork(join(__dirname, 'child.mjs'), [], {
      execArgv: memoryLimits,
      // The child receives only the document: no settings, no secrets, no terminal.
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.child.on('message', (reading: PdfReading) => this.settle(reading));
    this.child.on('error', () => this.settleAfterEnd());
    this.child.on('exit', () => this.settleAfterEnd());
    this.child.unref();
    this.child.channel?.unref();
  }

  get isIdle(): boolean {
    return this.finish === null;
  }

  read(bytes: Buffer): Promise<PdfReading> {
    return new Promise((resolve) => {
      this.finish = resolve;
      this.setTimer(maxReadingMs, () => this.settle({ problem: 'TOO_SLOW' }));
      // If the child has just died, its exit settles the reading.
      this.child.send(bytes, () => undefined);
    });
  }

  async end(): Promise<void> {
    this.onEnd();
    clearTimeout(this.timer);
    if (this.child.exitCode !== null || this.child.signalCode !== null || this.child.pid === undefined) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }

  private settle(reading: PdfReading): void {
    const { finish } = this;
    this.finish = null;
    // A rejected document may have left state in the library, so its child is not reused.
    if ('problem' in reading) void this.end();
    else this.setTimer(maxIdleMs, () => void this.end());
    finish?.(reading);
  }

  /** Reports the document as unreadable after the child ended, for example because it exceeded the memory limit. */
  private settleAfterEnd(): void {
    this.onEnd();
    clearTimeout(this.timer);
    this.finish?.({ problem: 'UNREADABLE' });
    this.finish = null;
  }

  private setTimer(ms: number, onTime: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(onTime, ms);
    this.timer.unref();
  }
}
