import { type IdentityFacts, type IdentityField, type IdentityRegistry, isBornOn } from './facts';
import type { CollectedFacts, Statement } from './identity-collector';
import {
  type ConsistencyStatus,
  type IdentityFieldConsistency,
  IdentityFields,
  IdentityRegistries,
  type PersonConsistency,
} from './types';

export type IdentityKey = 'NSS' | 'CURP' | 'NAMES';
const keys: readonly IdentityKey[] = ['NSS', 'CURP', 'NAMES'];

/** Compares all identities that the lookups of an operation returned. `givenKeys` are the identifiers of the caller, valid or not. */
export function checkConsistency(
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
