import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { parseDayFirstDateTime } from '../../../identifiers/dates';
import { parseDecimal } from '../../../identifiers/decimals';
import { checkCertificateFolio, checkLicenceNumber } from '../../../identifiers/document';
import type { Context } from '../../core/context';
import { combine, validate } from '../../core/lookup/input';
import { lookUp, mapRecords } from '../../core/lookup/lookup';
import { PaidField } from '../../core/paid-field';
import { CertificateFolio, LicenceNumber } from '../../core/scalars/scalars';
import { linkedPdf } from '../files/types';
import { resolveCurp } from '../person/identifiers';
import { reviewer } from '../person/review';
import { statusSource } from '../person/sources';
import { Person } from '../person/types';
import {
  type CertificateRecord,
  downloadProfessionalStatus,
  findCertificate,
  findLicence,
  type StatusRecord,
  searchLicences,
} from './endpoints';
import { searchByName, toLicence } from './licence-search';
import {
  LicencesLookup,
  NameMatch,
  type ProfessionalStatus,
  ProfessionalStatusLookup,
  type StudyCertificate,
  StudyCertificateLookup,
} from './types';

@Resolver(() => Person)
export class EducationResolver {
  @Query(() => LicencesLookup, {
    nullable: true,
    description: 'Validate a professional licence by its number.',
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
      'Validate an electronic certificate by its folio. Finds digitalised certificates (with a QR code) only.',
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
    @Ctx() context: Context,
  ): Promise<LicencesLookup> {
    return person.collector.track('EDUCATION_MINISTRY', searchByName(context, person, match));
  }

  @FieldResolver(() => ProfessionalStatusLookup, {
    nullable: true,
    description: 'The certificate of professional status. Needs the CURP.',
  })
  @PaidField(downloadProfessionalStatus)
  professionalStatus(@Root() person: Person, @Ctx() context: Context): Promise<ProfessionalStatusLookup> {
    const review = reviewer(context, person, statusSource);
    const toFields = (payload: StatusRecord | null) => ({ record: payload && toStatus(payload) });
    const lookup = resolveCurp(context, person).then((curp) =>
      lookUp(context, downloadProfessionalStatus, combine({ curp }), toFields, review),
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
