import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the journal. It is removed when everything in it, and in the files before it, is in the store. */
export interface Segment {
  readonly file: string;
  readonly descriptor: number;
  bytes: number;
  /** Lines whose entries are not in the store yet. */
  pendingLines: number;
  /** Pending lines that are not in memory either: they are read again from the file. */
  unloadedLines: number;
}

/** Reports when the disk refuses the journal, and when it takes it again. */
export interface JournalObserver {
  /** `code` is that of the operating system, such as ENOSPC. */
  journalUnavailable(code: string): void;
  journalAvailable(): void;
}

const maxSegmentBytes = 1_000_000;
const minTruncatedBytes = 64_000;
/** Bytes that wait in memory for a disk that is full. Their entries are in memory too, as long as these last. */
const maxUnwrittenBytes = 16_000_000;
const retryMs = 500;

/**
 * Entries on their way to the store, as lines of files, so that a process that is killed loses none. A line is with the operating
 * system before its call is sent: it outlives the process, but not a power failure.
 */
export class Journal {
  /** The oldest first; the last one takes new lines. */
  private readonly segments: Segment[] = [];
  /** Bytes of the last segment that the disk refused. */
  private unwritten: Buffer = Buffer.alloc(0);
  private retry: NodeJS.Timeout | null = null;
  private count = 0;

  constructor(
    private readonly folder: string,
    private readonly processName: string,
    private readonly observer: JournalObserver,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.segments.push(this.newSegment());
  }

  /** Whether the disk refused the last lines. They are written again until it takes them. */
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

  /** Lets go of lines whose entries are in the store, or that are not needed any more. */
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

  /** The files with lines that are not in memory. They take no more lines. */
  unloadedSegments(): readonly Segment[] {
    if (this.current.unloadedLines > 0) this.rotate();
    return this.segments.filter(({ unloadedLines }) => unloadedLines > 0);
  }

  /** Entries that are not in the store by now are left for the next start. */
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

  /** The disk may take a part only: it continues with exactly the next byte, so that no line is cut. */
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
      // An empty line only tests whether the disk can be written.
      this.retry = setInterval(() => this.write(Buffer.from('\n')), retryMs).unref();
      this.observer.journalUnavailable((error as NodeJS.ErrnoException).code ?? 'unknown');
    }
  }

  /** A disk that is full takes no new file either: the present one is kept. */
  private rotate(): void {
    if (this.isBroken) return;
    this.attempt(() => void this.segments.push(this.newSegment()));
  }

  private newSegment(): Segment {
    this.count += 1;
    const name = `${this.processName}-${String(this.count).padStart(6, '0')}.journal`;
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
