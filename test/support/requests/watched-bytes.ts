import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';

/** Buffers that hold the bytes of signatures on their way through this process. */
export interface WatchedBytes {
  /** Chunks of the forms that arrived at the graph, as Node made them. */
  received(): readonly Buffer[];
  /** Buffers of the forms that were sent to the service, as the HTTP client was given them. */
  sent(): readonly Buffer[];
  unwiped(): readonly Buffer[];
}

export const isWiped = (bytes: Uint8Array): boolean => bytes.length > 0 && bytes.every((byte) => byte === 0);

/** Remembers, in each test of a file, the very buffers in which a form arrives and leaves. */
export function watchBytes(): WatchedBytes {
  let push: jest.SpiedFunction<IncomingMessage['push']>;
  let bodies: unknown[] = [];
  const watch = (message: unknown): void => {
    const { body, path } = (message as { readonly request: { readonly body: unknown; readonly path: string } }).request;
    if (path.startsWith('/api/')) bodies.push(body);
  };
  beforeEach(() => {
    bodies = [];
    push = jest.spyOn(IncomingMessage.prototype, 'push');
    subscribe('undici:request:create', watch);
  });
  afterEach(() => {
    unsubscribe('undici:request:create', watch);
    push.mockRestore();
  });
  const isForm = ({ url, headers }: IncomingMessage): boolean =>
    url === '/graphql' && headers['content-type']?.startsWith('multipart/form-data') === true;
  const received = (): readonly Buffer[] =>
    push.mock.calls
      .filter((_, index) => isForm(push.mock.contexts[index] as IncomingMessage))
      .map(([chunk]): unknown => chunk)
      .filter((chunk) => Buffer.isBuffer(chunk));
  const sent = (): readonly Buffer[] => bodies.flat().filter((piece) => Buffer.isBuffer(piece));
  return { received, sent, unwiped: () => [...received(), ...sent()].filter((bytes) => !isWiped(bytes)) };
}
