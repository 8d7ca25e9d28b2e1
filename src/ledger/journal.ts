import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the journal. It goes when all that stands in it is in the store. */
export interface Segment {
  readonly file: string;
  readonly descriptor: number;
  bytes: number;
  /** What stands in it, and is not in the store. */
  held: number;
  /** What nobody holds in memory: it is read again from here. */
  spilled: number;
  /** Released with it: what they say is wanted as long as what stands here. */
  followers: Segment[];
}

const maxSegmentBytes = 1_000_000;
const minTruncatedBytes = 64_000;

/**
 * What is on its way to the store, as lines of files, so that a process that is killed loses nothing. What is written is with the
 * operating system at once: it outlives the process, though not the machine's loss of power.
 */
export class Journal {
  private current: Segment;
  private readonly sealed = new Set<Segment>();
  private waiting = '';
  private written: Promise<void> | null = null;
  private turnEnd: NodeJS.Immediate | null = null;
  private count = 0;
  /** Whether the last line could not be written. */
  isBroken = false;

  constructor(
    private readonly folder: string,
    private readonly processName: string,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.current = this.newSegment();
  }

  /** Holds a line and writes it at the end of this turn of the event loop, with all others that came by then. */
  write(line: string): Segment {
    const segment = this.hold();
    this.waiting += line;
    if (this.written === null) this.turnEnd ??= setImmediate(() => this.endTurn());
    return segment;
  }

  /** Writes what there is before the event loop goes on, with all that comes in this moment. */
  whenWritten(): Promise<void> {
    this.written ??= this.writeSoon();
    return this.written;
  }

  /** Lets go of a line that is in the store, or is wanted no more. */
  release(segment: Segment, count = 1): void {
    segment.held -= count;
    if (segment.held > 0) return;
    if (segment !== this.current) {
      // What takes the place of the lines in it may be waiting to be written.
      this.flush();
      this.remove(segment);
      return;
    }
    if (segment.bytes < minTruncatedBytes || this.waiting !== '') return;
    this.attempt(() => ftruncateSync(segment.descriptor));
    segment.bytes = 0;
    this.releaseFollowers(segment);
  }

  /** The files that hold what nobody has in memory, to be read from now on. */
  takeSpilled(): readonly Segment[] {
    this.flush();
    if (this.current.spilled > 0) this.rotate();
    return [...this.sealed].filter(({ spilled }) => spilled > 0);
  }

  /** What is not in the store by now stays for the next start. */
  close(): void {
    this.flush();
    const { current } = this;
    if (current.held === 0) this.remove(current);
    else closeSync(current.descriptor);
    for (const { descriptor } of this.sealed) closeSync(descriptor);
  }

  private endTurn(): void {
    this.turnEnd = null;
    this.flush();
  }

  private hold(): Segment {
    if (this.current.bytes > maxSegmentBytes) this.rotate();
    this.current.held += 1;
    return this.current;
  }

  private writeSoon(): Promise<void> {
    return new Promise((resolve) => {
      // After what runs now, promises too, and no turn of the loop later: each turn costs as much as the line.
      process.nextTick(() => {
        this.written = null;
        this.flush();
        resolve();
      });
    });
  }

  private flush(): void {
    if (this.waiting === '') return;
    const lines = this.waiting;
    this.waiting = '';
    this.append(this.current, lines);
  }

  private append(segment: Segment, text: string): void {
    this.attempt(() => {
      segment.bytes += writeSync(segment.descriptor, text);
    });
  }

  /** Deferred lines belong to the file that holds them. */
  private rotate(): void {
    this.flush();
    const full = this.current;
    this.current = this.newSegment();
    if (full.held === 0) this.remove(full);
    else this.sealed.add(full);
  }

  private newSegment(): Segment {
    this.count += 1;
    const name = `${this.processName}-${String(this.count).padStart(6, '0')}.journal`;
    const file = join(this.folder, name);
    return { file, descriptor: openSync(file, 'a', 0o600), bytes: 0, held: 0, spilled: 0, followers: [] };
  }

  private remove(segment: Segment): void {
    this.sealed.delete(segment);
    this.attempt(() => {
      closeSync(segment.descriptor);
      rmSync(segment.file, { force: true });
    });
    this.releaseFollowers(segment);
  }

  private releaseFollowers(segment: Segment): void {
    const { followers } = segment;
    segment.followers = [];
    for (const follower of followers) this.release(follower);
  }

  /** A disk that is full takes no part of the answers. */
  private attempt(write: () => void): void {
    try {
      write();
      this.isBroken = false;
    } catch {
      this.isBroken = true;
    }
  }
}
