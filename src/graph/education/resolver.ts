import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { problem } from '../../registry/answer/problem';
import type { Context } from '../context';
import { linkedPdf } from '../files/types';
import { parseDayFirstDateTime } from '../formats/dates';
import { parseDecimal } from '../formats/decimals';
import { combine, isInvalid, type Validated, validate } from '../lookup/input';
import { lookUp, mapRecords } from '../lookup/lookup';
import { PaidField } from '../paid-field';
import { type ResolvedName, resolveCurp, resolveName } from '../person/identifiers';
import { Person } from '../person/types';
import { CertificateFolio, LicenceNumber } from '../scalars/scalars';
import { checkCertificateFolio, checkLicenceNumber } from '../validation/document';
import { foldName } from '../validation/normalise';
import {
  type CertificateRecord,
  downloadProfessionalStatus,
  findCertificate,
  findLicence,
  type LicenceRecord,
  searchLicences,
} from './endpoints';
import {
  LicencesLookup,
  NameMatch,
  type ProfessionalLicence,
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
    return lookUp(context, findLicence, question, (payload, answer) => ({
      records: mapRecords(answer, payload, toLicence),
    }));
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
  async licences(
    @Root() person: Person,
    @Arg('match', () => NameMatch, {
      defaultValue: NameMatch.EXACT,
      description: 'Which of the records that the search returns to keep.',
    })
    match: NameMatch,
    @Ctx() context: Context,
  ): Promise<LicencesLookup> {
    const name = await resolveName(context, person);
    let isNameless = false;
    const lookup = await lookUp(context, searchLicences, name, (payload, answer) => {
      isNameless = payload?.some(({ nombre, paterno }) => nombre === null && paterno === null) ?? false;
      return { records: mapRecords(answer, payload && filterByMatch(payload, match, name), toLicence) };
    });
    // An answer to another question says nothing.
    const isMismatch = lookup.problems.some(({ code }) => code === 'ANSWER_MISMATCH');
    if (lookup.outcome !== 'FOUND' || lookup.records?.length !== 0 || isMismatch) return lookup;
    // Namesakes only: what the registry returned, it does not hold for this person. Whose a licence without a name is, nobody knows.
    if (!isNameless) return { ...lookup, outcome: 'NOT_FOUND' };
    const unusable = problem('UNUSABLE_ANSWER', {
      message: 'A licence came without a name, and none with this one.',
      spanish: 'Llegó una cédula sin nombre, y ninguna con este.',
    });
    return { ...lookup, outcome: 'UNAVAILABLE', problems: [...lookup.problems, unusable], records: null };
  }

  @FieldResolver(() => ProfessionalStatusLookup, {
    nullable: true,
    description:
      'The certificate of professional status. POST /api/sep/grupo/descargar-constancia-profesional. Needs the CURP.',
  })
  @PaidField(downloadProfessionalStatus)
  async professionalStatus(@Root() person: Person, @Ctx() context: Context): Promise<ProfessionalStatusLookup> {
    const question = combine({ curp: await resolveCurp(context, person) });
    return await lookUp(context, downloadProfessionalStatus, question, (payload) => ({
      record: payload && { curp: payload.curp, document: linkedPdf(payload.url_constancia) },
    }));
  }
}

function filterByMatch(
  records: readonly LicenceRecord[],
  match: NameMatch,
  name: Validated<ResolvedName>,
): readonly LicenceRecord[] {
  if (match === NameMatch.ALL || isInvalid(name)) return records;
  return records.filter((record) => isSamePerson(record, name.value));
}

/** The same name, case and accents aside; a second surname that either side lacks matches; another's CURP never does. */
function isSamePerson(record: LicenceRecord, person: ResolvedName): boolean {
  if (record.curp !== null && person.curp !== null && record.curp !== person.curp) return false;
  const { nombre, paterno, materno } = record;
  const maternalMatches =
    materno === null || person.maternalSurname === null || isSameName(materno, person.maternalSurname);
  return maternalMatches && isSameName(nombre ?? '', person.names) && isSameName(paterno ?? '', person.paternalSurname);
}

/** Most are the same letter by letter; folding is dear. */
function isSameName(left: string, right: string): boolean {
  return left === right || foldName(left) === foldName(right);
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
