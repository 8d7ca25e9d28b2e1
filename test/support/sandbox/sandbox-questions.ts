import type { SandboxEmployer } from '../../../src/extensions/sandbox/data/employers';
import type { SandboxPerson } from '../../../src/extensions/sandbox/data/people';
import { findReceipts } from '../../../src/extensions/sandbox/documents/receipts';
import type { IdentifierKind } from '../../../src/extensions/sandbox/protocol/route';
import { findOrThrow } from '../find-or-throw';
import { type DocumentedEndpoint, documentedEndpoints } from '../registry-interface';
import type { Reply, SandboxClient } from './sandbox-client';

export const NOW = new Date('2026-11-20T18:00:00Z');

export interface Signature {
  readonly password: string;
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
}

/** The person and the employer of a question. The month is March 2026 by default. */
export interface Subject {
  readonly person: SandboxPerson;
  readonly employer: SandboxEmployer;
  readonly year?: number;
  readonly month?: number;
  readonly signature?: Signature;
}

/** An input of the service: the identifier that it is, if any, and its value in a question about a subject. */
interface ServiceInput {
  readonly identifier?: IdentifierKind;
  readonly value: (subject: Subject) => unknown;
}

export interface Endpoint extends DocumentedEndpoint {
  /** The inputs that are identifiers, in the order of the OpenAPI document. */
  readonly identifierInputs: readonly (readonly [name: string, identifier: IdentifierKind])[];
  readonly identifiers: readonly IdentifierKind[];
  readonly input: (subject: Subject) => Readonly<Record<string, unknown>>;
}

function folioOf({ employer, year = 2026, month = 3 }: Subject): string {
  return findReceipts(employer, `${year}${String(month).padStart(2, '0')}`, NOW)[0]?.folio ?? '0';
}

const inputs: Readonly<Record<string, ServiceInput>> = {
  curp: { identifier: 'curp', value: ({ person }) => person.curp },
  nss: { identifier: 'nss', value: ({ person }) => person.nss },
  cedula: { identifier: 'licence', value: ({ person }) => person.licences[0]?.number ?? '' },
  nombres: { value: ({ person }) => person.names },
  paterno: { identifier: 'surname', value: ({ person }) => person.paternalSurname },
  folio: { identifier: 'folio', value: ({ person }) => person.certificate?.folio ?? '' },
  userId: { identifier: 'rfc', value: ({ person }) => person.rfc },
  password: { value: ({ signature }) => signature?.password },
  certificate: { value: ({ signature }) => signature?.certificate },
  privateKey: { value: ({ signature }) => signature?.privateKey },
  registro_patronal: { identifier: 'registration', value: ({ employer }) => employer.registration },
  rp: { identifier: 'registration', value: ({ employer }) => employer.registration },
  anio: { value: ({ year = 2026 }) => year },
  mes: { value: ({ month = 3 }) => month },
  folio_sua: { value: folioOf },
  sujeto_obligado: { identifier: 'obligatedSubject', value: ({ employer }) => employer.obligatedSubjectId },
  rfc: { identifier: 'rfc', value: ({ employer }) => employer.rfc },
};

function toEndpoint(documented: DocumentedEndpoint): Endpoint {
  const { name: endpoint, requiredInputs } = documented;
  const filled = (requiredInputs.length > 0 ? requiredInputs : documented.inputs).map((name) => {
    const input = inputs[name];
    if (input === undefined) throw new Error(`sandbox-questions.ts has no value for the input ${name} of ${endpoint}.`);
    return { name, ...input };
  });
  const identifierInputs = filled.flatMap(({ name, identifier }) => (identifier ? [[name, identifier] as const] : []));
  return {
    ...documented,
    identifierInputs,
    identifiers: identifierInputs.map(([, identifier]) => identifier),
    input: (subject) => Object.fromEntries(filled.map(({ name, value }) => [name, value(subject)])),
  };
}

/** Every endpoint of the OpenAPI document but the balance, which takes no input. */
export const endpoints: readonly Endpoint[] = documentedEndpoints
  .filter(({ name }) => name !== 'readBalance')
  .map(toEndpoint);

export function askEndpoint(
  client: SandboxClient,
  endpoint: string,
  input: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const { method, path, encoding } = findOrThrow(endpoints, (candidate) => candidate.endpoint === endpoint);
  const texts = input as Readonly<Record<string, string>>;
  if (method === 'GET') return client.get(`${path}?${new URLSearchParams(texts)}`);
  if (encoding === 'multipart') return client.form(path, texts);
  return encoding === 'query' ? client.query(path, texts, headers) : client.json(path, input, headers);
}
