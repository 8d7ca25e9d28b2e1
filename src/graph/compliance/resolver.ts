import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { FileAnswer } from '../../registry/endpoint';
import type { Context } from '../context';
import { registrationOf } from '../employer/identifiers';
import { Employer } from '../employer/types';
import type { RegistryFile } from '../files/types';
import { endOfDayInMexicoCity } from '../formats/dates';
import { decimal } from '../formats/decimals';
import { checked, type Given, isRefusal, known, missing, together } from '../lookup/input';
import { askOnTheWay, lookUp } from '../lookup/lookup';
import { Asks } from '../paid-field';
import { Curp, Rfc } from '../scalars/scalars';
import { listSnapshots, rowsOf } from '../snapshots/endpoints';
import { checkRfc } from '../validation/employer';
import { checkCurp } from '../validation/person';
import { issueOpinion, type OpinionQuestion, resolveObligatedSubject, type SubjectRecord } from './endpoints';
import { ComplianceOpinionLookup, type ObligatedSubject, ObligatedSubjectLookup } from './types';

@Resolver(() => Employer)
export class ComplianceResolver {
  @FieldResolver(() => ObligatedSubjectLookup, {
    nullable: true,
    description: 'The obligated subject behind the registration. POST /private/sujeto-obligado.',
  })
  @Asks(resolveObligatedSubject)
  obligatedSubject(@Root() employer: Employer, @Ctx() context: Context): Promise<ObligatedSubjectLookup> {
    const question = together({ registration: registrationOf(context, employer) });
    return lookUp(context, resolveObligatedSubject, question, (payload) => ({
      warnings: payload?.warnings ?? [],
      record: payload && toObligatedSubject(payload),
    }));
  }

  @FieldResolver(() => ComplianceOpinionLookup, {
    nullable: true,
    description: `The 32-D opinion (PDF), good for the day it is issued. POST /private/32d-imss.
The obligated subject is resolved first; the RFC, when not given, is taken from the newest snapshot.`,
  })
  @Asks(issueOpinion)
  async complianceOpinion(
    @Root() employer: Employer,
    @Arg('rfc', () => Rfc, { nullable: true, description: "The employer's taxpayer code; looked up when not given." })
    rfc: string | null,
    @Arg('curp', () => Curp, {
      nullable: true,
      description: 'The REST parameter `curp`, for an employer who is a person.',
    })
    curp: string | null,
    @Arg('kind', () => String, { nullable: true, description: 'The REST parameter `tipo`, passed on as it is.' })
    kind: string | null,
    @Ctx() context: Context,
  ): Promise<ComplianceOpinionLookup> {
    const question = await opinionQuestion(context, employer, {
      rfc: rfc ?? null,
      curp: curp ?? null,
      kind: kind ?? null,
    });
    return lookUp(context, issueOpinion, question, (payload, { evidence }) => ({
      document: payload && toDocument(payload),
      validUntil: payload && evidence.checkedAt && endOfDayInMexicoCity(evidence.checkedAt),
    }));
  }
}

interface OpinionArguments {
  readonly rfc: string | null;
  readonly curp: string | null;
  readonly kind: string | null;
}

/** What is wrong in the arguments is told before anything is bought on the way. */
async function opinionQuestion(
  context: Context,
  employer: Employer,
  { rfc, curp, kind }: OpinionArguments,
): Promise<Given<OpinionQuestion>> {
  const given = together<{ registration: string; rfc: string | null; curp: string | null }>({
    registration: registrationOf(context, employer),
    rfc: rfc === null ? known(null) : checked(context, rfc, checkRfc, ['rfc']),
    curp: curp === null ? known(null) : checked(context, curp, checkCurp, ['curp']),
  });
  if (isRefusal(given)) return given;
  const { registration } = given.value;
  const [obligatedSubject, foundRfc] = await Promise.all([
    obligatedSubjectOf(context, registration),
    given.value.rfc === null ? newestRfc(context, registration) : known(given.value.rfc),
  ]);
  const question = together<OpinionQuestion>({ obligatedSubject, rfc: foundRfc, curp: known(curp), kind: known(kind) });
  return isRefusal(question) ? question : known(question.value, [...given.warnings, ...question.warnings]);
}

async function obligatedSubjectOf(context: Context, registration: string): Promise<Given<string>> {
  const { payload, problems } = await askOnTheWay(context, resolveObligatedSubject, { registration });
  if (payload !== null) return known(payload.meta.sujeto_obligado_id);
  return missing('the obligated subject', ['registration'], problems);
}

async function newestRfc(context: Context, registration: string): Promise<Given<string>> {
  const { payload, problems } = await askOnTheWay(context, listSnapshots, { registration });
  // An older snapshot may tell an RFC that is no longer the employer's: an opinion on it would be bought for nothing.
  const newest = rowsOf(payload ?? [], registration).find(({ registro_patronal }) => registro_patronal !== null);
  const rfc = newest?.rfc ? checked(context, newest.rfc, checkRfc, ['rfc']) : null;
  return rfc === null || isRefusal(rfc) ? missing('the RFC', ['rfc'], problems) : rfc;
}

function toObligatedSubject({ meta, clasificacion, fraccion }: SubjectRecord): ObligatedSubject {
  return {
    id: meta.sujeto_obligado_id,
    activity: clasificacion?.giro ?? null,
    fractionKey: clasificacion?.clave_fraccion ?? null,
    division: clasificacion?.division ?? null,
    group: clasificacion?.grupo ?? null,
    fractionDescription: fraccion?.descripcion ?? null,
    fractionDetail: fraccion?.descripcion_detalle ?? null,
    riskClass: fraccion?.clase ?? null,
    riskPremium: decimal(fraccion?.prima_srt ?? null),
  };
}

function toDocument(file: FileAnswer): RegistryFile {
  return {
    filename: file.filename,
    contentType: file.contentType,
    sizeBytes: file.bytes.length,
    url: null,
    expiresAt: null,
    carried: file.bytes,
  };
}
