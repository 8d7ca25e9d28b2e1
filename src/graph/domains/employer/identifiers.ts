import { checkEmployerRegistration } from '../../../identifiers/subjects';
import type { LookupContext } from '../../core/context';
import { type Validated, validate } from '../../core/lookup/lookup';
import type { Employer } from './types';

export function resolveRegistration(context: LookupContext, employer: Employer): Validated<string> {
  return validate(context, employer.registration, checkEmployerRegistration, ['registration']);
}
