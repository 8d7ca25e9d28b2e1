import type { IdentifierKind } from '../../src/sandbox/protocol/route';
import { type DocumentedEndpoint, documentedEndpoint } from '../support/registry-interface';
import type { Call } from './contract';

/** A request to the service. */
export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string | Buffer>>;
  /** A body that is neither JSON nor a form. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes requests of an endpoint about an identifier. Other inputs have default values. */
export interface Asker {
  readonly endpoint: string;
  readonly identifier: IdentifierKind;
  readonly ask: (value: string, month?: number) => Ask;
}

/** Last year, of which all months are complete. */
export const YEAR = new Date().getUTCFullYear() - 1;

type Texts = Readonly<Record<string, string>>;
type Input = Readonly<Record<string, string | number | Buffer>>;

/** Returns the request of an endpoint, with its input encoded as the endpoint takes it. */
function toAsk({ method, path, encoding }: DocumentedEndpoint, input: Input): Ask {
  if (encoding === 'query') return { method, path, query: input as Texts };
  if (encoding === 'json') return { method, path, json: input };
  return { method, path, form: input as Readonly<Record<string, string | Buffer>> };
}

function asker(name: string, identifier: IdentifierKind, input: (value: string, month: number) => Input): Asker {
  const documented = documentedEndpoint(name);
  const ask = (value: string, month = 3): Ask => toAsk(documented, input(value, month));
  return { endpoint: documented.endpoint, identifier, ask };
}

const period = (mes: number) => ({ anio: YEAR, mes });

/** All endpoints that take an identifier. */
export const askers: readonly Asker[] = [
  asker('findIdentity', 'curp', (curp) => ({ curp })),
  asker('findCredit', 'nss', (nss) => ({ nss })),
  asker('findHousingAccount', 'nss', (nss) => ({ nss })),
  asker('findLicence', 'licence', (cedula) => ({ cedula })),
  asker('searchLicences', 'surname', (paterno) => ({ paterno, nombres: 'A' })),
  asker('findCertificate', 'folio', (folio) => ({ folio })),
  asker('downloadProfessionalStatus', 'curp', (curp) => ({ curp })),
  asker('verifyElectronicSignature', 'rfc', (userId) => ({
    userId,
    password: 'x',
    certificate: Buffer.from('x'),
    privateKey: Buffer.from('x'),
  })),
  asker('listReceipts', 'registration', (registro_patronal, mes) => ({ registro_patronal, ...period(mes) })),
  asker('downloadReceipt', 'registration', (registro_patronal, mes) => ({
    registro_patronal,
    ...period(mes),
    folio_sua: '123456',
  })),
  asker('issueOpinion', 'obligatedSubject', (sujeto_obligado) => ({ sujeto_obligado, rfc: 'EKU9003173C9' })),
  asker('listSnapshots', 'registration', (registro_patronal) => ({ registro_patronal })),
  asker('resolveObligatedSubject', 'registration', (rp) => ({ rp })),
];

export const signatureAsk = (form: Input): Ask => toAsk(documentedEndpoint('verifyElectronicSignature'), form);

/** Sends a request. Returns a JSON body parsed, and any other body as bytes. */
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
