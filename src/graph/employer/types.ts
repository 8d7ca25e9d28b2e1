import { Directive, Field, ObjectType } from 'type-graphql';
import { EmployerRegistration } from '../scalars/scalars';

@Directive('@key(fields: "registration")')
@ObjectType({ description: 'An employer registration and what the social security institute holds on it.' })
export class Employer {
  @Field(() => EmployerRegistration, { description: 'Employer registration (registro patronal), as given.' })
  readonly registration: string;
}
