import type { Context } from '../context';
import { checked, type Given } from '../given';
import { checkEmployerRegistration } from '../scalars/employer-identifiers';
import type { Employer } from './types';

/** The registration, held against its rules. */
export function registrationOf(context: Context, employer: Employer): Given<string> {
  return checked(context, employer.registration, checkEmployerRegistration, ['registration']);
}
