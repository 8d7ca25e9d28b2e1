import { randomUUID } from 'node:crypto';
import { type Ask, YEAR } from './service-calls';

export interface FileDescriptor {
  readonly url: string | null;
  readonly base64: string | null;
  readonly size_bytes: number;
}

export interface Download {
  readonly files: Readonly<Record<'pdf' | 'xml', FileDescriptor>>;
}

/** A receipt of the list, with the month it was listed for. */
export interface Listed {
  readonly registro_patronal: string;
  readonly folio_sua: string;
  readonly mes: number;
}

export function listOf(registro_patronal: string, mes: number): Ask {
  return { method: 'POST', path: '/private/comprobantes-fiscales', json: { registro_patronal, anio: YEAR, mes } };
}

export function downloadOf({ registro_patronal, folio_sua, mes }: Listed, include_content: boolean): Ask {
  const json = { registro_patronal, folio_sua, mes, anio: YEAR, include_content };
  return { method: 'POST', path: '/private/comprobantes-fiscales/descargar', json };
}

/** Returns the request of a signed link. */
export function linkAsk(url: string | null): Ask {
  if (url === null) throw new Error('There is no link.');
  const { pathname, searchParams } = new URL(url);
  return { method: 'GET', path: pathname, query: Object.fromEntries(searchParams) };
}

/** Returns the link with a forged signature, and with an unknown token. */
export function brokenLinks(url: string | null): readonly Ask[] {
  const link = linkAsk(url);
  const forged = { ...link, query: { ...link.query, signature: 'forged' } };
  const elsewhere = { ...link, path: link.path.replace(/[0-9a-f-]{36}/, randomUUID()) };
  return [forged, elsewhere];
}
