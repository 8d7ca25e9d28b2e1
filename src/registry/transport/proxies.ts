import { isIPv6, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import querystring from 'node:querystring';
import { buildConnector, Client } from 'undici';

/** Proxies by the protocol of their targets, and the entries of NO_PROXY: targets that need none. */
export interface Proxies {
  readonly https: URL | null;
  readonly http: URL | null;
  readonly exceptions: readonly string[];
}

type Target = Pick<URL, 'protocol' | 'hostname' | 'port'>;

const portOf = ({ protocol, port }: Target): string => port || (protocol === 'https:' ? '443' : '80');

/** Returns the proxy of a target, or null for a direct connection. */
export function findProxy({ https, http, exceptions }: Proxies, target: Target): URL | null {
  const host = target.hostname.replace(/^\[|\]$|\.$/g, '');
  const isExcepted = exceptions.some((entry) => {
    const [, name = entry, port = portOf(target)] = isIPv6(entry) ? [] : (/^(.+):(\d+)$/.exec(entry) ?? []);
    const domain = name.toLowerCase().replace(/^\*?\.|^\[|\]$/g, '');
    return port === portOf(target) && (name === '*' || `.${host}`.endsWith(`.${domain}`));
  });
  return isExcepted || isOwn(host) ? null : target.protocol === 'https:' ? https : http;
}

/** Whether a host is this machine, which a proxy could not reach. */
function isOwn(host: string): boolean {
  if (/^(127\.[\d.]+|::ffff:7f..:[\da-f]+|0\.0\.0\.0|::1?|(.+\.)?localhost)$/.test(host)) return true;
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === host));
}

/**
 * Returns a connector that uses the proxy of each target. It opens a tunnel (CONNECT) for HTTP too, because a proxy that forwards requests could
 * answer in the place of the target.
 */
export function connectorOf(proxies: Proxies, timeout: number): buildConnector.connector {
  const connect = buildConnector({ timeout });
  return (target, callback) => {
    const proxy = findProxy(proxies, target);
    if (proxy === null) return connect(target, callback);
    openTunnel(proxy, target, timeout).then(
      (httpSocket) =>
        target.protocol === 'https:' ? connect({ ...target, httpSocket }, callback) : callback(null, httpSocket),
      (error: Error) => callback(error, null),
    );
  };
}

/** Opens a tunnel, or throws an error whose code, which logs show, names the proxy without its credentials. */
async function openTunnel(proxy: URL, target: Target, timeout: number): Promise<Socket> {
  const path = `${isIPv6(target.hostname) ? `[${target.hostname}]` : target.hostname}:${portOf(target)}`;
  const credentials = querystring.unescape(`${proxy.username}:${proxy.password}`);
  const authorization = { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  const headers = { host: path, ...(credentials === ':' ? null : authorization) };
  const client = new Client(proxy.origin, { connect: { timeout }, headersTimeout: timeout });
  const fail = (reason: string): never => {
    const code = `the proxy ${proxy.host} ${reason}`;
    throw Object.assign(new Error(code), { code });
  };
  const { statusCode, socket } = await client
    .connect({ path, headers })
    .catch((error: NodeJS.ErrnoException) => fail(`opened no tunnel (${error.code})`))
    .finally(() => client.close());
  if (statusCode >= 200 && statusCode < 300) return socket as Socket;
  socket.on('error', () => undefined).destroy();
  return fail(`answered ${statusCode} to CONNECT`);
}
