import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/** Beginning of an informational answer (1xx). 101 is left to undici, because it ends HTTP on the connection. */
const informationalStart = /^HTTP\/1\.[01] 1(?!01)\d\d/;
const startLength = 'HTTP/1.1 100'.length;
const headEnd = '\r\n\r\n';
/** Maximum bytes of a head, as in undici. */
const maxHeadBytes = 16_384;

/**
 * Opens connections that skip informational answers. A server may send them unasked, and undici treats a 100 as the end of the
 * connection. The paid answer after it would be lost.
 */
export function connectPastInformational(timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs });
  return (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      skipInformational(socket);
      callback(null, socket);
    });
  };
}

/** undici writes a request at once, and reads what follows by `read`. */
function skipInformational(socket: Socket): void {
  const write: Socket['write'] = socket.write.bind(socket);
  const read = socket.read.bind(socket);
  const head = new AnswerHead();
  // Typed as its own overloads, of which TypeScript sees the last one only.
  socket.write = ((...parts: Parameters<typeof write>) => {
    head.expect();
    return write(...parts);
  }) as Socket['write'];
  socket.read = (size?: number): Buffer | null => {
    for (let chunk: Buffer | null = read(size); chunk !== null; chunk = read(size)) {
      const rest = head.filter(chunk);
      if (rest !== null) return rest;
    }
    return null;
  };
}

/** Buffers the first bytes after a request until they are known to begin its answer. */
class AnswerHead {
  private isExpected = false;
  private held: Buffer | null = null;

  expect(): void {
    this.isExpected = true;
  }

  /** Returns the part of a chunk to read, or null if there is none yet. */
  filter(chunk: Buffer): Buffer | null {
    if (!this.isExpected) return chunk;
    let bytes = this.held === null ? chunk : Buffer.concat([this.held, chunk]);
    this.held = null;
    while (mayBeInformational(bytes)) {
      const end = bytes.indexOf(headEnd);
      if (end < 0 && bytes.length < maxHeadBytes) {
        this.held = bytes;
        return null;
      }
      if (end < 0) break;
      bytes = bytes.subarray(end + headEnd.length);
    }
    this.isExpected = false;
    return bytes;
  }
}

/** Whether bytes may begin an informational answer. Also true if there are too few bytes to decide. */
function mayBeInformational(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, startLength);
  return informationalStart.test(start + 'HTTP/1.1 100'.slice(start.length));
}
