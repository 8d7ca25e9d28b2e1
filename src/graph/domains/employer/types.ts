import { Directive, Field, ObjectType } from 'type-graphql';
import { EmployerRegistration } from '../../core/scalars/scalars';

@Directive('@key(fields: "registration")')
@ObjectType({ description: 'An employer registration, and the records of the social security institute about it.' })
export class Employer {
  @Field(() => EmployerRegistration, { description: 'Employer registration (registro patronal), as given.' })
  readonly registration: string;
}
