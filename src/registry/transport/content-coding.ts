import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const unpack = promisify(gunzip);

/** Codings of packed bytes that padron does not unpack. */
const packed: ReadonlySet<string> = new Set(['br', 'compress', 'deflate', 'x-compress', 'zstd']);

/** Returns the codings of a header `content-encoding`. */
function codingsOf(header: string | null): readonly string[] {
  return (header ?? '').split(',').map((coding) => coding.trim().toLowerCase());
}

/** Returns a coding whose bytes padron cannot read. Null without one: proxies write other names for bytes that are not packed. */
export function findUnreadableCoding(header: string | null): string | null {
  return codingsOf(header).find((coding) => packed.has(coding)) ?? null;
}

/** Whether the body is packed as gzip, which some proxies send although padron does not ask for it. */
export function isGzip(header: string | null, body: Buffer): boolean {
  return codingsOf(header).some((coding) => coding.endsWith('gzip')) && body[0] === 0x1f && body[1] === 0x8b;
}

/** Unpacks a body. Returns why it cannot be read if it is broken or becomes larger than `maxBytes`. */
export async function unpackGzip(body: Buffer, maxBytes: number): Promise<Buffer | string> {
  try {
    return await unpack(body, { maxOutputLength: maxBytes });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'larger than the limit' : 'broken gzip';
  }
}
