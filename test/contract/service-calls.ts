import type { IdentifierKind } from '../../src/sandbox/protocol/route';
import type { Call } from './contract';

/** A question as it travels to the service. */
export interface Ask {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string | Buffer>>;
  /** A body as it is, for what is neither JSON nor a form. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How an endpoint is asked about one identifier, with the rest of its input filled in. */
export interface Asker {
  readonly endpoint: string;
  readonly identifier: IdentifierKind;
  readonly ask: (value: string, month?: number) => Ask;
}

/** A year that is over, so that all its months can be told. */
export const YEAR = new Date().getUTCFullYear() - 1;

function byQuery(
  path: string,
  identifier: IdentifierKind,
  name: string,
  rest: Readonly<Record<string, string>> = {},
): Asker {
  return {
    endpoint: `POST ${path}`,
    identifier,
    ask: (value) => ({ method: 'POST', path, query: { [name]: value, ...rest } }),
  };
}

function byJson(path: string, identifier: IdentifierKind, body: (value: string, month: number) => unknown): Asker {
  const ask = (value: string, month = 3): Ask => ({ method: 'POST', path, json: body(value, month) });
  return { endpoint: `POST ${path}`, identifier, ask };
}

/** Every endpoint but the balance and the signed link, which take no identifier. */
export const askers: readonly Asker[] = [
  byQuery('/api/renapo/grupo/valida-curp', 'curp', 'curp'),
  byQuery('/api/infonavit/grupo/buscar-credito', 'nss', 'nss'),
  byQuery('/api/infonavit/grupo/obtener-cuenta', 'nss', 'nss'),
  byQuery('/api/sep/grupo/validar-cedula', 'licence', 'cedula'),
  byQuery('/api/sep/grupo/obtener-cedula', 'surname', 'paterno', { nombres: 'A' }),
  byQuery('/api/sep/grupo/validar-certificado', 'folio', 'folio'),
  byQuery('/api/sep/grupo/descargar-constancia-profesional', 'curp', 'curp'),
  {
    endpoint: 'POST /api/sat/grupo/verificar-firma-electronica',
    identifier: 'rfc',
    ask: (userId) =>
      signatureAsk({ userId, password: 'x', certificate: Buffer.from('x'), privateKey: Buffer.from('x') }),
  },
  byJson('/private/comprobantes-fiscales', 'registration', (registro_patronal, mes) => ({
    registro_patronal,
    anio: YEAR,
    mes,
  })),
  byJson('/private/comprobantes-fiscales/descargar', 'registration', (registro_patronal, mes) => ({
    registro_patronal,
    anio: YEAR,
    mes,
    folio_sua: '123456',
  })),
  byJson('/private/32d-imss', 'obligatedSubject', (sujeto_obligado) => ({ sujeto_obligado, rfc: 'EKU9003173C9' })),
  {
    endpoint: 'GET /private/rps/snapshots',
    identifier: 'registration',
    ask: (registro_patronal) => ({ method: 'GET', path: '/private/rps/snapshots', query: { registro_patronal } }),
  },
  byJson('/private/sujeto-obligado', 'registration', (rp) => ({ rp })),
];

export function signatureAsk(form: Readonly<Record<string, string | Buffer>>): Ask {
  return { method: 'POST', path: '/api/sat/grupo/verificar-firma-electronica', form };
}

/** Asks the service over HTTP; a JSON body comes parsed, any other as bytes. */
export async function asked(
  base: string,
  { method, path, query, json, form, body: raw, headers }: Ask,
  token = '',
): Promise<Call> {
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
  const response = await fetch(`${base}${path}${search}`, {
    method,
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(form === undefined ? {} : { body: formData(form) }),
    ...(raw === undefined ? {} : { body: raw }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const contentType = response.headers.get('content-type');
  const body: unknown = contentType?.startsWith('application/json') ? JSON.parse(bytes.toString()) : bytes;
  return { method, path, status: response.status, contentType, body };
}

function formData(parts: Readonly<Record<string, string | Buffer>>): FormData {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') form.append(name, part);
    else form.append(name, new Blob([new Uint8Array(part)]), `${name}.bin`);
  }
  return form;
}
