import { createReadStream, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lockFolder } from '../../store/embedded/folder-lock';
import { type OpenedEntry, unansweredEntry } from './entry-json';

export const journalLock = (processName: string): string => `journal-${processName}`;

export interface EntryText {
  readonly id: string;
  readonly account: string;
  readonly text: string;
}

/**
 * Passes the entries in the journals of ended processes to `write`, and deletes these journals. A call without an answer is recorded as one
 * that may have been charged.
 */
export async function recoverJournals(
  dataFolder: string,
  folder: string,
  write: (processName: string, entries: AsyncIterable<EntryText>) => Promise<unknown>,
): Promise<void> {
  for (const processName of processesIn(folder)) {
    // The lock of a folder is exact. A process that is only slow keeps its journal.
    const lock = await lockFolder(dataFolder, journalLock(processName));
    if ('holder' in lock) continue;
    try {
      const files = filesOf(folder, processName);
      await write(processName, readAll(files));
      for (const file of files) rmSync(file, { force: true });
    } finally {
      await lock.release();
    }
  }
}

export async function* readClosed(file: string): AsyncGenerator<EntryText> {
  for await (const { kind, text, entry } of linesOf(file))
    if (kind === '=' && entry !== null) yield { id: entry.id, account: entry.account, text };
}

const filesOf = (folder: string, processName: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith(`${processName}-`) && name.endsWith('.journal'))
    .sort()
    .map((name) => join(folder, name));

function processesIn(folder: string): ReadonlySet<string> {
  if (!existsSync(folder)) return new Set();
  const names = readdirSync(folder).filter((name) => name.endsWith('.journal'));
  return new Set(names.map((name) => name.slice(0, name.lastIndexOf('-'))));
}

async function* readAll(files: readonly string[]): AsyncGenerator<EntryText> {
  const open = new Map<string, OpenedEntry>();
  for (const file of files) {
    for await (const { kind, text, entry } of linesOf(file)) {
      if (kind === '+' && entry !== null) open.set(entry.id, entry);
      else open.delete(entry?.id ?? text);
      if (kind === '=' && entry !== null) yield { id: entry.id, account: entry.account, text };
    }
  }
  for (const entry of open.values())
    yield { id: entry.id, account: entry.account, text: JSON.stringify(unansweredEntry(entry)) };
}

/** Line of a journal: `+` and an opened call, `=` and a closed entry, or `-` and the ID of an opened call that was not sent. */
interface JournalLine {
  readonly kind: string;
  readonly text: string;
  readonly entry: OpenedEntry | null;
}

/** Reads the lines of a file. The last line may be incomplete, if its process was killed. Such a line is skipped. */
async function* linesOf(file: string): AsyncGenerator<JournalLine> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const kind = line.slice(0, 1);
    const text = line.slice(1);
    const entry = parse(text);
    if (kind === '-' || entry !== null) yield { kind, text, entry };
  }
}

function parse(text: string): OpenedEntry | null {
  try {
    return JSON.parse(text) as OpenedEntry;
  } catch {
    return null;
  }
}
