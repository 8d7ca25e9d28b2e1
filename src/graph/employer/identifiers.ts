import type { Context } from '../context';
import { checked, type Given } from '../lookup/input';
import { checkEmployerRegistration } from '../validation/employer';
import type { Employer } from './types';

/** The registration, held against its rules. */
export function registrationOf(context: Context, employer: Employer): Given<string> {
  return checked(context, employer.registration, checkEmployerRegistration, ['registration']);
}
