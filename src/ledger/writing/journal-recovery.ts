import { createReadStream, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lockFolder } from '../../store/embedded/folder-lock';
import type { Store } from '../../store/store';
import { insertEntries } from '../rows/insert-entries';
import { type OpenedEntry, unansweredEntry } from './entry-json';

const rowsAtOnce = 1_000;

/** Returns the name of the lock of a journal. Its holder writes that journal. */
export const journalLock = (processName: string): string => `journal-${processName}`;

/**
 * Brings what processes have left behind that ended without a word into the store, and removes their files. A call of theirs
 * without an answer is entered as one that may have been charged. Gives the names of those processes.
 */
export async function recoverJournals(dataFolder: string, folder: string, store: Store): Promise<readonly string[]> {
  const recovered: string[] = [];
  for (const processName of writersIn(folder)) {
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

/** The entries of a file that are closed, as this process's own memory no longer has them. */
export async function insertClosed(file: string, store: Store, processName: string): Promise<number> {
  const insertion = new Insertion(store, processName);
  for await (const { kind, text } of linesOf(file)) if (kind === '=') await insertion.add(text);
  return insertion.end();
}

const filesOf = (folder: string, processName: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith(`${processName}-`) && name.endsWith('.journal'))
    .sort()
    .map((name) => join(folder, name));

function writersIn(folder: string): ReadonlySet<string> {
  if (!existsSync(folder)) return new Set();
  const names = readdirSync(folder).filter((name) => name.endsWith('.journal'));
  return new Set(names.map((name) => name.slice(0, name.lastIndexOf('-'))));
}

async function recover(files: readonly string[], store: Store, processName: string): Promise<void> {
  const open = new Map<string, OpenedEntry>();
  const insertion = new Insertion(store, processName);
  for (const file of files) {
    for await (const { kind, text, entry } of linesOf(file)) {
      if (kind === '+' && entry !== null) open.set(entry.id, entry);
      else open.delete(entry?.id ?? text);
      if (kind === '=') await insertion.add(text);
    }
  }
  for (const entry of open.values()) await insertion.add(JSON.stringify(unansweredEntry(entry)));
  await insertion.end();
  for (const file of files) rmSync(file, { force: true });
}

/** `+` opens an entry, `=` is a whole one, `-` and its id says that the call was not sent. */
interface JournalLine {
  readonly kind: string;
  readonly text: string;
  readonly entry: OpenedEntry | null;
}

/** The last line may have been cut off by the end of its process. */
async function* linesOf(file: string): AsyncGenerator<JournalLine> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const kind = line.slice(0, 1);
    const text = line.slice(1);
    // Version 0.1 left out the end of an opening.
    const entry = parse(text) ?? (kind === '+' ? parse(`${text}}`) : null);
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

class Insertion {
  private texts: string[] = [];
  private lost = 0;

  constructor(
    private readonly store: Store,
    private readonly processName: string,
  ) {}

  async add(text: string): Promise<void> {
    this.texts.push(text);
    if (this.texts.length >= rowsAtOnce) await this.end();
  }

  async end(): Promise<number> {
    const { texts } = this;
    this.texts = [];
    this.lost += await insertEntries(this.store, texts, this.processName);
    return this.lost;
  }
}
