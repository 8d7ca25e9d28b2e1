import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Relay {
  /** The address of the target, through the relay. */
  readonly url: string;
  /** Keeps back all bytes from now on, as a network without a route does. */
  hold(): void;
  /** Passes on what was kept back, and all bytes from now on. */
  pass(): void;
  close(): Promise<void>;
}

/** Starts a relay of connections in front of a server. */
export async function startRelay(target: string): Promise<Relay> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isHeld = false;
  const server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname);
    for (const [socket, peer] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        peer.destroy();
      });
      socket.pipe(peer);
      if (isHeld) socket.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    hold: () => {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    pass: () => {
      isHeld = false;
      for (const socket of sockets) socket.resume();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
