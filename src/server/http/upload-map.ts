import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { HttpError } from './http-error';

/** An upload whose map is checked while the library reads it. */
interface CheckedUpload {
  readonly request: IncomingMessage;
  /** Returns the error of the map, or null. */
  error(): HttpError | null;
}

type FieldListener = (name: string, value: string, info: unknown) => void;

/**
 * Checks the map of an upload before the library applies it. The library writes to any path, even in built-in objects, so a form could
 * break all later requests. The check is a listener before the library's own, so both read the same form.
 */
export function checkUploadMap(raw: IncomingMessage, maxFiles: number): CheckedUpload {
  let error: HttpError | null = null;
  const addCheck = (parser: Writable): Writable => {
    const listeners = parser.listeners('field') as FieldListener[];
    let operations = '';
    parser.removeAllListeners('field');
    return parser.on('field', (name: string, value: string, info: unknown) => {
      if (name === 'operations') operations = value;
      const reason = name === 'map' ? findMapError(operations, value, maxFiles) : null;
      if (reason === null) return listeners.forEach((listener) => void listener(name, value, info));
      error = new HttpError(400, reason);
      parser.destroy(error);
    });
  };
  const request = {
    headers: raw.headers,
    pipe: (parser: Writable) => raw.pipe(addCheck(parser)),
    unpipe: (parser: Writable) => raw.unpipe(parser),
    once: (event: string, listener: () => void) => raw.once(event, listener),
    resume: () => raw.resume(),
    get readableEnded() {
      return raw.readableEnded;
    },
  };
  return { request: request as unknown as IncomingMessage, error: () => error };
}

const invalidPath =
  "Invalid object path for the 'map' multipart field: each leads to a null within the variables of the operation.";
const indexOfList = /^(?:0|[1-9]\d*)$/;

/** Returns what is wrong with the map. Returns null if it can be applied, or if the library rejects the form itself. */
function findMapError(operationsText: string, mapText: string, maxFiles: number): string | null {
  const operations = parse(operationsText);
  const map = parse(mapText);
  if (typeof operations !== 'object' || typeof map !== 'object' || map === null || Array.isArray(map)) return null;
  if (Object.keys(map).length > maxFiles) return null;
  const paths = Object.values(map).flat();
  if (paths.some((path) => typeof path !== 'string')) return "Invalid type for the 'map' multipart field.";
  if (new Set(paths).size < paths.length) return "The 'map' multipart field names the same place twice.";
  return paths.every((path) => isNullVariable(operations, path)) ? null : invalidPath;
}

function isNullVariable(operations: object | null, path: string): boolean {
  const names = path.split('.');
  if (names[0] !== 'variables' || names.length < 2) return false;
  let value: unknown = operations;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
    // `length` is an own property of a list too.
    if (Array.isArray(value) && !indexOfList.test(name)) return false;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value === null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
