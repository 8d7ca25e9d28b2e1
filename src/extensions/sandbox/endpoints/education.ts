import { renderConstancia } from '../documents/certificates';
import { fields } from '../protocol/input-fields';
import { found, makeValidationCode, notFound, type ServiceResponse } from '../protocol/responses';
import { commonRoute, type Question, type Route } from '../protocol/route';
import {
  findLicenceByNumber,
  findLicencesByName,
  findPersonByCurp,
  findPersonByFolio,
  type HeldLicence,
} from '../test-cards/directory';

function toLicenceRecord({ licence, person }: HeldLicence): Readonly<Record<string, unknown>> {
  const { entry, showsCurp } = licence;
  return {
    idCedula: licence.number,
    tipo: 'C1',
    titulo: licence.title,
    desins: licence.institution,
    anioreg: licence.year,
    nombre: person.names,
    paterno: person.paternalSurname,
    materno: person.maternalSurname,
    nombreM: showsCurp ? null : person.names,
    paternoM: showsCurp ? null : person.paternalSurname,
    maternoM: showsCurp ? null : person.maternalSurname,
    sexo: person.sex === 'HOMBRE' ? '1' : '2',
    curp: showsCurp ? person.curp : null,
    foja: String(entry % 200).padStart(3, '0'),
    libro: entry % 3 === 0 ? null : `A${entry % 90}`,
    numero: entry,
    carArea: entry % 4 === 0 ? '5' : null,
    carCons: entry % 4 === 0 ? entry % 30 : null,
    carNivel: entry % 4 === 0 ? '1' : null,
    carSarea: null,
    inscons: licence.institutionCode,
    insedo: licence.institutionState,
  };
}

function toLicencesResponse(held: readonly HeldLicence[]): ServiceResponse {
  return held.length > 0 ? found(held.map(toLicenceRecord)) : notFound('common');
}

function validateLicence({ values }: Question): ServiceResponse {
  const held = findLicenceByNumber(values.cedula ?? '');
  return toLicencesResponse(held ? [held] : []);
}

function searchLicences({ values }: Question): ServiceResponse {
  return toLicencesResponse(findLicencesByName(values.nombres ?? '', values.paterno ?? '', values.materno ?? ''));
}

function validateCertificate({ values }: Question): ServiceResponse {
  const person = findPersonByFolio(values.folio ?? '');
  if (!person?.certificate) return notFound('common');
  const { certificate } = person;
  return found({
    certificadoId: certificate.id,
    folio: certificate.folio,
    nombres: person.names,
    primerApellido: person.paternalSurname,
    segundoApellido: person.maternalSurname,
    institucion: certificate.institution,
    fechaCertificado: certificate.certifiedAt,
    estatus: certificate.status,
    tipoCertificacion: 'MEDIA SUPERIOR',
    tipoCertificado: 'TOTAL',
    promedio: certificate.average,
    carrera: certificate.career,
    tipo: 'CERTIFICADO DE TERMINACIÓN DE ESTUDIOS',
    idEntidadFederativa: certificate.state.number,
    entidadFederativa: certificate.state.name,
    fechaEmision: certificate.issuedAt,
  });
}

export function toConstanciaPath(token: string): string {
  return `/archivos/constancia-profesional/${token}`;
}

async function downloadConstancia({ values, origin, dependencies, linkFailure }: Question): Promise<ServiceResponse> {
  const curp = values.curp?.toUpperCase() ?? '';
  const person = findPersonByCurp(curp);
  if (!person || person.licences.length === 0) return notFound('common');
  const bytes = await renderConstancia({
    curp,
    fullName: [person.names, person.paternalSurname, person.maternalSurname].filter(Boolean).join(' '),
    licences: person.licences,
    issuedAt: dependencies.now(),
    validationCode: makeValidationCode(),
  });
  const file = { name: `constancia-${curp}.pdf`, contentType: 'application/pdf', bytes };
  const link = dependencies.links.issue(origin, new Map([['pdf', file]]), linkFailure);
  return found({ curp, url_constancia: link.url(toConstanciaPath) });
}

const names = [fields.nombres, fields.paterno, fields.materno];
const statusDownload = '/api/sep/grupo/descargar-constancia-profesional';

export const educationRoutes: readonly Route[] = [
  commonRoute('/api/sep/grupo/validar-cedula', 'use_validar_cedula', [fields.cedula], validateLicence),
  commonRoute('/api/sep/grupo/obtener-cedula', 'use_buscar_cedula', names, searchLicences),
  commonRoute('/api/sep/grupo/validar-certificado', 'use_validar_certificado', [fields.folio], validateCertificate),
  {
    ...commonRoute(statusDownload, 'use_descargar_constancia_profesional', [fields.curp], downloadConstancia),
    units: 2,
  },
];
