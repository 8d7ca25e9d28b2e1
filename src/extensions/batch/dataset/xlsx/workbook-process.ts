import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseJson } from '../../../../identifiers/json-value';
import type { Text } from '../../../../identifiers/text';
import { Semaphore } from '../../semaphore';
import { DatasetError } from '../dataset';
import { readLines } from '../text/read-lines';
import type { CellFault } from './sheet.mjs';

/** Maximum time for which the child may write nothing after it has the whole file. */
const maxSilentMs = 60_000;
/**
 * CPU time that the child may take. A file of 100,000 rows and 30 columns takes about 5 seconds. It is not wall time, because the
 * machine may be busy.
 */
const maxCpuSeconds = 30;
/** Memory limits of the child. V8 aborts a process that exceeds its heap, so the child only reads workbooks. */
const memoryLimits = ['--max-old-space-size=256', '--max-semi-space-size=16'];
type Message =
  | { readonly sheets: readonly string[] }
  | readonly [line: number, cells: readonly string[], typed: readonly number[], notes?: RowNotes]
  | { readonly end: true }
  | { readonly problem: string };

interface RowNotes {
  readonly isHidden: boolean;
  readonly faults: readonly (readonly [column: number, fault: CellFault])[];
}

export interface SheetRow extends Partial<RowNotes> {
  readonly line: number;
  readonly cells: readonly string[];
  /** Positions of the cells that are numbers, dates or booleans. */
  readonly typed: readonly number[];
}

export class Workbook {
  private constructor(
    private readonly child: ChildProcess,
    private readonly messages: AsyncGenerator<Message>,
    readonly sheets: readonly string[],
    readonly close: () => void,
  ) {}

  /**
   * Opens a workbook in a child process with limited memory and time, so that a hostile file cannot block or crash this process. Waits
   * for a reader, which `owner` shares with others. Throws a `DatasetError` if the file is not a workbook, as do the other methods.
   */
  static async open(bytes: AsyncIterable<Buffer>, owner: string): Promise<Workbook> {
    const file = new ArrivingFile(bytes);
    try {
      await file.receive();
      const release = await acquireReader(owner);
      const child = spawnReader();
      const close = (): void => {
        child.kill('SIGKILL');
        release();
      };
      try {
        const failed = new Promise<void>((resolve) => child.once('error', () => resolve()));
        await Promise.race([sendFile(child, file.read()), failed]);
        const messages = readMessages(child);
        const { value } = await messages.next();
        return new Workbook(child, messages, 'sheets' in value ? value.sheets : [], close);
      } catch (error) {
        close();
        throw error;
      }
    } finally {
      file.discard();
    }
  }

  readHead(sheet: number): AsyncGenerator<SheetRow> {
    return this.read(sheet);
  }

  readRest(): AsyncGenerator<SheetRow> {
    return this.read('rest');
  }

  private async *read(request: number | 'rest'): AsyncGenerator<SheetRow> {
    // If the child has ended, its output says why.
    this.child.send(request, () => undefined);
    for (;;) {
      const { value } = await this.messages.next();
      if (!Array.isArray(value)) return;
      yield { line: value[0], cells: value[1], typed: value[2], ...value[3] };
    }
  }
}

function spawnReader(): ChildProcess {
  return spawn(process.execPath, [...memoryLimits, join(__dirname, 'child.mjs'), String(maxCpuSeconds)], {
    // The child receives only the workbook: no settings, no secrets, no terminal.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
  });
}

/** Sends the file. If the child ends early, its output says why. */
async function sendFile(child: ChildProcess, bytes: AsyncIterable<Buffer>): Promise<void> {
  if (child.stdin === null) return;
  let sourceError: unknown = null;
  async function* source(): AsyncGenerator<Buffer> {
    try {
      yield* bytes;
    } catch (error) {
      sourceError = error;
      throw error;
    }
  }
  await pipeline(Readable.from(source()), child.stdin).catch(() => undefined);
  if (sourceError !== null) throw sourceError;
}

/** Yields the messages of the child, and never ends: the last one says why the workbook cannot be read, so it is thrown. */
async function* readMessages(child: ChildProcess): AsyncGenerator<Message, never> {
  const lines = readLines(child.stdout?.setEncoding('utf8') ?? Readable.from([]))[Symbol.asyncIterator]();
  for (;;) {
    const timer = setTimeout(() => child.kill('SIGKILL'), maxSilentMs);
    const { value, done } = await lines.next().finally(() => clearTimeout(timer));
    // The child wrote no last line, because it was killed or exceeded its memory.
    // A child that ends while it writes leaves a part of a message.
    const message = done === true ? undefined : (parseJson(value.text) as Message | undefined);
    if (message === undefined) throw new DatasetError(problems.TOO_LARGE);
    if ('problem' in message) throw new DatasetError(problems[message.problem] ?? problems.UNREADABLE);
    yield message;
  }
}

const unreadable: Text = {
  english: 'The workbook cannot be read. Open it in a spreadsheet and save it again as .xlsx, or as «CSV UTF-8».',
  spanish: 'El libro no se puede leer. Ábralo en la hoja de cálculo y guárdelo de nuevo como .xlsx o como «CSV UTF-8».',
};

const problems: Readonly<Record<string, Text>> & { readonly UNREADABLE: Text; readonly TOO_LARGE: Text } = {
  UNREADABLE: unreadable,
  NOT_A_WORKBOOK: {
    english: 'The file is a ZIP archive, but not an .xlsx workbook. Save the sheet as .xlsx, or as «CSV UTF-8».',
    spanish: 'El archivo es un ZIP, pero no un libro .xlsx. Guarde la hoja como .xlsx o como «CSV UTF-8».',
  },
  ENCRYPTED: {
    english: 'The workbook is protected with a password. Save it without one.',
    spanish: 'El libro está protegido con contraseña. Guárdelo sin ella.',
  },
  TOO_LARGE: {
    english: 'The workbook needs too much memory or time to be read. Save the sheet as «CSV UTF-8».',
    spanish: 'El libro requiere demasiada memoria o tiempo para leerse. Guarde la hoja como «CSV UTF-8».',
  },
};

/** Limit of this process for all arriving files together. */
const maxHeldBytes = 64_000_000;
/** Memory that a chunk takes besides its bytes, because a slow connection delivers small ones. */
const chunkBytes = 500;

let heldBytes = 0;

/** A file that is held in memory until it has arrived, so that a slow connection does not occupy a reader. */
export class ArrivingFile {
  private readonly source: AsyncIterator<Buffer>;
  private readonly chunks: Buffer[] = [];

  constructor(bytes: AsyncIterable<Buffer>) {
    this.source = bytes[Symbol.asyncIterator]();
  }

  /** Waits until the file has arrived, or until the arriving files of all uploads fill the memory. */
  async receive(): Promise<void> {
    while (heldBytes < maxHeldBytes) {
      const { value, done } = await this.source.next();
      if (done === true) return;
      heldBytes += value.length + chunkBytes;
      this.chunks.push(value);
    }
  }

  /** Yields the whole file. Memory is free again for other files as soon as a chunk is passed on. */
  async *read(): AsyncGenerator<Buffer> {
    // So that `take` returns them in order. Taking them from the beginning would move all others.
    this.chunks.reverse();
    for (let chunk = this.take(); chunk !== undefined; chunk = this.take()) yield chunk;
    yield* { [Symbol.asyncIterator]: () => this.source };
  }

  discard(): void {
    while (this.take() !== undefined);
  }

  private take(): Buffer | undefined {
    const chunk = this.chunks.pop();
    if (chunk !== undefined) heldBytes -= chunk.length + chunkBytes;
    return chunk;
  }
}

/** Maximum children that read workbooks at the same time. Each takes memory: see docs/batch.md. */
const maxReaders = 2;
const readers = new Semaphore(() => maxReaders);
/** The owners that read or wait, each with one reader at most, so that an owner never waits for all files of another one. */
const owners = new Map<string, { readonly turn: Semaphore; uploads: number }>();

/** Resolves when the owner may read a workbook. The caller must call the returned function once, when it has been read. */
export async function acquireReader(owner: string): Promise<() => void> {
  const own = owners.get(owner) ?? { turn: new Semaphore(() => 1), uploads: 0 };
  owners.set(owner, own);
  own.uploads += 1;
  await own.turn.acquire();
  await readers.acquire();
  return () => {
    readers.release();
    own.turn.release();
    own.uploads -= 1;
    if (own.uploads === 0) owners.delete(owner);
  };
}
