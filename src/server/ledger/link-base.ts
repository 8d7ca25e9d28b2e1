import type { IncomingHttpHeaders } from 'node:http';

const host = /^(?:\[[\da-f:.]{2,45}\]|[a-z\d](?:[a-z\d.-]{0,252}[a-z\d])?)(?::\d{1,5})?$/i;

/**
 * Returns the beginning of links to padron: `PUBLIC_URL`, or else the host of the request. The caller chooses that
 * host, so it is only used in the caller's own answer, and only as a name and a port.
 */
export function linkBase(publicUrl: string | null, { host: name = '' }: IncomingHttpHeaders): string | null {
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, '');
  return host.test(name) ? `http://${name}` : null;
}
