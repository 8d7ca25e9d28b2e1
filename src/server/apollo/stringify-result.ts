import { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isBoxedPrimitive } from 'node:util/types';
import type { FormattedExecutionResult } from 'graphql';

/**
 * Bytes of files above which a result is written in parts. A smaller result is written at once, in a few milliseconds.
 */
const largeBytes = 500_000;

/** Characters that are written before other work gets its turn: about a millisecond. */
const chunkLength = 250_000;

/** Texts from this length on are sent by themselves; shorter ones are put together. */
const minSeparateLength = 16_000;
/** Estimated characters of a value besides its text, including its name. */
const charactersOfValue = 10;

/** Text that JSON does not escape, such as base64. The check is faster than escaping. */
const unescaped = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** Whether a result that holds so many bytes of files is written in chunks. */
export const isLarge = (fileBytes: number): boolean => fileBytes >= largeBytes;

/** A large result as the body of an answer, in chunks between which other work gets its turn. */
export function stringifyInChunks({ errors, data, extensions }: FormattedExecutionResult): Readable {
  return Readable.from(jsonChunks({ errors, data, extensions }), { objectMode: false });
}

async function* jsonChunks(result: object): AsyncGenerator<Buffer> {
  let short = '';
  for (const part of jsonParts(result)) {
    const isLong = part.length >= minSeparateLength;
    if (!isLong) short += part;
    if (!isLong && short.length < chunkLength) continue;
    yield Buffer.from(short);
    short = '';
    if (isLong) yield Buffer.from(part);
    await yieldToEventLoop();
  }
  yield Buffer.from(`${short}\n`);
}

/** Yields the parts of the text that JSON.stringify would return. */
function* jsonParts(value: unknown): Generator<string> {
  if (isSmall(value)) yield stringify(value);
  else if (Array.isArray(value)) yield* listParts(value);
  else if (isPlain(value)) yield* objectParts(value);
  else if (typeof value === 'string' && unescaped.test(value)) yield* ['"', value, '"'];
  else yield stringify(value);
}

const stringify = (value: unknown): string => JSON.stringify(value) ?? 'null';

function* listParts(list: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const item of list) {
    yield before;
    yield* jsonParts(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function* objectParts(object: object): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(object)) {
    // Members that JSON has no words for are left out.
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* jsonParts(value);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

const isSmall = (value: unknown): boolean => roomAfter(value, minSeparateLength) > 0;

/** Returns the characters that are left after the value is written. Stops when none are left. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length;
  if (typeof value !== 'object' || value === null) return room - charactersOfValue;
  if (!(Array.isArray(value) || isPlain(value))) return room - charactersOfValue;
  let left = room - charactersOfValue;
  for (const inner of Object.values(value)) {
    left = roomAfter(inner, left - charactersOfValue);
    if (left <= 0) return left;
  }
  return left;
}

/** Whether an object is serialized by its members, without a `toJSON`. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value) && !isBoxedPrimitive(value);
}
