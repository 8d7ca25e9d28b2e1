import { type Likeness, likenessOf } from '../../../identifiers/names';
import { foldName } from '../../../identifiers/normalise';
import type { IdentityField, IdentityRegistry } from '../../../registry/endpoint/person';
import type { CollectedFacts, Statement } from './collector';
import { compareBirth, compareFacts, type IdentityFacts, namePartsOf } from './facts';
import {
  type ConsistencyStatus,
  type IdentityFieldConsistency,
  IdentityFields,
  IdentityRegistries,
  type PersonConsistency,
} from './types';

export type IdentityKey = 'NSS' | 'CURP' | 'NAMES';
const keys: readonly IdentityKey[] = ['NSS', 'CURP', 'NAMES'];
const identityFields: readonly IdentityField[] = Object.values(IdentityFields);
const noFacts = Object.fromEntries(identityFields.map((field) => [field, null])) as Record<IdentityField, null>;
const nameFields: readonly IdentityField[] = ['NAMES', 'PATERNAL_SURNAME', 'MATERNAL_SURNAME'];

/** Compares all identities that the lookups of an operation returned. `givenKeys` are the identifiers of the caller, valid or not. */
export function checkConsistency(
  givenKeys: readonly IdentityKey[],
  provided: IdentityFacts,
  { registries, statements, isComplete }: CollectedFacts,
): PersonConsistency {
  // A fixed order, independent of the selection.
  const inOrder = Object.values(IdentityRegistries).filter((registry) => registries.has(registry));
  const check = new ConsistencyCheck(provided, inOrder, statements);
  const fields = identityFields.map((field) => check.fieldConsistency(field));
  const status = check.status(fields, givenKeys);
  // A registry that has not answered may contradict the others.
  return { status: status === 'CONSISTENT' && !isComplete ? 'INSUFFICIENT' : status, fields };
}

/** Returns the fields in which the answers contradict each other or what the caller gave. Answers to other questions do not count. */
export function findContradictions(
  provided: IdentityFacts,
  { registries, statements }: CollectedFacts,
): readonly IdentityField[] {
  const ofQuestions = statements.filter(({ isMismatch }) => !isMismatch);
  // Most answers have equal values, and a wide operation asks about hundreds of people.
  if (hasEqualValues([provided, ...ofQuestions.map(({ facts }) => facts)])) return [];
  return new ConsistencyCheck(provided, [...registries], ofQuestions).contradictions();
}

function hasEqualValues(all: readonly IdentityFacts[]): boolean {
  const values = { ...noFacts } as Record<IdentityField, string | null>;
  for (const facts of all)
    for (const field of identityFields) {
      const value = facts[field];
      if (value !== null && values[field] !== null && values[field] !== value) return false;
      values[field] ??= value;
    }
  return compareBirth(values.RFC, values.BIRTH_DATE) !== 'DIFFERENT';
}

class ConsistencyCheck {
  private readonly reference: IdentityFacts;
  private readonly likeness: ReadonlyMap<Statement, Readonly<Record<IdentityField, Likeness | null>>>;
  /** Fields in which as many registries have one value as another. */
  private readonly tied: ReadonlySet<IdentityField>;
  /** Fields whose variants are those of two people. */
  private readonly disputed: ReadonlySet<IdentityField>;

  constructor(
    private readonly provided: IdentityFacts,
    private readonly registries: readonly IdentityRegistry[],
    private readonly statements: readonly Statement[],
  ) {
    const fields = identityFields;
    const references = new Map(fields.map((field) => [field, this.findReference(field)]));
    this.reference = Object.fromEntries(
      [...references].map(([field, value]) => [field, value === tie ? null : value]),
    ) as IdentityFacts;
    this.likeness = new Map(statements.map((statement) => [statement, compareFacts(statement.facts, this.reference)]));
    this.tied = new Set(fields.filter((field) => references.get(field) === tie));
    this.disputed = new Set(nameFields.filter((field) => this.hasVariantsOfTwo(field)));
  }

  contradictions(): readonly IdentityField[] {
    const isContradicted = (field: IdentityField): boolean =>
      this.statements.some((statement) => this.likenessIn(field, statement) === 'DIFFERENT');
    return identityFields.filter(isContradicted);
  }

  /** Whether two variants of the reference are those of two people, such as JUAN CARLOS and JUAN LUIS beside JUAN. */
  private hasVariantsOfTwo(field: IdentityField): boolean {
    const variants = this.statements.filter((statement) => this.likeness.get(statement)?.[field] === 'VARIANT');
    const values = distinctNames(variants.map(({ facts }) => facts[field]));
    return values.some((left, index) => values.slice(index + 1).some((right) => !isAlike(field, left, right)));
  }

  fieldConsistency(field: IdentityField): IdentityFieldConsistency {
    const registriesWith = (test: (statement: Statement) => boolean): ReadonlySet<IdentityRegistry> =>
      new Set(this.statements.filter(test).map(({ registry }) => registry));
    const reporting = registriesWith(({ facts }) => facts[field] !== null);
    const differing = registriesWith((statement) => this.likenessIn(field, statement) === 'DIFFERENT');
    const variant = registriesWith((statement) => this.likenessIn(field, statement) === 'VARIANT');
    return {
      field,
      provided: this.provided[field] !== null,
      agree: this.registries.filter((each) => reporting.has(each) && !differing.has(each) && !variant.has(each)),
      writtenDifferently: this.registries.filter((each) => variant.has(each) && !differing.has(each)),
      differ: this.registries.filter((each) => differing.has(each)),
      silent: this.registries.filter((each) => !reporting.has(each)),
    };
  }

  private likenessIn(field: IdentityField, statement: Statement): Likeness | null {
    if (statement.facts[field] === null) return null;
    if (this.tied.has(field)) return 'DIFFERENT';
    const likeness = this.likeness.get(statement)?.[field] ?? null;
    return likeness === 'VARIANT' && this.disputed.has(field) ? 'DIFFERENT' : likeness;
  }

  /**
   * Returns CONSISTENT if two independent sources agree on the CURP, or on a name that both write in the same way. A registry that repeats what
   * it was sent is not independent.
   */
  status(fields: readonly IdentityFieldConsistency[], givenKeys: readonly IdentityKey[]): ConsistencyStatus {
    if (fields.some(({ differ }) => differ.length > 0)) return 'CONFLICTING';
    const isConfirmed = (field: IdentityField): boolean => this.independentSides(field) > 1;
    const hasNames = isConfirmed('NAMES') && isConfirmed('PATERNAL_SURNAME') && this.isWrittenOnce();
    if (!isConfirmed('CURP') && !hasNames) return 'INSUFFICIENT';
    const linked = this.linkedKeys(isConfirmed('CURP') ? 'CURP' : 'NAMES');
    const isLinked = (key: IdentityKey): boolean => this.provided[key] !== null && linked.has(key);
    return givenKeys.every(isLinked) ? 'CONSISTENT' : 'INSUFFICIENT';
  }

  /** Whether all sources write the name in the same way. A second surname that only some have may be another person's. */
  private isWrittenOnce(): boolean {
    const all = [...this.statements.map(({ facts }) => facts), this.provided].filter(({ NAMES }) => NAMES !== null);
    const [first, ...more] = all;
    return first === undefined || more.every((facts) => nameFields.every((field) => isWrittenAs(facts, first, field)));
  }

  /** Returns the keys linked to this one by answers. An answer with two keys links them. */
  private linkedKeys(confirmed: IdentityKey): ReadonlySet<IdentityKey> {
    const reference = namePartsOf(this.reference);
    // A name that is written differently may be another person's, unless the CURP is the same.
    const isNamed = (statement: Statement): boolean =>
      this.likeness.get(statement)?.CURP === 'SAME' || likenessOf(namePartsOf(statement.facts), reference) === 'SAME';
    const hasKey = (statement: Statement, key: IdentityKey): boolean =>
      statement.facts[key] !== null && (key !== 'NAMES' || isNamed(statement));
    const keysByStatement = this.statements.map((statement) => keys.filter((key) => hasKey(statement, key)));
    let linked = new Set([confirmed]);
    for (const _step of keys)
      linked = new Set([...linked, ...keysByStatement.filter((group) => group.some((key) => linked.has(key))).flat()]);
    return linked;
  }

  /**
   * Returns the value that the others are compared with: the one that the caller provided, or the one that most registries have, including
   * variants of it. Returns null if the answers have none.
   */
  private findReference(field: IdentityField): string | null | typeof tie {
    if (this.provided[field] !== null) return this.provided[field];
    const independent = this.independentStatements(field);
    const statements = independent.length > 0 ? independent : this.statements;
    const isName = nameFields.includes(field);
    const holders = new Map<string, Set<IdentityRegistry>>();
    for (const { registry, facts } of statements) {
      const value = facts[field];
      if (value !== null) holders.set(value, (holders.get(value) ?? new Set()).add(registry));
    }
    const values = [...holders.keys()];
    const compared = isName ? values.slice(0, maxComparedNames) : [];
    const supporters = new Map(
      values.map((value) => {
        const alike = compared
          .filter((each) => isAlike(field, each, value))
          .flatMap((each) => [...(holders.get(each) ?? [])]);
        return [value, new Set([...(holders.get(value) ?? []), ...alike]).size];
      }),
    );
    const count = (value: string): number => supporters.get(value) ?? 0;
    const [best, ...rest] = values.sort((left, right) => count(right) - count(left));
    if (best === undefined) return null;
    const rival = rest.find((value) => !isAlike(field, value, best));
    return rival !== undefined && count(rival) === count(best) ? tie : best;
  }

  private independentSides(field: IdentityField): number {
    const registries = new Set(this.independentStatements(field).map(({ registry }) => registry));
    return registries.size + (this.provided[field] === null ? 0 : 1);
  }

  private independentStatements(field: IdentityField): readonly Statement[] {
    return this.statements.filter(({ echoes, facts }) => facts[field] !== null && !echoes.includes(field));
  }
}

const tie = Symbol('tie');

/** More spellings of one name are in no real answer, and comparing each with each would take long. */
const maxComparedNames = 20;

const distinctNames = (names: readonly (string | null)[]): readonly string[] =>
  [...new Set(names.map((name) => foldName(name ?? '')))].slice(0, maxComparedNames);

/** Whether two values of a field may be one person's. */
const isAlike = (field: IdentityField, left: string | null, right: string | null): boolean =>
  left === right || compareFacts({ ...noFacts, [field]: left }, { ...noFacts, [field]: right })[field] !== 'DIFFERENT';

const isWrittenAs = (left: IdentityFacts, right: IdentityFacts, field: IdentityField): boolean =>
  (left[field] === null && right[field] === null) || compareFacts(left, right)[field] === 'SAME';
