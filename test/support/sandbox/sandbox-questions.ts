import type { SandboxEmployer } from '../../../src/sandbox/data/employers';
import type { SandboxPerson } from '../../../src/sandbox/data/people';
import { findReceipts } from '../../../src/sandbox/documents/receipts';
import type { IdentifierKind } from '../../../src/sandbox/protocol/route';
import { findOrThrow } from '../find-or-throw';
import { type DocumentedEndpoint, documentedEndpoints } from '../registry-interface';
import type { Reply, SandboxClient } from './sandbox-client';

export const NOW = new Date('2026-11-20T18:00:00Z');

export interface Signature {
  readonly password: string;
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
}

export interface Subject {
  readonly person: SandboxPerson;
  readonly employer: SandboxEmployer;
  readonly month?: number;
  readonly signature?: Signature;
}

interface SandboxQuestion {
  readonly identifiers: readonly IdentifierKind[];
  readonly input: (subject: Subject) => Readonly<Record<string, unknown>>;
}

/** An endpoint as the OpenAPI document describes it, and how it is asked. */
export interface Endpoint extends DocumentedEndpoint, SandboxQuestion {}

const month = ({ employer, month: mes = 3 }: Subject) => ({
  registro_patronal: employer.registration,
  anio: 2026,
  mes,
});

/** A question for each endpoint that takes input, by the endpoint's name. */
const questions: Readonly<Record<string, SandboxQuestion>> = {
  findIdentity: { identifiers: ['curp'], input: ({ person }) => ({ curp: person.curp }) },
  findCredit: { identifiers: ['nss'], input: ({ person }) => ({ nss: person.nss }) },
  findHousingAccount: { identifiers: ['nss'], input: ({ person }) => ({ nss: person.nss }) },
  findLicence: { identifiers: ['licence'], input: ({ person }) => ({ cedula: person.licences[0]?.number ?? '' }) },
  searchLicences: {
    identifiers: ['surname'],
    input: ({ person }) => ({ nombres: person.names, paterno: person.paternalSurname }),
  },
  findCertificate: { identifiers: ['folio'], input: ({ person }) => ({ folio: person.certificate?.folio ?? '' }) },
  downloadProfessionalStatus: { identifiers: ['curp'], input: ({ person }) => ({ curp: person.curp }) },
  verifyElectronicSignature: {
    identifiers: ['rfc'],
    input: ({ person, signature }) => ({ userId: person.rfc, ...signature }),
  },
  listReceipts: { identifiers: ['registration'], input: month },
  downloadReceipt: {
    identifiers: ['registration'],
    input(subject) {
      const period = `2026${String(subject.month ?? 3).padStart(2, '0')}`;
      return { ...month(subject), folio_sua: findReceipts(subject.employer, period, NOW)[0]?.folio ?? '0' };
    },
  },
  issueOpinion: {
    identifiers: ['rfc', 'obligatedSubject'],
    input: ({ employer }) => ({ sujeto_obligado: employer.obligatedSubjectId, rfc: employer.rfc }),
  },
  listSnapshots: {
    identifiers: ['registration'],
    input: ({ employer }) => ({ registro_patronal: employer.registration }),
  },
  resolveObligatedSubject: { identifiers: ['registration'], input: ({ employer }) => ({ rp: employer.registration }) },
};

/** Every endpoint of the OpenAPI document but the balance, which takes no input. */
export const endpoints: readonly Endpoint[] = documentedEndpoints
  .filter(({ name }) => name !== 'readBalance')
  .map((documented) => {
    const question = questions[documented.name];
    if (question === undefined) throw new Error(`sandbox-questions.ts has no question for ${documented.name}.`);
    return { ...documented, ...question };
  });

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
