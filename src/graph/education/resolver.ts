import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Answer } from '../../registry/answer/answer';
import type { Context } from '../context';
import { linkedPdf } from '../files/types';
import { parseDayFirstDateTime } from '../formats/dates';
import { parseDecimal } from '../formats/decimals';
import { combine, validate } from '../lookup/input';
import { lookUp, mapRecords, withoutMatch } from '../lookup/lookup';
import { PaidField } from '../paid-field';
import { resolveCurp, resolveName } from '../person/identifiers';
import { reviewer } from '../person/review';
import { licencesSource, statusSource } from '../person/sources';
import { Person } from '../person/types';
import { CertificateFolio, LicenceNumber } from '../scalars/scalars';
import { checkCertificateFolio, checkLicenceNumber } from '../validation/document';
import {
  type CertificateRecord,
  downloadProfessionalStatus,
  findCertificate,
  findLicence,
  type LicenceRecord,
  type StatusRecord,
  searchLicences,
} from './endpoints';
import { filterByName } from './name-match';
import {
  LicencesLookup,
  NameMatch,
  type ProfessionalLicence,
  type ProfessionalStatus,
  ProfessionalStatusLookup,
  type StudyCertificate,
  StudyCertificateLookup,
} from './types';

@Resolver(() => Person)
export class EducationResolver {
  @Query(() => LicencesLookup, {
    nullable: true,
    description: 'Validate a professional licence by its number. POST /api/sep/grupo/validar-cedula.',
  })
  @PaidField(findLicence)
  professionalLicence(
    @Arg('number', () => LicenceNumber, { description: 'The licence number (cédula).' }) number: string,
    @Ctx() context: Context,
  ): Promise<LicencesLookup> {
    const question = combine({ number: validate(context, number, checkLicenceNumber, ['number']) });
    return lookUp(context, findLicence, question, (payload, answer) => {
      const records = mapRecords(answer, payload, toLicence);
      return { records, setAside: records && 0 };
    });
  }

  @Query(() => StudyCertificateLookup, {
    nullable: true,
    description:
      'Validate an electronic certificate by its folio. POST /api/sep/grupo/validar-certificado. Finds digitalised certificates (with a QR code) only.',
  })
  @PaidField(findCertificate)
  studyCertificate(
    @Arg('folio', () => CertificateFolio, { description: 'The electronic folio.' }) folio: string,
    @Ctx() context: Context,
  ): Promise<StudyCertificateLookup> {
    const question = combine({ folio: validate(context, folio, checkCertificateFolio, ['folio']) });
    return lookUp(context, findCertificate, question, (payload) => ({ record: payload && toCertificate(payload) }));
  }

  @FieldResolver(() => LicencesLookup, {
    nullable: true,
    description:
      "The person's professional licences. POST /api/sep/grupo/obtener-cedula. Needs the name. The registry's search is not exact: `match` says what to keep.",
  })
  @PaidField(searchLicences)
  licences(
    @Root() person: Person,
    @Arg('match', () => NameMatch, {
      defaultValue: NameMatch.EXACT,
      description: 'Which of the records that the search returns to keep.',
    })
    match: NameMatch,
    @Ctx() context: Context,
  ): Promise<LicencesLookup> {
    return person.inquiry.follow('EDUCATION_MINISTRY', searchByName(context, person, match));
  }

  @FieldResolver(() => ProfessionalStatusLookup, {
    nullable: true,
    description:
      'The certificate of professional status. POST /api/sep/grupo/descargar-constancia-profesional. Needs the CURP.',
  })
  @PaidField(downloadProfessionalStatus)
  professionalStatus(@Root() person: Person, @Ctx() context: Context): Promise<ProfessionalStatusLookup> {
    const review = reviewer(context, person, statusSource);
    const toFields = (payload: StatusRecord | null) => ({ record: payload && toStatus(payload) });
    const lookup = resolveCurp(context, person).then((curp) =>
      lookUp(context, downloadProfessionalStatus, combine({ curp }), toFields, review),
    );
    return person.inquiry.follow('EDUCATION_MINISTRY', lookup);
  }
}

async function searchByName(context: Context, person: Person, match: NameMatch): Promise<LicencesLookup> {
  const name = await resolveName(context, person);
  // Both what is shown and what is reviewed, and comparing names takes its time.
  let matching: readonly LicenceRecord[] | null = null;
  const select = (records: readonly LicenceRecord[]) => {
    matching ??= filterByName(records, name);
    return matching;
  };
  const review = reviewer(context, person, licencesSource(select));
  const toFields = (payload: readonly LicenceRecord[] | null, answer: Answer<readonly LicenceRecord[]>) => {
    const kept = payload === null || match === NameMatch.ALL ? payload : select(payload);
    const records = mapRecords(answer, kept, toLicence);
    return { records, setAside: records && (payload?.length ?? 0) - records.length };
  };
  const lookup = await lookUp(context, searchLicences, name, toFields, review);
  const { outcome, records, setAside } = lookup;
  // An answer to another question says nothing of this person.
  const isMismatch = lookup.problems.some(({ code }) => code === 'ANSWER_MISMATCH');
  if (outcome !== 'FOUND' || records?.length !== 0 || isMismatch) return lookup;
  const message = `The registry returned ${setAside} record(s), none of which is this person's. \`match: ALL\` shows them.`;
  return withoutMatch(lookup, message);
}

function toLicence(record: LicenceRecord): ProfessionalLicence {
  return {
    number: record.idCedula,
    kind: record.tipo,
    title: record.titulo,
    institution: record.desins,
    registrationYear: record.anioreg,
    names: record.nombre,
    paternalSurname: record.paterno,
    maternalSurname: record.materno,
    namesM: record.nombreM,
    paternalSurnameM: record.paternoM,
    maternalSurnameM: record.maternoM,
    sex: record.sexo,
    curp: record.curp,
    sheet: record.foja,
    book: record.libro,
    entry: record.numero,
    areaCode: record.carArea,
    consecutive: record.carCons,
    levelCode: record.carNivel,
    subareaCode: record.carSarea,
    institutionCode: record.inscons,
    institutionStateCode: record.insedo,
  };
}

function toStatus({ curp, url_constancia }: StatusRecord): ProfessionalStatus {
  return { curp, document: linkedPdf(url_constancia) };
}

function toCertificate(record: CertificateRecord): StudyCertificate {
  return {
    id: record.certificadoId,
    folio: record.folio,
    names: record.nombres,
    paternalSurname: record.primerApellido,
    maternalSurname: record.segundoApellido,
    institution: record.institucion,
    certifiedAt: parseDayFirstDateTime(record.fechaCertificado),
    status: record.estatus,
    level: record.tipoCertificacion,
    kind: record.tipoCertificado,
    gradeAverage: parseDecimal(record.promedio),
    career: record.carrera,
    category: record.tipo,
    stateCode: record.idEntidadFederativa,
    state: record.entidadFederativa,
    issuedAt: parseDayFirstDateTime(record.fechaEmision),
  };
}
