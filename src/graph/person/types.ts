import { Directive, Field, InputType, ObjectType } from 'type-graphql';
import { Curp, Nss } from '../scalars/scalars';

@InputType({ description: "A person's name, as registries split it." })
export class PersonNameInput {
  @Field(() => String, { description: 'First name or names (`nombres`).' })
  readonly names: string;

  @Field(() => String, { description: 'First surname (`paterno`).' })
  readonly paternalSurname: string;

  @Field(() => String, { nullable: true, description: 'Second surname (`materno`), where the person has one.' })
  readonly maternalSurname?: string | null;
}

@Directive('@key(fields: "nss")')
@Directive('@key(fields: "curp")')
@ObjectType({
  description: `A person across registries. A field that needs an identifier you did not give finds it once through the registry that
knows it (name and CURP through the housing fund by NSS; name through the population registry by CURP): a paid lookup
like any other, shown in the estimate. Where none can tell, the outcome is NOT_RUN with the problem MISSING_IDENTIFIER.`,
})
export class Person {
  @Field(() => Nss, { nullable: true, description: 'Social security number, as given: never looked up.' })
  readonly nss: string | null;

  @Field(() => Curp, {
    nullable: true,
    description:
      'Population registry code, as given: never looked up. Null when the person was entered by NSS: do not key another subgraph by CURP behind it.',
  })
  readonly curp: string | null;

  /** Not shown: it is what the caller already knows. */
  readonly name: PersonNameInput | null;
}
