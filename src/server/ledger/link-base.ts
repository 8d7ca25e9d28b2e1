import type { IncomingHttpHeaders } from 'node:http';

const host = /^(?:\[[\da-f:.]{2,45}\]|[a-z\d](?:[a-z\d.-]{0,252}[a-z\d])?)(?::\d{1,5})?$/i;

/**
 * What links to padron begin with: where the operator says that clients reach it, else the name by which this request came. That name
 * is the caller's own word, so it stands in the caller's own answer only, and is nothing but a name and a port.
 */
export function linkBase(publicUrl: string | null, { host: name = '' }: IncomingHttpHeaders): string | null {
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, '');
  return host.test(name) ? `http://${name}` : null;
}
