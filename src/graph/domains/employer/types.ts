import { Directive } from 'type-graphql';
import { fields, nonNull, Output } from '../../core/fields';
import { EmployerRegistration } from '../../core/scalars/scalars';

@Directive('@key(fields: "registration")')
@Output('An employer registration, and the records of the social security institute about it.')
export class Employer extends fields({
  registration: nonNull(EmployerRegistration, 'Employer registration (registro patronal), as given.'),
}) {}
