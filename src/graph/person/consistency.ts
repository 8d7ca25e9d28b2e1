import { type IdentityFacts, type IdentityField, type IdentityRegistry, isBornOn } from './facts';
import type { Findings, Statement } from './inquiry';
import {
  type ConsistencyStatus,
  type IdentityFieldConsistency,
  IdentityFields,
  IdentityRegistries,
  type PersonConsistency,
} from './types';

/** What one person is asked by, each alone. */
export type IdentityKey = 'NSS' | 'CURP' | 'NAMES';
const keys: readonly IdentityKey[] = ['NSS', 'CURP', 'NAMES'];

/** What the answers of one operation show together of who a person is. `claimed`: what the caller gave, usable or not. */
export function judgeConsistency(
  claimed: readonly IdentityKey[],
  provided: IdentityFacts,
  { registries, statements }: Findings,
): PersonConsistency {
  // Always in the same order, whatever the order of the selection.
  const inOrder = Object.values(IdentityRegistries).filter((registry) => registries.has(registry));
  const judge = new Judge(provided, inOrder, statements);
  const fields = Object.values(IdentityFields).map((field) => judge.fieldConsistency(field));
  return { status: judge.status(fields, claimed), fields };
}

class Judge {
  constructor(
    private readonly provided: IdentityFacts,
    private readonly registries: readonly IdentityRegistry[],
    private readonly statements: readonly Statement[],
  ) {}

  fieldConsistency(field: IdentityField): IdentityFieldConsistency {
    const holders = this.statements.filter(({ facts }) => facts[field] !== null);
    const reference = this.reference(field);
    const differs = ({ facts }: Statement): boolean => !agrees(field, facts[field], reference);
    const isSpeaking = new Set(holders.map(({ registry }) => registry));
    const isDiffering = new Set(holders.filter(differs).map(({ registry }) => registry));
    return {
      field,
      provided: this.provided[field] !== null,
      agree: this.registries.filter((registry) => isSpeaking.has(registry) && !isDiffering.has(registry)),
      differ: this.registries.filter((registry) => isDiffering.has(registry)),
      silent: this.registries.filter((registry) => !isSpeaking.has(registry)),
    };
  }

  /** To agree on what a registry was asked by proves nothing: the CURP, or names and first surname, from two independent sides do. */
  status(fields: readonly IdentityFieldConsistency[], claimed: readonly IdentityKey[]): ConsistencyStatus {
    if (fields.some(({ differ }) => differ.length > 0)) return 'CONFLICTING';
    const isConfirmed = (field: IdentityField): boolean => this.independentSides(field) > 1;
    const hasNames = isConfirmed('NAMES') && isConfirmed('PATERNAL_SURNAME');
    if (!isConfirmed('CURP') && !hasNames) return 'INSUFFICIENT';
    const tied = this.tiedTo(isConfirmed('CURP') ? 'CURP' : 'NAMES');
    const isTied = (key: IdentityKey): boolean => this.provided[key] !== null && tied.has(key);
    return claimed.every(isTied) ? 'CONSISTENT' : 'INSUFFICIENT';
  }

  /** Keys that answers tie to this one: an answer that holds two of them says that they are one person's. */
  private tiedTo(confirmed: IdentityKey): ReadonlySet<IdentityKey> {
    const held = this.statements.map(({ facts }) => keys.filter((key) => facts[key] !== null));
    let tied = new Set([confirmed]);
    for (const _step of keys)
      tied = new Set([...tied, ...held.filter((some) => some.some((key) => tied.has(key))).flat()]);
    return tied;
  }

  /** What the others are held against: what the caller provided, else what more registries hold than anything else. */
  private reference(field: IdentityField): string | null {
    if (this.provided[field] !== null) return this.provided[field];
    if (field === 'RFC') return this.reference('BIRTH_DATE');
    const independent = this.independentStatements(field);
    const speaking = independent.length > 0 ? independent : this.statements;
    const holders = new Map<string, Set<IdentityRegistry>>();
    for (const { registry, facts } of speaking) {
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

  /** Without those that repeat what they were asked by. */
  private independentStatements(field: IdentityField): readonly Statement[] {
    return this.statements.filter(({ echoes, facts }) => facts[field] !== null && !echoes.includes(field));
  }
}

/** Where registries hold different values and none has more on its side, all of them differ. An RFC is held against the date of birth. */
function agrees(field: IdentityField, value: string | null, reference: string | null): boolean {
  if (field === 'RFC') return value === null || reference === null || isBornOn(value, reference);
  return value === reference;
}
