import { createReadStream, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lockFolder } from '../store/embedded/folder-lock';
import type { Store } from '../store/store';
import { unansweredText } from './entry-text';
import { insertEntries } from './rows/insert-entries';

const rowsAtOnce = 1_000;

/** Its name in the folder's locks: whoever holds it writes that journal. */
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
  const open = new Map<string, string>();
  const insertion = new Insertion(store, processName);
  for (const file of files) {
    for await (const { kind, text } of linesOf(file)) {
      const id = /"id":"(\w+)"/.exec(text)?.[1] ?? text;
      if (kind === '+') open.set(id, text);
      else open.delete(id);
      if (kind === '=') await insertion.add(text);
    }
  }
  for (const text of open.values()) {
    const price = Number(/"price":(\d+)/.exec(text)?.[1] ?? 0);
    await insertion.add(text + unansweredText(price));
  }
  await insertion.end();
  for (const file of files) rmSync(file, { force: true });
}

/** `+` opens an entry, `=` is a whole one, `-` says that there was no call after all. */
interface JournalLine {
  readonly kind: string;
  readonly text: string;
}

/** The last line may have been cut off by the end of its process. */
async function* linesOf(file: string): AsyncGenerator<JournalLine> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const kind = line.slice(0, 1);
    const text = line.slice(1);
    if (kind === '-' || isWhole(kind === '+' ? `${text}}` : text)) yield { kind, text };
  }
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
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
