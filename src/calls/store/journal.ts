import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** File of the journal. It is removed when all entries in it, and in the files before it, are in the store. */
export interface Segment {
  readonly file: string;
  readonly descriptor: number;
  bytes: number;
  pendingLines: number;
  /** Lines to be re-read from this file, because memory was full. */
  unloadedLines: number;
}

export interface JournalObserver {
  /** `code` is an error code of the operating system, such as ENOSPC. */
  journalUnavailable(code: string): void;
  journalAvailable(): void;
}

const maxSegmentBytes = 1_000_000;
const minTruncatedBytes = 64_000;
/** Maximum number of bytes that wait in memory while the disk is full. Further lines are dropped. */
const maxUnwrittenBytes = 16_000_000;
const retryMs = 500;

/**
 * Write-ahead log of the entries that are not in the store yet, so that a killed process loses none. The opening line of a call is
 * written before the call is sent. Files are not flushed to disk: they survive a kill, but not a power failure.
 */
export class Journal {
  private readonly segments: Segment[] = [];
  private unwritten: Buffer = Buffer.alloc(0);
  private retry: NodeJS.Timeout | null = null;
  private segmentCount = 0;

  constructor(
    private readonly folder: string,
    private readonly processName: string,
    private readonly observer: JournalObserver,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.segments.push(this.newSegment());
  }

  /** Whether the last lines could not be written. The journal retries until it can write them. */
  get isBroken(): boolean {
    return this.retry !== null;
  }

  append(line: string): Segment {
    if (this.current.bytes > maxSegmentBytes) this.rotate();
    const segment = this.current;
    segment.pendingLines += 1;
    this.write(Buffer.from(line));
    return segment;
  }

  /** Releases lines that are no longer needed, for example because their entries are in the store. A file without pending lines is removed. */
  release(segment: Segment, lines = 1): void {
    segment.pendingLines -= lines;
    for (let [oldest] = this.segments; oldest?.pendingLines === 0; [oldest] = this.segments) {
      if (oldest === this.current) {
        this.truncate(oldest);
        return;
      }
      this.segments.shift();
      this.remove(oldest);
    }
  }

  /** Returns the files with unloaded lines. No more lines are appended to them. */
  unloadedSegments(): readonly Segment[] {
    if (this.current.unloadedLines > 0) this.rotate();
    return this.segments.filter(({ unloadedLines }) => unloadedLines > 0);
  }

  close(): void {
    if (this.retry !== null) clearInterval(this.retry);
    for (const segment of this.segments) {
      if (segment === this.current && segment.pendingLines === 0) this.remove(segment);
      else closeSync(segment.descriptor);
    }
  }

  private get current(): Segment {
    return this.segments.at(-1) as Segment;
  }

  private write(bytes: Buffer): void {
    const fits = this.unwritten.length + bytes.length <= maxUnwrittenBytes;
    if (fits) this.unwritten = this.unwritten.length === 0 ? bytes : Buffer.concat([this.unwritten, bytes]);
    this.attempt(() => {
      while (this.unwritten.length > 0) {
        const written = writeSync(this.current.descriptor, this.unwritten);
        this.current.bytes += written;
        this.unwritten = this.unwritten.subarray(written);
      }
    });
  }

  private attempt(write: () => void): void {
    try {
      write();
      if (this.retry === null) return;
      clearInterval(this.retry);
      this.retry = null;
      this.observer.journalAvailable();
    } catch (error) {
      if (this.retry !== null) return;
      // An empty line tests whether the disk can be written again.
      this.retry = setInterval(() => this.write(Buffer.from('\n')), retryMs).unref();
      this.observer.journalUnavailable((error as NodeJS.ErrnoException).code ?? 'unknown');
    }
  }

  /** Starts a new file. While the disk is full, the current file stays in use. */
  private rotate(): void {
    if (this.isBroken) return;
    this.attempt(() => void this.segments.push(this.newSegment()));
  }

  private newSegment(): Segment {
    this.segmentCount += 1;
    const name = `${this.processName}-${String(this.segmentCount).padStart(6, '0')}.journal`;
    const file = join(this.folder, name);
    return { file, descriptor: openSync(file, 'a', 0o600), bytes: 0, pendingLines: 0, unloadedLines: 0 };
  }

  private truncate(segment: Segment): void {
    if (segment.bytes < minTruncatedBytes || this.isBroken) return;
    ftruncateSync(segment.descriptor);
    segment.bytes = 0;
  }

  private remove({ file, descriptor }: Segment): void {
    closeSync(descriptor);
    rmSync(file, { force: true });
  }
}
