import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { parseEntityKey } from '../../../identifiers/normalise';
import type { LookupContext } from '../../core/context';
import { Curp, Json, Nss } from '../../core/scalars/scalars';
import { IdentityCollector } from './collector';
import { checkConsistency, type IdentityKey } from './consistency';
import { linkEntries } from './links';
import { providedFacts } from './review';
import { Person, PersonConsistency, PersonNameInput } from './types';

const maxShownName = 200;

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

  @FieldResolver(() => Json, {
    nullable: true,
    description:
      '`nss`, `curp` and `name` (with `names`, `paternalSurname`, `maternalSurname`), as given: the key for subgraphs that know more than one of them.',
  })
  identifiers(@Root() { nss, curp, name }: Person): object {
    // An answer may repeat them often. A part of a name that is cut was too long before, and is too long after.
    const parts = name && Object.entries(name).map(([part, text]) => [part, text?.slice(0, maxShownName)]);
    return { nss, curp, name: parts && Object.fromEntries(parts) };
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

interface PersonKey {
  readonly nss?: unknown;
  readonly curp?: unknown;
  /** NSS, CURP and name at once. */
  readonly identifiers?: unknown;
}

/** Makes no call and never throws, because an error would null every entity of the request. */
export function resolvePersonReference({ nss, curp, identifiers = null }: PersonKey): Person {
  if (identifiers === null) return newPerson({ nss: parseEntityKey(nss), curp: parseEntityKey(curp), name: null });
  if (!hasOnly(identifiers, ['nss', 'curp', 'name'])) return newPerson(unreadable);
  const { name = null } = identifiers;
  if (name !== null && !isName(name)) return newPerson(unreadable);
  return newPerson({ nss: parseEntityKey(identifiers.nss), curp: parseEntityKey(identifiers.curp), name });
}

/** A person whose key has a wrong form: each lookup is INVALID_INPUT, because what the other team knows could not be compared. */
const unreadable = { nss: '', curp: '', name: { names: '', paternalSurname: '', maternalSurname: null } };

function isName(value: unknown): value is PersonNameInput {
  if (!hasOnly(value, ['names', 'paternalSurname', 'maternalSurname'])) return false;
  const { names, paternalSurname, maternalSurname = '' } = value;
  return [names, paternalSurname, maternalSurname ?? ''].every((part) => typeof part === 'string');
}

/** Whether a value is an object with these members at most. */
function hasOnly<Name extends string>(value: unknown, names: readonly Name[]): value is Partial<Record<Name, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && Object.keys(value).every((name) => (names as readonly string[]).includes(name));
}

function newPerson(given: Pick<Person, 'nss' | 'curp' | 'name'>): Person {
  const collector = new IdentityCollector((context, asked, findings) => {
    const { status } = checkConsistency(claimedKeys(person), providedFacts(context, person), findings);
    linkEntries(context, person, asked, findings, status === 'CONFLICTING');
  });
  const person: Person = { ...given, collector };
  return person;
}
