import { employers } from '../../src/extensions/sandbox/data/employers';
import { people } from '../../src/extensions/sandbox/data/people';
import type { IdentifierKind } from '../../src/extensions/sandbox/protocol/route';
import { type DocumentedEndpoint, documentedEndpoint } from '../support/registry-interface';
import { endpoints, type Subject } from '../support/sandbox/sandbox-questions';
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

const [person] = people;
const [employer] = employers;
if (person === undefined || employer === undefined) throw new Error('The sandbox is empty.');
/** The other inputs of a request. A search by surname finds every first name that contains an A. */
const subject: Subject = {
  person: { ...person, names: 'A' },
  employer,
  year: YEAR,
  signature: { password: 'x', certificate: Buffer.from('x'), privateKey: Buffer.from('x') },
};

/** All endpoints that take an identifier. Each is asked about its first one. */
export const askers: readonly Asker[] = endpoints.flatMap((endpoint) =>
  endpoint.identifierInputs.slice(0, 1).map(([input, identifier]) => ({
    endpoint: endpoint.endpoint,
    identifier,
    ask: (value, month = 3) => toAsk(endpoint, { ...(endpoint.input({ ...subject, month }) as Input), [input]: value }),
  })),
);

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
