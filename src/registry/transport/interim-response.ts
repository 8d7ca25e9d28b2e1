import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

const interim = Buffer.from('HTTP/1.1 100');

/**
 * Returns the connector with connections that show a `100 Continue` as 102. A client has to skip an interim response that it did not ask for, but
 * undici takes 100 for the end of the connection, and skips 102.
 */
export function withInterimResponses(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      if (result[0] === null) renameContinue(result[1]);
      callback(...result);
    });
}

function renameContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  /** Number of bytes that were sent when the last answer began. */
  let answered = 0;
  socket.read = (size?: number) => {
    const chunk: unknown = read(size);
    if (!Buffer.isBuffer(chunk) || socket.bytesWritten === answered) return chunk;
    let start = 0;
    while (chunk.subarray(start, start + interim.length).equals(interim)) {
      chunk.write('102', start + interim.length - 3);
      const end = chunk.indexOf('\r\n\r\n', start);
      start = end === -1 ? chunk.length : end + 4;
    }
    if (start < chunk.length) answered = socket.bytesWritten;
    return chunk;
  };
}
