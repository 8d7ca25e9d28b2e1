import { Arg, Query, Resolver } from 'type-graphql';
import { parseEntityKey } from '../../../identifiers/normalise';
import { EmployerRegistration } from '../../core/scalars/scalars';
import { Employer } from './types';

@Resolver(() => Employer)
export class EmployerResolver {
  @Query(() => Employer, {
    nullable: true,
    description: 'An employer by its registration. Free: each field calls its own registry.',
  })
  employer(
    @Arg('registration', () => EmployerRegistration, { description: 'Employer registration (registro patronal).' })
    registration: string,
  ): Employer {
    return { registration };
  }
}

/** Makes no call and never throws. Returns null without a registration. */
export function resolveEmployerReference(key: { readonly registration?: unknown }): Employer | null {
  const registration = parseEntityKey(key.registration);
  return registration === null ? null : { registration };
}
