import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { parseDayFirstDateTime } from '../../../identifiers/dates';
import { parseDecimal } from '../../../identifiers/decimals';
import { checkCertificateFolio, checkLicenceNumber } from '../../../identifiers/document';
import { foldName } from '../../../identifiers/normalise';
import type { Answer } from '../../../registry/answer/answer';
import { problem } from '../../../registry/answer/problem';
import type { LookupContext } from '../../core/context';
import {
  combine,
  isInvalid,
  lookUp,
  mapRecords,
  type Validated,
  validate,
  withoutMatch,
  withProblems,
} from '../../core/lookup/lookup';
import { PaidField } from '../../core/paid-field';
import { CertificateFolio, LicenceNumber } from '../../core/scalars/scalars';
import { linkedPdf } from '../files/types';
import { isSameCurp } from '../person/facts';
import { type ResolvedName, resolveCurp, resolveName } from '../person/identifiers';
import { licencesSource, reviewer, statusSource } from '../person/review';
import { Person } from '../person/types';
import {
  type CertificateRecord,
  downloadProfessionalStatus,
  findCertificate,
  findLicence,
  type LicenceRecord,
  type StatusRecord,
  searchLicences,
} from './endpoints';
import {
  LicencesLookup,
  NameMatch,
  type ProfessionalLicence,
  type ProfessionalStatus,
  ProfessionalStatusLookup,
  type StudyCertificate,
  StudyCertificateLookup,
} from './types';

async function searchByName(context: LookupContext, person: Person, match: NameMatch): Promise<LicencesLookup> {
  const name = await resolveName(context, person);
  // Filtered once, for the records that are shown and for those that are reviewed.
  let matching: readonly LicenceRecord[] | null = null;
  const select = (records: readonly LicenceRecord[]) => {
    matching ??= filterByName(records, name);
    return matching;
  };
  const review = reviewer(context, person, licencesSource(select));
  let isNameless = false;
  const toFields = (payload: readonly LicenceRecord[] | null, answer: Answer<readonly LicenceRecord[]>) => {
    isNameless = payload?.some(({ nombre, paterno }) => nombre === null && paterno === null) ?? false;
    const kept = payload === null || match === NameMatch.ALL ? payload : select(payload);
    const records = mapRecords(answer, kept, toLicence);
    return { records, setAside: records && (payload?.length ?? 0) - records.length };
  };
  const lookup = await lookUp(context, searchLicences, name, toFields, review);
  const { outcome, records, setAside } = lookup;
  // An answer to another question contains nothing about this person.
  const isMismatch = lookup.problems.some(({ code }) => code === 'ANSWER_MISMATCH');
  if (outcome !== 'FOUND' || records?.length !== 0 || isMismatch) return lookup;
  // A licence without a name may belong to this person.
  if (isNameless) {
    const unusable = problem('UNUSABLE_ANSWER', {
      message: 'The registry returned a licence without a name and none with this name. Use `match: ALL` to see it.',
      spanish: 'El registro devolvió una cédula sin nombre y ninguna con este. Use `match: ALL` para verla.',
    });
    const withoutRecords = { ...lookup, outcome: 'UNAVAILABLE', records: null, setAside: null } as const;
    return withProblems(context, withoutRecords, [unusable]);
  }
  return withoutMatch(context, lookup, {
    message: `The registry returned ${setAside} record(s), none of which is this person's. Use \`match: ALL\` to see them.`,
    spanish: `El registro devolvió ${setAside} cédula(s), ninguna de esta persona. Use \`match: ALL\` para verlas.`,
  });
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

function filterByName(records: readonly LicenceRecord[], name: Validated<ResolvedName>): readonly LicenceRecord[] {
  return isInvalid(name) ? records : records.filter((record) => isSamePerson(record, name.value));
}

/**
 * Whether a record belongs to the person: names are equal without case and accents, and CURPs do not differ. A missing second
 * surname matches any.
 */
function isSamePerson(record: LicenceRecord, person: ResolvedName): boolean {
  if (record.curp !== null && person.curp !== null && !isSameCurp(record.curp, person.curp)) return false;
  const { nombre, paterno, materno } = record;
  const maternalMatches =
    materno === null || person.maternalSurname === null || isSameName(materno, person.maternalSurname);
  return maternalMatches && isSameName(nombre ?? '', person.names) && isSameName(paterno ?? '', person.paternalSurname);
}

function isSameName(left: string, right: string): boolean {
  return left === right || foldName(left) === foldName(right);
}

@Resolver(() => Person)
export class EducationResolver {
  @Query(() => LicencesLookup, { nullable: true, description: 'Validate a professional licence by its number.' })
  @PaidField(findLicence)
  professionalLicence(
    @Arg('number', () => LicenceNumber, { description: 'The licence number (cédula).' }) number: string,
    @Ctx() context: LookupContext,
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
      'Validate an electronic certificate by its folio. Finds digitalised certificates (with a QR code) only.',
  })
  @PaidField(findCertificate)
  studyCertificate(
    @Arg('folio', () => CertificateFolio, { description: 'The electronic folio.' }) folio: string,
    @Ctx() context: LookupContext,
  ): Promise<StudyCertificateLookup> {
    const question = combine({ folio: validate(context, folio, checkCertificateFolio, ['folio']) });
    return lookUp(context, findCertificate, question, (payload) => ({ record: payload && toCertificate(payload) }));
  }

  @FieldResolver(() => LicencesLookup, {
    nullable: true,
    description:
      "The person's professional licences. Needs the name. The registry's search is not exact: `match` selects the records to keep.",
  })
  @PaidField(searchLicences)
  licences(
    @Root() person: Person,
    @Arg('match', () => NameMatch, {
      defaultValue: NameMatch.EXACT,
      description: 'Which of the records that the search returns to keep.',
    })
    match: NameMatch,
    @Ctx() context: LookupContext,
  ): Promise<LicencesLookup> {
    return person.collector.track('EDUCATION_MINISTRY', searchByName(context, person, match));
  }

  @FieldResolver(() => ProfessionalStatusLookup, {
    nullable: true,
    description: 'The certificate of professional status. Needs the CURP.',
  })
  @PaidField(downloadProfessionalStatus)
  professionalStatus(@Root() person: Person, @Ctx() context: LookupContext): Promise<ProfessionalStatusLookup> {
    const review = reviewer(context, person, statusSource);
    const toFields = (payload: StatusRecord | null) => ({ record: payload && toStatus(payload) });
    const lookup = resolveCurp(context, person).then((curp) =>
      lookUp(context, downloadProfessionalStatus, curp, toFields, review),
    );
    return person.collector.track('EDUCATION_MINISTRY', lookup);
  }
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
