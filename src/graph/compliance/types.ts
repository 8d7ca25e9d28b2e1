import { Field, ID, ObjectType } from 'type-graphql';
import { RegistryFile } from '../files/types';
import { RegistryLookup } from '../lookup/types';
import { ComplianceOpinion } from '../opinion/types';
import { DateTime, Decimal } from '../scalars/scalars';

@ObjectType({ description: 'The obligated subject behind an employer registration, and how it is classified.' })
export class ObligatedSubject {
  @Field(() => ID, { description: 'The identifier that the 32-D opinion is asked by (`meta.sujeto_obligado_id`).' })
  readonly id: string;

  @Field(() => String, { nullable: true, description: 'Line of business (`clasificacion.giro`).' })
  readonly activity: string | null;

  @Field(() => String, { nullable: true, description: 'Key of the fraction (`clasificacion.clave_fraccion`).' })
  readonly fractionKey: string | null;

  @Field(() => String, { nullable: true, description: 'Division of the catalogue (`clasificacion.division`).' })
  readonly division: string | null;

  @Field(() => String, { nullable: true, description: 'Group of the catalogue (`clasificacion.grupo`).' })
  readonly group: string | null;

  @Field(() => String, { nullable: true, description: 'The fraction in words (`fraccion.descripcion`).' })
  readonly fractionDescription: string | null;

  @Field(() => String, { nullable: true, description: 'What it covers (`fraccion.descripcion_detalle`).' })
  readonly fractionDetail: string | null;

  @Field(() => String, { nullable: true, description: 'Risk class, I to V (`fraccion.clase`).' })
  readonly riskClass: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Risk premium, per cent (`fraccion.prima_srt`).' })
  readonly riskPremium: string | null;
}

@ObjectType({ implements: RegistryLookup, description: 'The resolution of an employer registration.' })
export class ObligatedSubjectLookup extends RegistryLookup {
  @Field(() => [String], { description: "The service's warnings (`warnings`), as they came." })
  readonly warnings: readonly string[];

  @Field(() => ObligatedSubject, { nullable: true, description: 'The obligated subject; null unless FOUND.' })
  readonly record: ObligatedSubject | null;
}

@ObjectType({
  implements: RegistryLookup,
  description:
    'The 32-D opinion on compliance in social security. FOUND says only that a document was issued: whether it is good news, `opinion { sense }` says.',
})
export class ComplianceOpinionLookup extends RegistryLookup {
  @Field(() => ComplianceOpinion, {
    nullable: true,
    description: `What the document says. The PDF is read where this field is selected; no call, no units.
Null unless FOUND, and where the document cannot be read with certainty: then \`problems\` has OPINION_UNREADABLE, or
ANSWER_MISMATCH if it is about another RFC. Null is not a result: do not show it as one.`,
  })
  readonly opinion: ComplianceOpinion | null;

  @Field(() => RegistryFile, {
    nullable: true,
    description:
      'The opinion as a PDF; null unless FOUND. That there is one says nothing of the employer: see `opinion`.',
  })
  readonly document: RegistryFile | null;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'End of the day of the answer in Mexico City (23:59:59), reckoned without reading the document; `opinion { validUntil }` is what it states.',
  })
  readonly validUntil: Date | null;
}
