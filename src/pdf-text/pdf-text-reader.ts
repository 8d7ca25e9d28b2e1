import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** What a document may take of the thread that reads it. */
export interface PdfLimits {
  readonly maxPages: number;
  readonly maxCharacters: number;
  /** Of the buffers that its streams are unpacked into, all together. */
  readonly maxBufferBytes: number;
}

/** Why a PDF has no text for us. */
export type PdfProblem = 'UNREADABLE' | 'TOO_LARGE' | 'TOO_LONG' | 'TOO_SLOW';

/** A PDF's lines as they stand on its pages, each of one or more cells; whole, or not at all. */
export type PdfReading = { readonly lines: readonly (readonly string[])[] } | { readonly problem: PdfProblem };

const limits: PdfLimits = { maxPages: 60, maxCharacters: 300_000, maxBufferBytes: 64_000_000 };
const maxBytes = 5_000_000;
const maxThreads = 2;
/** The library has to be loaded within it too, where a thread is new. */
const maxReadingMs = 10_000;
const maxIdleMs = 30_000;
const heapLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 };

interface Job {
  readonly bytes: Buffer;
  readonly resolve: (reading: PdfReading) => void;
}

/**
 * Reads the text of PDFs in threads of their own, so that a hostile one costs this process neither its time nor its memory. The
 * threads are started by the first document, and end when none has come for a while: they hold no process open.
 */
export class PdfTextReader {
  /** A document that serves several times is read once. */
  private readonly readings = new WeakMap<Buffer, Promise<PdfReading>>();
  private readonly threads = new Set<ReadingThread>();
  /** Each of them is an answer that was paid for, and whose bytes are held anyway. */
  private waiting: readonly Job[] = [];

  /** How many threads there are. */
  get threadCount(): number {
    return this.threads.size;
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
    await Promise.all([...this.threads].map((thread) => thread.end()));
  }

  private next(): void {
    const idle = [...this.threads].find(({ isIdle }) => isIdle);
    if (idle === undefined && this.threads.size >= maxThreads) return;
    const [job, ...rest] = this.waiting;
    if (job === undefined) return;
    this.waiting = rest;
    void this.readIn(idle, job.bytes).then((reading) => {
      job.resolve(reading);
      this.next();
    });
  }

  private async readIn(idle: ReadingThread | undefined, bytes: Buffer): Promise<PdfReading> {
    try {
      return await (idle ?? this.startThread()).read(bytes);
    } catch {
      // The machine may have no thread left: the answer that the document is part of was paid for, and goes out all the same.
      return { problem: 'UNREADABLE' };
    }
  }

  private startThread(): ReadingThread {
    const thread = new ReadingThread(() => this.threads.delete(thread));
    this.threads.add(thread);
    return thread;
  }
}

/** One thread, which reads one document at a time. */
class ReadingThread {
  private readonly worker: Worker;
  private finish: ((reading: PdfReading) => void) | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly onEnd: () => void) {
    this.worker = new Worker(join(__dirname, 'worker.mjs'), {
      workerData: limits,
      resourceLimits: heapLimits,
      // Nothing of the environment may reach the library.
      env: {},
      execArgv: [],
    });
    this.worker.on('message', (reading: PdfReading) => this.settle(reading));
    this.worker.on('error', () => undefined);
    this.worker.on('exit', () => this.settleAfterEnd());
    this.worker.unref();
  }

  get isIdle(): boolean {
    return this.finish === null;
  }

  read(bytes: Buffer): Promise<PdfReading> {
    return new Promise((resolve) => {
      this.finish = resolve;
      this.setTimer(maxReadingMs, () => {
        this.settle({ problem: 'TOO_SLOW' });
        void this.end();
      });
      // The thread gets bytes of its own: these may serve again.
      const copy = new Uint8Array(bytes);
      this.worker.postMessage(copy, [copy.buffer]);
    });
  }

  async end(): Promise<void> {
    this.onEnd();
    clearTimeout(this.timer);
    await this.worker.terminate();
  }

  private settle(reading: PdfReading): void {
    const { finish } = this;
    this.finish = null;
    this.setTimer(maxIdleMs, () => void this.end());
    finish?.(reading);
  }

  /** A document that takes more memory than there is ends the thread. */
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
