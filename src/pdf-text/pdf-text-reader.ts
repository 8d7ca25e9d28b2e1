import type { PdfReading } from './pdf-reading';
import { ReadingProcess } from './reading-process';

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

  /** Number of child processes. */
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
