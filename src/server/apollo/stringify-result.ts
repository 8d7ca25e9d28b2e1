import { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isBoxedPrimitive } from 'node:util/types';
import type { FormattedExecutionResult } from 'graphql';

/** Bytes of files from which a result is written in chunks. A smaller result is written at once, in a few milliseconds. */
const largeBytes = 500_000;

/** Maximum characters that are written before other work runs, about a millisecond. */
const maxChunkLength = 250_000;

/** Number of characters from which a text is a separate chunk. Shorter texts are put together. */
const minSeparateLength = 16_000;
/** Estimated characters of a value besides its text: its name and punctuation. */
const charactersOfValue = 10;

/** Text that JSON does not escape, such as base64. The check is faster than escaping. */
const unescaped = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** Whether a result with this number of bytes of files is written in chunks. */
export const isLarge = (fileBytes: number): boolean => fileBytes >= largeBytes;

/** Returns a large result as a stream of JSON. Other work runs between its chunks. */
export function stringifyInChunks({ errors, data, extensions }: FormattedExecutionResult): Readable {
  return Readable.from(jsonChunks({ errors, data, extensions }), { objectMode: false });
}

async function* jsonChunks(result: object): AsyncGenerator<Buffer> {
  let short = '';
  for (const part of jsonParts(result)) {
    const isLong = part.length >= minSeparateLength;
    if (!isLong) short += part;
    if (!isLong && short.length < maxChunkLength) continue;
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
    // JSON.stringify leaves these members out too.
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* jsonParts(value);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

const isSmall = (value: unknown): boolean => subtractLength(minSeparateLength, value) > 0;

/** Subtracts the estimated characters of a value from `length`. Stops when nothing is left. */
function subtractLength(length: number, value: unknown): number {
  if (typeof value === 'string') return length - value.length;
  if (typeof value !== 'object' || value === null) return length - charactersOfValue;
  if (!(Array.isArray(value) || isPlain(value))) return length - charactersOfValue;
  let left = length - charactersOfValue;
  for (const inner of Object.values(value)) {
    left = subtractLength(left - charactersOfValue, inner);
    if (left <= 0) return left;
  }
  return left;
}

/** Whether an object is serialized by its members, without a `toJSON`. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value) && !isBoxedPrimitive(value);
}
