import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { endOfDayInMexicoCity } from '../../../identifiers/dates';
import { parseDecimal } from '../../../identifiers/decimals';
import { checkCurp, checkRfc } from '../../../identifiers/subjects';
import { type Problem, problem } from '../../../registry/answer/problem';
import type { FileAnswer } from '../../../registry/endpoint/endpoint';
import type { LookupContext } from '../../core/context';
import type { PdfProblem } from '../../core/files/pdf-text-reader';
import {
  combine,
  fetchPrerequisite,
  isInvalid,
  lookUp,
  missingIdentifier,
  type Validated,
  valid,
  validate,
  validateText,
  withProblems,
} from '../../core/lookup/lookup';
import { selects } from '../../core/operations/selections';
import { PaidField } from '../../core/paid-field';
import { Curp, Rfc } from '../../core/scalars/scalars';
import { domainCodes } from '../codes';
import { resolveRegistration } from '../employer/identifiers';
import { Employer } from '../employer/types';
import type { RegistryFile } from '../files/types';
import { readOpinion } from '../opinion/read-opinion';
import type { ComplianceOpinion } from '../opinion/types';
import { filterByRegistration, listSnapshots } from '../snapshots/endpoints';
import { issueOpinion, type OpinionQuestion, resolveObligatedSubject, type SubjectRecord } from './endpoints';
import { ComplianceOpinionLookup, type ObligatedSubject, ObligatedSubjectLookup } from './types';

@Resolver(() => Employer)
export class ComplianceResolver {
  @FieldResolver(() => ObligatedSubjectLookup, {
    nullable: true,
    description: 'The obligated subject behind the registration.',
  })
  @PaidField(resolveObligatedSubject)
  obligatedSubject(@Root() employer: Employer, @Ctx() context: LookupContext): Promise<ObligatedSubjectLookup> {
    const question = combine({ registration: resolveRegistration(context, employer) });
    return lookUp(context, resolveObligatedSubject, question, (payload) => ({
      warnings: payload?.warnings ?? [],
      record: payload && toObligatedSubject(payload),
    }));
  }

  @FieldResolver(() => ComplianceOpinionLookup, {
    nullable: true,
    description: `The 32-D opinion (PDF) and its content. It is valid on the day of its issue.
padron resolves the obligated subject first, and takes the RFC from the newest snapshot if you do not give it.
FOUND only means that there is a document, which may be a negative opinion. \`opinion { sense }\` tells them apart.`,
  })
  @PaidField(issueOpinion)
  async complianceOpinion(
    @Root() employer: Employer,
    @Arg('rfc', () => Rfc, { nullable: true, description: "The employer's taxpayer code. Looked up if omitted." })
    rfc: string | null,
    @Arg('curp', () => Curp, {
      nullable: true,
      description: 'The REST parameter `curp`, for an employer who is a person.',
    })
    curp: string | null,
    @Arg('kind', () => String, { nullable: true, description: 'The REST parameter `tipo`, passed on unchanged.' })
    kind: string | null,
    @Ctx() context: LookupContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ComplianceOpinionLookup> {
    const question = await buildOpinionQuestion(context, employer, { rfc, curp, kind });
    const lookup = await lookUp(context, issueOpinion, question, (payload, { evidence }) => ({
      opinion: null,
      document: payload && toDocument(payload),
      validUntil: payload && evidence.checkedAt && endOfDayInMexicoCity(evidence.checkedAt),
    }));
    const bytes = lookup.document?.inlineContent;
    if (isInvalid(question) || !Buffer.isBuffer(bytes) || !selects(info, 'opinion')) return lookup;
    const { opinion, problems } = await readDocument(context, bytes, question.value.rfc);
    return withProblems(context, { ...lookup, opinion }, problems);
  }
}

/** Maximum length of `kind`. The interface does not list its values, and the question is stored with its answer. */
const maxKindLength = 100;

async function readDocument(
  { pdfText }: LookupContext,
  bytes: Buffer,
  rfc: string,
): Promise<{ readonly opinion: ComplianceOpinion | null; readonly problems: readonly Problem[] }> {
  const reading = await pdfText.read(bytes);
  if ('problem' in reading)
    return { opinion: null, problems: [problem(domainCodes.OPINION_UNREADABLE, unreadable[reading.problem])] };
  const printed = readOpinion(reading);
  if (printed === null) return { opinion: null, problems: [problem(domainCodes.OPINION_UNREADABLE)] };
  if (printed.rfc !== rfc) return { opinion: null, problems: [problem('ANSWER_MISMATCH', { path: ['rfc'] })] };
  return { opinion: printed.opinion, problems: [] };
}

const unreadable: Readonly<Record<PdfProblem, { readonly message: string; readonly spanish: string }>> = {
  UNREADABLE: {
    message:
      'The document cannot be read as a PDF: it is damaged, protected, or too large when unpacked. Read `document`.',
    spanish:
      'El documento no se puede leer como PDF: está dañado o protegido, o es demasiado grande al descomprimirlo. Lea `document`.',
  },
  TOO_LARGE: {
    message: 'The document is too large to be read automatically. Read `document`.',
    spanish: 'El documento es demasiado grande para leerlo automáticamente. Lea `document`.',
  },
  TOO_LONG: {
    message: 'The document has too many pages or too much text to be read automatically. Read `document`.',
    spanish: 'El documento tiene demasiadas páginas o demasiado texto para leerlo automáticamente. Lea `document`.',
  },
  TOO_SLOW: {
    message: 'The document takes too long to read. Read `document`.',
    spanish: 'Leer el documento toma demasiado tiempo. Lea `document`.',
  },
};

/** Builds the question. Validates all arguments before it makes a paid call for a missing identifier. */
async function buildOpinionQuestion(
  context: LookupContext,
  employer: Employer,
  { rfc, curp, kind }: Readonly<Record<'rfc' | 'curp' | 'kind', string | null>>,
): Promise<Validated<OpinionQuestion>> {
  const input = combine<Omit<OpinionQuestion, 'rfc' | 'obligatedSubject'> & { readonly rfc: string | null }>({
    registration: resolveRegistration(context, employer),
    rfc: rfc === null ? valid(null) : validate(context, rfc, checkRfc, ['rfc']),
    curp: curp === null ? valid(null) : validate(context, curp, checkCurp, ['curp']),
    kind: validateText(kind, maxKindLength, 'kind'),
  });
  if (isInvalid(input)) return input;
  const { registration } = input.value;
  const [obligatedSubject, foundRfc] = await Promise.all([
    fetchObligatedSubject(context, registration),
    input.value.rfc === null ? fetchNewestRfc(context, registration) : valid(input.value.rfc),
  ]);
  const found = combine({ obligatedSubject, rfc: foundRfc });
  return isInvalid(found) ? found : valid({ ...input.value, ...found.value }, [...input.warnings, ...found.warnings]);
}

async function fetchObligatedSubject(context: LookupContext, registration: string): Promise<Validated<string>> {
  const { payload, problems } = await fetchPrerequisite(context, resolveObligatedSubject, { registration });
  const subject = payload?.meta?.sujeto_obligado_id;
  if (subject !== undefined) return valid(subject);
  return missingIdentifier('the obligated subject', ['registration'], problems);
}

async function fetchNewestRfc(context: LookupContext, registration: string): Promise<Validated<string>> {
  const { payload, problems } = await fetchPrerequisite(context, listSnapshots, { registration });
  // Only the newest snapshot counts: an older one may have an outdated RFC, and an opinion on it would be useless.
  const newest = filterByRegistration(payload ?? [], registration).find(
    ({ registro_patronal }) => registro_patronal !== null,
  );
  const rfc = newest?.rfc ? validate(context, newest.rfc, checkRfc, ['rfc']) : null;
  return rfc === null || isInvalid(rfc) ? missingIdentifier('the RFC', ['rfc'], problems) : rfc;
}

function toObligatedSubject({ meta, clasificacion, fraccion }: SubjectRecord): ObligatedSubject {
  return {
    id: meta?.sujeto_obligado_id ?? null,
    activity: clasificacion?.giro ?? null,
    fractionKey: clasificacion?.clave_fraccion ?? null,
    division: clasificacion?.division ?? null,
    group: clasificacion?.grupo ?? null,
    fractionDescription: fraccion?.descripcion ?? null,
    fractionDetail: fraccion?.descripcion_detalle ?? null,
    riskClass: fraccion?.clase ?? null,
    riskPremium: parseDecimal(fraccion?.prima_srt ?? null),
  };
}

function toDocument(file: FileAnswer): RegistryFile {
  return {
    filename: file.filename,
    contentType: file.contentType,
    sizeBytes: file.bytes.length,
    url: null,
    expiresAt: null,
    inlineContent: file.bytes,
    receipt: null,
  };
}
