import type { SandboxEmployer } from '../../../src/sandbox/data/employers';
import type { SandboxPerson } from '../../../src/sandbox/data/people';
import { findReceipts } from '../../../src/sandbox/documents/receipts';
import type { IdentifierKind } from '../../../src/sandbox/protocol/route';
import type { Reply, SandboxClient } from './sandbox-client';

/** The clock of these tests. */
export const NOW = new Date('2026-11-20T18:00:00Z');

/** A signature as the form carries it. */
export interface Signature {
  readonly password: string;
  readonly certificate: Buffer;
  readonly privateKey: Buffer;
}

/** Whom a question is about. */
export interface Subject {
  readonly person: SandboxPerson;
  readonly employer: SandboxEmployer;
  readonly month?: number;
  readonly signature?: Signature;
}

/** How one endpoint is asked about a subject, in full. */
export interface Endpoint {
  readonly endpoint: string;
  readonly identifiers: readonly IdentifierKind[];
  readonly required: readonly string[];
  readonly permission?: string;
  readonly units: number;
  readonly input: (subject: Subject) => Readonly<Record<string, unknown>>;
}

const month = ({ employer, month: mes = 3 }: Subject) => ({
  registro_patronal: employer.registration,
  anio: 2026,
  mes,
});

/** The endpoints as interface.md tells them, written down once more: the sandbox's own table is what is tested. */
export const endpoints: readonly Endpoint[] = [
  {
    endpoint: 'POST /api/infonavit/grupo/buscar-credito',
    identifiers: ['nss'],
    required: ['nss'],
    permission: 'use_buscar_credito',
    units: 1,
    input: ({ person }) => ({ nss: person.nss }),
  },
  {
    endpoint: 'POST /api/infonavit/grupo/obtener-cuenta',
    identifiers: ['nss'],
    required: ['nss'],
    permission: 'use_obtener_cuenta',
    units: 1,
    input: ({ person }) => ({ nss: person.nss }),
  },
  {
    endpoint: 'POST /api/sep/grupo/validar-cedula',
    identifiers: ['licence'],
    required: ['cedula'],
    permission: 'use_validar_cedula',
    units: 1,
    input: ({ person }) => ({ cedula: person.licences[0]?.number ?? '' }),
  },
  {
    endpoint: 'POST /api/sep/grupo/obtener-cedula',
    identifiers: ['surname'],
    required: ['nombres', 'paterno'],
    permission: 'use_buscar_cedula',
    units: 1,
    input: ({ person }) => ({ nombres: person.names, paterno: person.paternalSurname }),
  },
  {
    endpoint: 'POST /api/sep/grupo/validar-certificado',
    identifiers: ['folio'],
    required: ['folio'],
    permission: 'use_validar_certificado',
    units: 1,
    input: ({ person }) => ({ folio: person.certificate?.folio ?? '' }),
  },
  {
    endpoint: 'POST /api/sep/grupo/descargar-constancia-profesional',
    identifiers: ['curp'],
    required: ['curp'],
    permission: 'use_descargar_constancia_profesional',
    units: 2,
    input: ({ person }) => ({ curp: person.curp }),
  },
  {
    endpoint: 'POST /api/sat/grupo/verificar-firma-electronica',
    identifiers: ['rfc'],
    required: ['userId', 'password', 'certificate', 'privateKey'],
    permission: 'use_sat_verificar_firma_electronica',
    units: 1,
    input: ({ person, signature }) => ({ userId: person.rfc, ...signature }),
  },
  {
    endpoint: 'POST /private/comprobantes-fiscales',
    identifiers: ['registration'],
    required: ['registro_patronal', 'anio', 'mes'],
    units: 1,
    input: month,
  },
  {
    endpoint: 'POST /private/comprobantes-fiscales/descargar',
    identifiers: ['registration'],
    required: ['registro_patronal', 'anio', 'mes', 'folio_sua'],
    units: 1,
    input(subject) {
      const period = `2026${String(subject.month ?? 3).padStart(2, '0')}`;
      return { ...month(subject), folio_sua: findReceipts(subject.employer, period, NOW)[0]?.folio ?? '0' };
    },
  },
  {
    endpoint: 'POST /private/32d-imss',
    identifiers: ['rfc', 'obligatedSubject'],
    required: ['sujeto_obligado', 'rfc'],
    units: 1,
    input: ({ employer }) => ({ sujeto_obligado: employer.obligatedSubjectId, rfc: employer.rfc }),
  },
  {
    endpoint: 'GET /private/rps/snapshots',
    identifiers: ['registration'],
    required: [],
    units: 1,
    input: ({ employer }) => ({ registro_patronal: employer.registration }),
  },
  {
    endpoint: 'POST /private/sujeto-obligado',
    identifiers: ['registration'],
    required: ['rp'],
    units: 1,
    input: ({ employer }) => ({ rp: employer.registration }),
  },
  {
    endpoint: 'POST /api/renapo/grupo/valida-curp',
    identifiers: ['curp'],
    required: ['curp'],
    units: 1,
    input: ({ person }) => ({ curp: person.curp }),
  },
];

/** Asks an endpoint as its interface wants to be asked. */
export function askEndpoint(
  client: SandboxClient,
  endpoint: string,
  input: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const [method, path = ''] = endpoint.split(' ');
  const texts = input as Readonly<Record<string, string>>;
  if (method === 'GET') return client.get(`${path}?${new URLSearchParams(texts)}`);
  if (path.endsWith('verificar-firma-electronica')) return client.form(path, texts);
  return path.startsWith('/api/') ? client.query(path, texts, headers) : client.json(path, input, headers);
}
