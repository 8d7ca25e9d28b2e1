import { createReadStream, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lockFolder } from '../../store/embedded/folder-lock';
import type { Store } from '../../store/store';
import { type OpenedEntry, unansweredEntry } from './entry-json';
import { insertEntries } from './insert-entries';

const maxBatchRows = 1_000;

export const journalLock = (processName: string): string => `journal-${processName}`;

/**
 * Writes the entries in the journals of ended processes to the store, and deletes these journals. A call without an answer is recorded
 * as one that may have been charged. Returns the names of these processes.
 */
export async function recoverJournals(dataFolder: string, folder: string, store: Store): Promise<readonly string[]> {
  const recovered: string[] = [];
  for (const processName of processesIn(folder)) {
    const lock = await lockFolder(dataFolder, journalLock(processName));
    if ('holder' in lock) continue;
    try {
      await recover(filesOf(folder, processName), store, processName);
      recovered.push(processName);
    } finally {
      await lock.release();
    }
  }
  return recovered;
}

/** Writes the closed entries of one of this process's files to the store. Returns the number of entries that the store rejected. */
export async function insertClosed(file: string, store: Store, processName: string): Promise<number> {
  const insertion = new BatchInsert(store, processName);
  for await (const { kind, text } of linesOf(file)) if (kind === '=') await insertion.add(text);
  return insertion.flush();
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

async function recover(files: readonly string[], store: Store, processName: string): Promise<void> {
  const open = new Map<string, OpenedEntry>();
  const insertion = new BatchInsert(store, processName);
  for (const file of files) {
    for await (const { kind, text, entry } of linesOf(file)) {
      if (kind === '+' && entry !== null) open.set(entry.id, entry);
      else open.delete(entry?.id ?? text);
      if (kind === '=') await insertion.add(text);
    }
  }
  for (const entry of open.values()) await insertion.add(JSON.stringify(unansweredEntry(entry)));
  await insertion.flush();
  for (const file of files) rmSync(file, { force: true });
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

class BatchInsert {
  private texts: string[] = [];
  private rejected = 0;

  constructor(
    private readonly store: Store,
    private readonly processName: string,
  ) {}

  async add(text: string): Promise<void> {
    this.texts.push(text);
    if (this.texts.length >= maxBatchRows) await this.flush();
  }

  async flush(): Promise<number> {
    const { texts } = this;
    this.texts = [];
    this.rejected += await insertEntries(this.store, texts, this.processName);
    return this.rejected;
  }
}
