import { Readable } from 'node:stream';
import { setImmediate as otherWork } from 'node:timers/promises';
import { isBoxedPrimitive } from 'node:util/types';
import type { FormattedExecutionResult } from 'graphql';

/** With fewer bytes of files a result is written in one go: that takes a few milliseconds at most. */
const largeBytes = 500_000;

/** Characters that are written before other work gets its turn: about a millisecond. */
const turnLength = 250_000;

/** Texts from this length on are sent by themselves; shorter ones are put together. */
const longLength = 16_000;

/** Text that stands in JSON as it is. Base64 does, and looking is cheaper than writing it anew. */
const asItIs = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** Whether a result that holds so many bytes of files is written in parts. */
export const isLarge = (fileBytes: number): boolean => fileBytes >= largeBytes;

/** A large result as an answer's body, in parts between which other work gets its turn. */
export function resultInTurns(result: object): Readable {
  return Readable.from(bytesInTurns(result), { objectMode: false });
}

const withFiles = new WeakSet<object>();

/** Notes that a result's data hold many bytes of files, for Apollo Server: it writes a result without knowing its request. */
export function noteFileBytes({ data }: FormattedExecutionResult, bytes: number): void {
  if (data && isLarge(bytes)) withFiles.add(data);
}

/** A result as text; a large one is written in parts, between which other work gets its turn. */
export function stringifyResult(result: FormattedExecutionResult): string | Promise<string> {
  const isNoted = result.data ? withFiles.has(result.data) : false;
  return isNoted ? textInTurns(result) : `${JSON.stringify(result)}\n`;
}

async function textInTurns(result: object): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for (const part of partsOf(result)) {
    parts.push(part);
    length += part.length;
    if (length < turnLength) continue;
    length = 0;
    await otherWork();
  }
  parts.push('\n');
  return parts.join('');
}

async function* bytesInTurns(result: object): AsyncGenerator<Buffer> {
  let short = '';
  for (const part of partsOf(result)) {
    const isLong = part.length >= longLength;
    if (!isLong) short += part;
    if (!isLong && short.length < turnLength) continue;
    yield Buffer.from(short);
    short = '';
    if (isLong) yield Buffer.from(part);
    await otherWork();
  }
  yield Buffer.from(`${short}\n`);
}

/** What JSON.stringify would write, part by part. */
function* partsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) yield* partsOfList(value);
  else if (isPlain(value) && !Object.values(value).every(isShort)) yield* partsOfObject(value);
  else if (typeof value === 'string' && value.length >= longLength && asItIs.test(value)) yield* ['"', value, '"'];
  else yield JSON.stringify(value) ?? 'null';
}

function* partsOfList(list: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const item of list) {
    yield before;
    yield* partsOf(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function* partsOfObject(object: object): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(object)) {
    // Members that JSON has no words for are left out.
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* partsOf(value);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** Most objects hold nothing but short values: they are written as one. */
function isShort(value: unknown): boolean {
  return typeof value === 'string' ? value.length < longLength : typeof value !== 'object' || value === null;
}

/** An object that is written by its members, and in no way of its own. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value) && !isBoxedPrimitive(value);
}
