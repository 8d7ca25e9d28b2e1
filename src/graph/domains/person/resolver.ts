import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { parseEntityKey } from '../../../identifiers/normalise';
import type { LookupContext } from '../../core/context';
import { Curp, Nss } from '../../core/scalars/scalars';
import { IdentityCollector } from './collector';
import { checkConsistency, type IdentityKey } from './consistency';
import { linkEntries } from './links';
import { providedFacts } from './review';
import { Person, PersonConsistency, PersonNameInput } from './types';

@Resolver(() => Person)
export class PersonResolver {
  @Query(() => Person, {
    nullable: true,
    description: 'A person by any identifiers that you have. Free: each field calls its own registry.',
  })
  person(
    @Arg('nss', () => Nss, { nullable: true, description: 'Social security number.' }) nss: string | null,
    @Arg('curp', () => Curp, { nullable: true, description: 'Population registry code.' }) curp: string | null,
    @Arg('name', () => PersonNameInput, { nullable: true, description: 'The name, for the search of licences.' })
    name: PersonNameInput | null,
  ): Person {
    return newPerson({ nss, curp, name });
  }

  @FieldResolver(() => PersonConsistency, {
    nullable: true,
    description: `Whether the answers of this operation are about the same person. Free: it waits for the lookups of the same operation,
in any order, and makes no call. Without other lookups, or while a lookup has the problem STILL_RUNNING, it is never CONSISTENT. If a router splits the operation, each part only compares its own lookups.`,
  })
  async consistency(@Root() person: Person, @Ctx() context: LookupContext): Promise<PersonConsistency> {
    const findings = await person.collector.whenSettled();
    return checkConsistency(claimedKeys(person), providedFacts(context, person), findings);
  }
}

function claimedKeys({ nss, curp, name }: Person): readonly IdentityKey[] {
  const claims: readonly (readonly [IdentityKey, unknown])[] = [
    ['NSS', nss],
    ['CURP', curp],
    ['NAMES', name],
  ];
  return claims.filter(([, value]) => value !== null).map(([key]) => key);
}

/** Makes no call and never throws, because an error would null every entity of the request. */
export function resolvePersonReference(key: { readonly nss?: unknown; readonly curp?: unknown }): Person {
  return newPerson({ nss: parseEntityKey(key.nss), curp: parseEntityKey(key.curp), name: null });
}

function newPerson(given: Pick<Person, 'nss' | 'curp' | 'name'>): Person {
  const collector = new IdentityCollector((context, asked, findings) => {
    const { status } = checkConsistency(claimedKeys(person), providedFacts(context, person), findings);
    linkEntries(context, person, asked, findings, status === 'CONFLICTING');
  });
  const person: Person = { ...given, collector };
  return person;
}
