import { likenessOf, namesToSearch, secondSurname } from '../../../identifiers/names';
import { cleanName } from '../../../identifiers/normalise';
import type { AskedQuestion } from '../../../registry/answer/answer';
import { type Subject, subjectByName } from '../../../registry/endpoint/endpoint';
import type { LookupContext } from '../../core/context';
import type { CollectedFacts, Statement } from './collector';
import { type IdentityFacts, namePartsOf } from './facts';
import { providedFacts } from './review';
import type { Person } from './types';

type Key = 'NSS' | 'CURP' | 'NAMES';

/**
 * Links the ledger's entries about a person to the identifiers that the answers have shown to be the same person's. If anything contradicts, or
 * an answer is missing, it is unknown whose the identifiers are.
 */
export function linkEntries(
  context: LookupContext,
  person: Person,
  asked: readonly AskedQuestion[],
  { statements, isComplete }: CollectedFacts,
  isConflicting: boolean,
): void {
  const provided = providedFacts(context, person);
  const subjectsOf = givenSubjects(person, provided);
  const isKnown = isComplete && !isConflicting;
  const together = isKnown ? findTogether(provided, statements) : [];
  const subjects = together.flatMap((key) => subjectsOf.get(key) ?? []);
  context.dataSource.linkPerson?.(asked, subjects, isKnown && subjectsOf.size > Math.max(1, together.length));
}

/** Returns the valid identifiers that the caller gave, as the questions contain them. */
function givenSubjects({ nss, curp, name }: Person, provided: IdentityFacts): ReadonlyMap<Key, Subject> {
  const byKey = new Map<Key, Subject>();
  if (nss !== null && provided.NSS !== null) byKey.set('NSS', { kind: 'nss', value: nss });
  if (curp !== null && provided.CURP !== null) byKey.set('CURP', { kind: 'curp', value: curp });
  if (name === null || provided.NAMES === null || provided.PATERNAL_SURNAME === null) return byKey;
  const maternal = cleanName(secondSurname(name.maternalSurname) ?? '') || null;
  return byKey.set('NAMES', subjectByName(namesToSearch(name.names), cleanName(name.paternalSurname), maternal));
}

/**
 * Returns the given identifiers that belong together. One answer must have shown both, exactly as given. A name does not connect NSS and CURP,
 * because people share names.
 */
function findTogether(provided: IdentityFacts, statements: readonly Statement[]): readonly Key[] {
  const isShown = (...keys: readonly Key[]): boolean =>
    statements.some(({ facts }) => keys.every((key) => isSame(key, facts, provided)));
  const [byNss, byCurp] = [isShown('NSS', 'NAMES'), isShown('CURP', 'NAMES')];
  if (isShown('NSS', 'CURP')) return byNss || byCurp ? ['NSS', 'CURP', 'NAMES'] : ['NSS', 'CURP'];
  if (byNss === byCurp) return [];
  return [byNss ? 'NSS' : 'CURP', 'NAMES'];
}

function isSame(key: Key, facts: IdentityFacts, provided: IdentityFacts): boolean {
  if (key !== 'NAMES') return facts[key] !== null && facts[key] === provided[key];
  return likenessOf(namePartsOf(facts), namePartsOf(provided)) === 'SAME';
}
