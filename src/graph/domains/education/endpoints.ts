import { z } from 'zod';
import { cleanName, foldName } from '../../../identifiers/normalise';
import {
  code,
  columns,
  type DerivedQuestion,
  endpoint,
  identifier,
  integer,
  personName,
  requiredText,
  stripLeadingZeros,
  subjectByName,
  text,
  type WireInput,
} from '../../../registry/endpoint/endpoint';
import { findLinkEnd } from '../../../registry/endpoint/link-end';
import { personEndpoint } from '../../../registry/endpoint/person';
import { byCurp } from '../population/endpoints';

const LicenceRecord = columns({
  idCedula: identifier,
  tipo: text,
  titulo: text,
  desins: text,
  anioreg: integer,
  nombre: personName,
  paterno: personName,
  materno: personName,
  nombreM: text,
  paternoM: text,
  maternoM: text,
  sexo: text,
  curp: code,
  foja: text,
  libro: text,
  numero: text,
  carArea: text,
  carCons: text,
  carNivel: text,
  carSarea: text,
  inscons: integer,
  insedo: integer,
});

export type LicenceRecord = z.output<typeof LicenceRecord>;

export const findLicence = endpoint({
  name: 'findLicence',
  registry: 'education',
  method: 'POST',
  path: '/api/sep/grupo/validar-cedula',
  encoding: 'query',
  envelope: 'list',
  units: 1,
  permission: 'use_validar_cedula',
  batch: false,
  schema: z.array(LicenceRecord),
  // The service takes an integer, so leading zeros of old numbers are removed.
  toWire: ({ number }: { readonly number: string }) => ({ cedula: stripLeadingZeros(number) }),
  subjects: ({ number }) => [{ kind: 'licence', value: number }],
  argumentPaths: { cedula: ['number'] },
  matches: (records, { number }) =>
    records.every(
      ({ idCedula }) => idCedula === null || stripLeadingZeros(idCedula ?? '') === stripLeadingZeros(number),
    ),
});

export interface NameQuestion extends DerivedQuestion {
  readonly names: string;
  readonly paternalSurname: string;
  readonly maternalSurname: string | null;
}

/** Whether a name contains the requested part, as the registry's search compares them. A missing name matches. */
const contains = (part: string | null, requested: string): boolean =>
  part === null || foldName(part).includes(foldName(requested));

/** Returns a part of a name as it is sent: in capitals, with single blanks. */
const capitals = (part: string): string => cleanName(part).toUpperCase().normalize('NFC');

const nameOnWire = (
  { names, paternalSurname, maternalSurname }: NameQuestion,
  write: (part: string) => string,
): WireInput => ({
  nombres: write(names),
  paterno: write(paternalSurname),
  ...(maternalSurname === null ? {} : { materno: write(maternalSurname) }),
});

export const searchLicences = personEndpoint({
  name: 'searchLicences',
  registry: 'education',
  method: 'POST',
  path: '/api/sep/grupo/obtener-cedula',
  encoding: 'query',
  envelope: 'list',
  units: 1,
  permission: 'use_buscar_cedula',
  batch: true,
  schema: z.array(LicenceRecord),
  toWire: (name: NameQuestion) => nameOnWire(name, capitals),
  spelling: (name) => nameOnWire(name, (part) => part),
  subjects: ({ names, paternalSurname, maternalSurname }) => [subjectByName(names, paternalSurname, maternalSurname)],
  argumentPaths: {
    nombres: ['name', 'names'],
    paterno: ['name', 'paternalSurname'],
    materno: ['name', 'maternalSurname'],
  },
  // The search returns records that contain the requested names. If none does, the answer belongs to another question.
  matches: (records, { names, paternalSurname }) =>
    records.length === 0 ||
    records.some(({ nombre, paterno }) => contains(nombre, names) && contains(paterno, paternalSurname)),
  person: {
    registry: 'EDUCATION_MINISTRY',
    echoes: ['NAMES', 'PATERNAL_SURNAME', 'MATERNAL_SURNAME'],
    toTexts: (records) =>
      records.map(({ curp, nombre, paterno, materno, sexo }) => ({
        curp,
        names: nombre,
        paternalSurname: paterno,
        maternalSurname: materno,
        sex: sexo,
      })),
  },
});

const CertificateRecord = columns({
  certificadoId: text,
  folio: identifier,
  nombres: text,
  primerApellido: text,
  segundoApellido: text,
  institucion: text,
  fechaCertificado: text,
  estatus: text,
  tipoCertificacion: text,
  tipoCertificado: text,
  promedio: text,
  carrera: text,
  tipo: text,
  idEntidadFederativa: text,
  entidadFederativa: text,
  fechaEmision: text,
});

export type CertificateRecord = z.output<typeof CertificateRecord>;

const foldFolio = (folio: string): string => folio.replaceAll('-', '').toLowerCase();

export const findCertificate = endpoint({
  name: 'findCertificate',
  registry: 'education',
  method: 'POST',
  path: '/api/sep/grupo/validar-certificado',
  encoding: 'query',
  envelope: 'record',
  units: 1,
  permission: 'use_validar_certificado',
  batch: true,
  schema: CertificateRecord,
  toWire: ({ folio }: { readonly folio: string }) => ({ folio }),
  cacheKey: ({ folio }) => [foldFolio(folio)],
  spelling: ({ folio }) => ({ folio }),
  isSpellingExact: true,
  subjects: ({ folio }) => [{ kind: 'certificate', value: folio }],
  argumentPaths: { folio: ['folio'] },
  matches: (record, { folio }) => record.folio === null || foldFolio(record.folio ?? '') === foldFolio(folio),
});

const StatusRecord = columns({ curp: code, url_constancia: requiredText });

export type StatusRecord = z.output<typeof StatusRecord>;

/** Time for which a link is used again if it does not say when it ends. The service calls it temporary. */
const unknownLinkMs = 60_000;

export const downloadProfessionalStatus = personEndpoint({
  ...byCurp,
  name: 'downloadProfessionalStatus',
  registry: 'education',
  path: '/api/sep/grupo/descargar-constancia-profesional',
  units: 2,
  permission: 'use_descargar_constancia_profesional',
  schema: StatusRecord,
  matches: (record, { curp }) => record.curp === null || record.curp === curp,
  isFresh: (answeredAt, now, record) =>
    record === null ||
    now.getTime() < (findLinkEnd(record.url_constancia ?? null) ?? answeredAt.getTime() + unknownLinkMs),
  // Date of birth and sex come from the CURP.
  person: { registry: 'EDUCATION_MINISTRY', echoes: ['CURP', 'BIRTH_DATE', 'SEX'], toTexts: ({ curp }) => [{ curp }] },
});
