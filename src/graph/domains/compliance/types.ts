import { Field, ID, ObjectType } from 'type-graphql';
import { RegistryLookup } from '../../core/lookup/types';
import { DateTime, Decimal } from '../../core/scalars/scalars';
import { RegistryFile } from '../files/types';
import { ComplianceOpinion } from '../opinion/types';

@ObjectType({ description: 'The obligated subject behind an employer registration, and how it is classified.' })
export class ObligatedSubject {
  @Field(() => ID, {
    description: 'The identifier with which the 32-D opinion is requested (`meta.sujeto_obligado_id`).',
  })
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

  @Field(() => String, { nullable: true, description: 'What the fraction covers (`fraccion.descripcion_detalle`).' })
  readonly fractionDetail: string | null;

  @Field(() => String, { nullable: true, description: 'Risk class, I to V (`fraccion.clase`).' })
  readonly riskClass: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Risk premium, per cent (`fraccion.prima_srt`).' })
  readonly riskPremium: string | null;
}

@ObjectType({ implements: RegistryLookup, description: 'The resolution of an employer registration.' })
export class ObligatedSubjectLookup extends RegistryLookup {
  @Field(() => [String], { description: "The service's warnings (`warnings`), unchanged." })
  readonly warnings: readonly string[];

  @Field(() => ObligatedSubject, { nullable: true, description: 'The obligated subject; null unless FOUND.' })
  readonly record: ObligatedSubject | null;
}

@ObjectType({
  implements: RegistryLookup,
  description:
    'The 32-D opinion on compliance in social security. FOUND only means that a document was issued. `opinion { sense }` says whether the employer complies.',
})
export class ComplianceOpinionLookup extends RegistryLookup {
  @Field(() => ComplianceOpinion, {
    nullable: true,
    description: `What the document says. padron reads the PDF if you select this field, without another call.
Null unless FOUND, and if the document cannot be read with certainty: then \`problems\` has OPINION_UNREADABLE, or
ANSWER_MISMATCH if it is about another RFC. Null is not a result: do not show it as one.`,
  })
  readonly opinion: ComplianceOpinion | null;

  @Field(() => RegistryFile, {
    nullable: true,
    description:
      'The opinion as a PDF. Null unless FOUND. Its existence says nothing about the employer: see `opinion`.',
  })
  readonly document: RegistryFile | null;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'End of the day of the answer in Mexico City (23:59:59), calculated without the document. `opinion { validUntil }` is the date in the document.',
  })
  readonly validUntil: Date | null;
}

export const spanishNames = {
  complianceOpinion: 'opinión de cumplimiento',
  division: 'división',
  fractionDescription: 'descripción de la fracción',
  fractionDetail: 'detalle de la fracción',
  fractionKey: 'clave de la fracción',
  group: 'grupo',
  obligatedSubject: 'sujeto obligado',
  opinion: 'opinión',
};
