import type { Context } from '../context';
import { type Validated, validate } from '../lookup/input';
import { checkEmployerRegistration } from '../validation/employer';
import type { Employer } from './types';

/** Validates the registration of an employer. */
export function resolveRegistration(context: Context, employer: Employer): Validated<string> {
  return validate(context, employer.registration, checkEmployerRegistration, ['registration']);
}
