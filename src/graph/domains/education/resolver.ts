import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { parseDayFirstDateTime } from '../../../identifiers/dates';
import { parseDecimal } from '../../../identifiers/decimals';
import { checkCertificateFolio, checkLicenceNumber } from '../../../identifiers/document';
import { likenessOf } from '../../../identifiers/names';
import type { Answer } from '../../../registry/answer/answer';
import { problem } from '../../../registry/answer/problem';
import type { LookupContext } from '../../core/context';
import {
  combine,
  isInvalid,
  lookUp,
  mapRecords,
  type Review,
  validate,
  withoutMatch,
  withProblems,
} from '../../core/lookup/lookup';
import { PaidField } from '../../core/paid-field';
import { CertificateFolio, LicenceNumber } from '../../core/scalars/scalars';
import { domainCodes } from '../codes';
import { linkedPdf } from '../files/types';
import type { IdentityCollector } from '../person/collector';
import { compareCurps, type ReplacedCurps } from '../person/facts';
import { type ResolvedName, resolveCurp, resolveName } from '../person/identifiers';
import { lookUpPerson } from '../person/review';
import { Person } from '../person/types';
import {
  type CertificateRecord,
  downloadProfessionalStatus,
  findCertificate,
  findLicence,
  type LicenceRecord,
  type NameQuestion,
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

function searchByName(context: LookupContext, person: Person, match: NameMatch): Promise<LicencesLookup> {
  const isWhole = match === NameMatch.ALL;
  // It is known before the answers are reviewed.
  let sorted: SortedRecords | null = null;
  const search = async (review: Review<NameQuestion, LicenceRecord[]>): Promise<LicencesLookup> => {
    const name = await resolveName(context, person);
    const read = (payload: LicenceRecord[] | null, answer: Answer<LicenceRecord[]>) => ({ payload, answer });
    const { payload, answer, ...lookup } = await lookUp(context, searchLicences, name, read, review);
    if (payload !== null && !isInvalid(name)) sorted = await sortByPerson(payload, name.value, person.collector);
    const records = mapRecords(answer, isWhole ? payload : (sorted?.own ?? payload), toLicence);
    const searchedName = isInvalid(name) || context.dataSource.isDryRun ? null : name.value;
    const setAside = records && (payload?.length ?? 0) - records.length;
    const licences = { ...lookup, records, searchedName, setAside };
    return isWhole ? licences : withDoubts(context, licences, sorted);
  };
  return lookUpPerson(context, person, searchLicences, search, (records) => sorted?.own ?? records);
}

/** Adds what the search leaves open: whose the other records are. */
function withDoubts(context: LookupContext, lookup: LicencesLookup, sorted: SortedRecords | null): LicencesLookup {
  const { outcome, records, setAside } = lookup;
  // An answer to another question contains nothing about this person.
  const isMismatch = lookup.problems.some(({ code }) => code === 'ANSWER_MISMATCH');
  if (outcome !== 'FOUND' || sorted === null || isMismatch) return lookup;
  const possible = sorted.possible.length;
  if (possible > 0) {
    const doubt = problem(domainCodes.POSSIBLE_RECORDS, {
      message: `${possible} record(s) may be this person's: the name is written differently or incomplete, and no CURP decides. Use \`match: ALL\` to see them, or give the CURP and the whole name.`,
      spanish: `${possible} cédula(s) podrían ser de esta persona: el nombre está escrito de otra forma o incompleto, y ninguna CURP lo decide. Use \`match: ALL\` para verlas, o dé la CURP y el nombre completo.`,
    });
    // «No licence» would be a conclusion that nothing supports.
    const undecided =
      records?.length === 0 ? ({ outcome: 'UNAVAILABLE', records: null, setAside: null } as const) : null;
    return withProblems(context, { ...lookup, ...undecided }, [doubt]);
  }
  if (records?.length !== 0) return lookup;
  return withoutMatch(context, lookup, {
    message: `The registry returned ${setAside} record(s), none of which is this person's. Use \`match: ALL\` to see them.`,
    spanish: `El registro devolvió ${setAside} cédula(s), ninguna de esta persona. Use \`match: ALL\` para verlas.`,
  });
}

function toLicence(record: LicenceRecord): ProfessionalLicence {
  return {
    number: record.idCedula ?? null,
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
    curp: record.curp ?? null,
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

interface SortedRecords {
  readonly own: LicenceRecord[];
  /** Records that may be this person's, although nothing decides it. */
  readonly possible: readonly LicenceRecord[];
}

async function sortByPerson(
  records: readonly LicenceRecord[],
  name: ResolvedName,
  collector: IdentityCollector,
): Promise<SortedRecords> {
  const isOfOtherCurp = ({ curp }: LicenceRecord) =>
    compareCurps(curp ?? null, name.curp, collector.replaced) === 'DIFFERENT';
  // The population registry may still say that one of the two CURPs replaced the other.
  const isDecided = !records.some(isOfOtherCurp) || (await collector.whenAnswered('POPULATION_REGISTRY'));
  const belongs = records.map((record) => [record, belongsTo(record, name, collector.replaced, isDecided)] as const);
  const those = (wanted: Belonging) => belongs.filter(([, each]) => each === wanted).map(([record]) => record);
  return { own: those('OWN'), possible: those('POSSIBLE') };
}

type Belonging = 'OWN' | 'POSSIBLE' | 'OTHER';

/** Whose a record is. An equal CURP decides, whatever the name, and so does another one, unless it may have replaced that of the person. */
function belongsTo(
  record: LicenceRecord,
  { wholeName, curp }: ResolvedName,
  replaced: ReplacedCurps,
  isDecided: boolean,
): Belonging {
  const byCurp = compareCurps(record.curp ?? null, curp, replaced);
  if (byCurp === 'SAME') return 'OWN';
  if (byCurp === 'DIFFERENT' && isDecided) return 'OTHER';
  const { nombre, paterno, materno } = record;
  const likeness = likenessOf({ names: nombre, paternalSurname: paterno, maternalSurname: materno }, wholeName);
  // A licence without a name, or with a CURP that cannot be read, may be anybody's.
  if (likeness === 'DIFFERENT') return 'OTHER';
  return likeness === 'SAME' && byCurp === null && record.curp !== undefined ? 'OWN' : 'POSSIBLE';
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
      return { records, searchedName: null, setAside: records && 0 };
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
    return searchByName(context, person, match);
  }

  @FieldResolver(() => ProfessionalStatusLookup, {
    nullable: true,
    description: 'The certificate of professional status. Needs the CURP.',
  })
  @PaidField(downloadProfessionalStatus)
  professionalStatus(@Root() person: Person, @Ctx() context: LookupContext): Promise<ProfessionalStatusLookup> {
    const toFields = (payload: StatusRecord | null) => ({ record: payload && toStatus(payload) });
    return lookUpPerson(context, person, downloadProfessionalStatus, (review) =>
      resolveCurp(context, person).then((curp) => lookUp(context, downloadProfessionalStatus, curp, toFields, review)),
    );
  }
}

function toStatus({ curp, url_constancia }: StatusRecord): ProfessionalStatus {
  return { curp: curp ?? null, document: linkedPdf(url_constancia ?? null) };
}

function toCertificate(record: CertificateRecord): StudyCertificate {
  return {
    id: record.certificadoId,
    folio: record.folio ?? null,
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
