import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Remark } from '../../batch';
import { Semaphore } from '../../run/semaphore';
import { DatasetError } from '../dataset';
import { readLines } from '../text/read-lines';
import { ArrivingFile } from './arriving-file';

/** Maximum time for which the child may write nothing after it has the whole file. */
const maxSilentMs = 60_000;
/** Memory limits of the child. V8 aborts a process that exceeds its heap, so nothing else runs in this process. */
const memoryLimits = ['--max-old-space-size=256', '--max-semi-space-size=16'];
const maxProcesses = 2;
const processes = new Semaphore(maxProcesses);

/** A line that the child writes: a row, the end, or why the workbook cannot be read. */
type Message =
  | readonly [line: number, cells: readonly string[], typed: readonly number[]]
  | { readonly end: number }
  | { readonly problem: string };

/** A row of a sheet, with its number. */
export interface SheetRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** Positions of the cells that are numbers, dates or booleans. */
  readonly typed: readonly number[];
}

/**
 * Reads the rows of a workbook in a child process with limited memory, so that a hostile file cannot block or crash this process.
 * Throws a `DatasetError` if the file is not a workbook.
 */
export async function* readWorkbook(bytes: AsyncIterable<Buffer>): AsyncGenerator<SheetRow> {
  const file = new ArrivingFile(bytes);
  try {
    await file.receive();
    await processes.acquire();
    yield* readInChild(file.read());
  } finally {
    file.discard();
  }
}

/** Reads a workbook in a child process. The caller has acquired the process, and it is released when the child has ended. */
async function* readInChild(bytes: AsyncIterable<Buffer>): AsyncGenerator<SheetRow> {
  const child = spawn(process.execPath, [...memoryLimits, join(__dirname, 'child.mjs')], {
    // The child receives only the workbook: no settings, no secrets, no terminal.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const failed = new Promise<void>((resolve) => child.once('error', () => resolve()));
  try {
    await Promise.race([sendFile(child, bytes), failed]);
    yield* readRows(child);
  } finally {
    child.kill('SIGKILL');
    processes.release();
  }
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

async function* readRows(child: ChildProcess): AsyncGenerator<SheetRow> {
  if (child.stdout === null) return;
  const lines = readLines(child.stdout.setEncoding('utf8'))[Symbol.asyncIterator]();
  for (;;) {
    const timer = setTimeout(() => child.kill('SIGKILL'), maxSilentMs);
    const { value, done } = await lines.next().finally(() => clearTimeout(timer));
    // The child wrote no last line, because it was killed or exceeded its memory.
    if (done === true) throw new DatasetError(problems.TOO_LARGE);
    const message = readMessage(value.text);
    if (message === null) throw new DatasetError(problems.TOO_LARGE);
    if ('end' in message) return;
    if ('problem' in message) throw new DatasetError(problems[message.problem] ?? problems.UNREADABLE);
    yield { line: message[0], cells: message[1], typed: message[2] };
  }
}

/** Returns a message, or null if the child ended while it wrote. */
function readMessage(text: string): Message | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const unreadable: Remark = {
  english: 'The workbook cannot be read. Open it in a spreadsheet and save it again as .xlsx, or as «CSV UTF-8».',
  spanish: 'El libro no se puede leer. Ábralo en la hoja de cálculo y guárdelo de nuevo como .xlsx o como «CSV UTF-8».',
};

const problems: Readonly<Record<string, Remark>> & { readonly UNREADABLE: Remark; readonly TOO_LARGE: Remark } = {
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
