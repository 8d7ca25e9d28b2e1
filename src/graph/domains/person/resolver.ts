import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { parseEntityKey } from '../../../identifiers/normalise';
import type { LookupContext } from '../../core/context';
import { Curp, Nss } from '../../core/scalars/scalars';
import {
  type CollectedFacts,
  IdentityCollector,
  type IdentityFacts,
  type IdentityField,
  type IdentityRegistry,
  isBornOn,
  type Statement,
} from './facts';
import { linkEntries } from './links';
import { providedFacts } from './review';
import {
  type ConsistencyStatus,
  type IdentityFieldConsistency,
  IdentityFields,
  IdentityRegistries,
  Person,
  PersonConsistency,
  PersonNameInput,
} from './types';

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

type IdentityKey = 'NSS' | 'CURP' | 'NAMES';
const keys: readonly IdentityKey[] = ['NSS', 'CURP', 'NAMES'];

/** Compares all identities that the lookups of an operation returned. `givenKeys` are the identifiers of the caller, valid or not. */
function checkConsistency(
  givenKeys: readonly IdentityKey[],
  provided: IdentityFacts,
  { registries, statements, isComplete }: CollectedFacts,
): PersonConsistency {
  // A fixed order, independent of the selection.
  const inOrder = Object.values(IdentityRegistries).filter((registry) => registries.has(registry));
  const check = new ConsistencyCheck(provided, inOrder, statements);
  const fields = Object.values(IdentityFields).map((field) => check.fieldConsistency(field));
  const status = check.status(fields, givenKeys);
  // A registry that has not answered may contradict the others.
  return { status: status === 'CONSISTENT' && !isComplete ? 'INSUFFICIENT' : status, fields };
}

class ConsistencyCheck {
  constructor(
    private readonly provided: IdentityFacts,
    private readonly registries: readonly IdentityRegistry[],
    private readonly statements: readonly Statement[],
  ) {}

  fieldConsistency(field: IdentityField): IdentityFieldConsistency {
    const holders = this.statements.filter(({ facts }) => facts[field] !== null);
    const reference = this.reference(field);
    const differs = ({ facts }: Statement): boolean => !agrees(field, facts[field], reference);
    const reporting = new Set(holders.map(({ registry }) => registry));
    const differing = new Set(holders.filter(differs).map(({ registry }) => registry));
    return {
      field,
      provided: this.provided[field] !== null,
      agree: this.registries.filter((registry) => reporting.has(registry) && !differing.has(registry)),
      differ: this.registries.filter((registry) => differing.has(registry)),
      silent: this.registries.filter((registry) => !reporting.has(registry)),
    };
  }

  /**
   * Returns CONSISTENT if two independent sources agree on the CURP, or on names and first surname. A registry that repeats what it
   * was sent is not independent.
   */
  status(fields: readonly IdentityFieldConsistency[], givenKeys: readonly IdentityKey[]): ConsistencyStatus {
    if (fields.some(({ differ }) => differ.length > 0)) return 'CONFLICTING';
    const isConfirmed = (field: IdentityField): boolean => this.independentSides(field) > 1;
    const hasNames = isConfirmed('NAMES') && isConfirmed('PATERNAL_SURNAME');
    if (!isConfirmed('CURP') && !hasNames) return 'INSUFFICIENT';
    const linked = this.linkedKeys(isConfirmed('CURP') ? 'CURP' : 'NAMES');
    const isLinked = (key: IdentityKey): boolean => this.provided[key] !== null && linked.has(key);
    return givenKeys.every(isLinked) ? 'CONSISTENT' : 'INSUFFICIENT';
  }

  /** Returns the keys linked to this one by answers. An answer with two keys links them. */
  private linkedKeys(confirmed: IdentityKey): ReadonlySet<IdentityKey> {
    const keysByStatement = this.statements.map(({ facts }) => keys.filter((key) => facts[key] !== null));
    let linked = new Set([confirmed]);
    for (const _step of keys)
      linked = new Set([...linked, ...keysByStatement.filter((group) => group.some((key) => linked.has(key))).flat()]);
    return linked;
  }

  /**
   * Returns the value that the others are compared with: the one that the caller provided, or the one that most registries have.
   * Returns null in case of a tie.
   */
  private reference(field: IdentityField): string | null {
    if (this.provided[field] !== null) return this.provided[field];
    if (field === 'RFC') return this.reference('BIRTH_DATE');
    const independent = this.independentStatements(field);
    const statements = independent.length > 0 ? independent : this.statements;
    const holders = new Map<string, Set<IdentityRegistry>>();
    for (const { registry, facts } of statements) {
      const value = facts[field];
      if (value !== null) holders.set(value, (holders.get(value) ?? new Set()).add(registry));
    }
    const [first, second] = [...holders].sort((left, right) => right[1].size - left[1].size);
    return first !== undefined && first[1].size > (second?.[1].size ?? 0) ? first[0] : null;
  }

  private independentSides(field: IdentityField): number {
    const registries = new Set(this.independentStatements(field).map(({ registry }) => registry));
    return registries.size + (this.provided[field] === null ? 0 : 1);
  }

  private independentStatements(field: IdentityField): readonly Statement[] {
    return this.statements.filter(({ echoes, facts }) => facts[field] !== null && !echoes.includes(field));
  }
}

/**
 * Whether a value agrees with the reference. If there is no reference, because registries are tied, every value differs. An RFC is
 * compared with the date of birth.
 */
function agrees(field: IdentityField, value: string | null, reference: string | null): boolean {
  if (field === 'RFC') return value === null || reference === null || isBornOn(value, reference);
  return value === reference;
}
