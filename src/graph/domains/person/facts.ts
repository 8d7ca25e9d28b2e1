import { compareNames, type Likeness, likenessOf, type NameParts, secondSurname } from '../../../identifiers/names';
import { cleanName, padNss } from '../../../identifiers/normalise';
import { checkCurp, checkRfc } from '../../../identifiers/subjects';
import type { IdentityField, PersonTexts } from '../../../registry/endpoint/person';

/** Identity of a person in a normalised form that can be compared. A field is null if it is missing or cannot be compared. */
export type IdentityFacts = Readonly<Record<IdentityField, string | null>>;

/** CURPs that were replaced, and the CURP of the same person that is current. Both are without check digit. */
export type ReplacedCurps = ReadonlyMap<string, string>;

const noneReplaced: ReplacedCurps = new Map();

/** Normalises an identity. If date of birth or sex is missing, the one in the CURP is used, unless the CURP was replaced. */
export function toFacts(texts: PersonTexts, replaced: ReplacedCurps = noneReplaced): IdentityFacts {
  const written = comparableCurp(texts.curp);
  const current = written === null ? undefined : replaced.get(written);
  const curp = current === undefined ? written : null;
  return {
    NSS: texts.nss ? padNss(texts.nss) : null,
    CURP: current ?? written,
    RFC: comparableRfc(texts.rfc),
    NAMES: named(texts.names),
    PATERNAL_SURNAME: named(texts.paternalSurname),
    MATERNAL_SURNAME: named(secondSurname(texts.maternalSurname)),
    BIRTH_DATE: texts.birthDate ?? (curp === null ? null : birthDateOf(curp)),
    SEX: writtenSex(texts.sex) ?? (curp === null ? null : sexOf(curp)),
  };
}

/** Returns how each field compares with a reference. Null if a side lacks it, or if a stronger field decides. */
export function compareFacts(
  facts: IdentityFacts,
  reference: IdentityFacts,
): Readonly<Record<IdentityField, Likeness | null>> {
  const compare = (field: IdentityField): Likeness | null => compareValues(facts[field], reference[field]);
  const [name, given] = [namePartsOf(facts), namePartsOf(reference)];
  const names = compareNames(name, given);
  const likeness = likenessOf(name, given, names);
  const curp = compare('CURP');
  // An equal CURP decides, unless the names are of two people.
  const isDecided = curp === 'SAME' && likeness !== null && likeness !== 'DIFFERENT';
  return {
    NSS: compare('NSS'),
    CURP: curp,
    RFC: isDecided ? null : compareBirth(facts.RFC, reference.BIRTH_DATE),
    NAMES: names.names,
    PATERNAL_SURNAME: names.paternalSurname,
    MATERNAL_SURNAME: names.maternalSurname,
    BIRTH_DATE: isDecided ? null : compare('BIRTH_DATE'),
    SEX: isDecided ? null : compare('SEX'),
  };
}

function compareValues(left: string | null, right: string | null): Likeness | null {
  if (left === null || right === null) return null;
  return left === right ? 'SAME' : 'DIFFERENT';
}

/** Compares the date of birth in an RFC (`YYMMDD`) with one written `YYYY-MM-DD`. */
export function compareBirth(rfc: string | null, birthDate: string | null): Likeness | null {
  return compareValues(rfc?.slice(4, 10) ?? null, birthDate?.slice(2).replaceAll('-', '') ?? null);
}

export const namePartsOf = ({ NAMES, PATERNAL_SURNAME, MATERNAL_SURNAME }: IdentityFacts): NameParts => ({
  names: NAMES,
  paternalSurname: PATERNAL_SURNAME,
  maternalSurname: MATERNAL_SURNAME,
});

/**
 * Compares two CURPs: the same, or one that replaced the other, are one person's. The check digit is ignored. Null if a text is no CURP, or a
 * generic one.
 */
export function compareCurps(left: string | null, right: string | null, replaced: ReplacedCurps): Likeness | null {
  const current = (text: string | null): string | null => {
    const curp = comparableCurp(text);
    return curp === null ? null : (replaced.get(curp) ?? curp);
  };
  return compareValues(current(left), current(right));
}

/** Sexes as written by the population registry (HOMBRE, MUJER) and the professionals registry (1, 2). Other texts are ignored. */
const sexes: ReadonlyMap<string, string> = new Map([
  ['HOMBRE', 'H'],
  ['1', 'H'],
  ['MUJER', 'M'],
  ['2', 'M'],
]);

const writtenSex = (text: string | null | undefined): string | null =>
  text ? (sexes.get(text.trim().toUpperCase()) ?? null) : null;

/**
 * Returns a CURP without its check digit, so that a mistyped check digit does not make it a different CURP. Returns null if the text
 * is not a CURP.
 */
export function comparableCurp(text: string | null | undefined): string | null {
  if (!text) return null;
  const violation = checkCurp(text);
  return violation === null || violation.code === 'WRONG_CHECK_DIGIT' ? text.slice(0, -1) : null;
}

/** Returns the RFC of a person, which has 13 characters and contains a date of birth. Returns null for any other text. */
function comparableRfc(text: string | null | undefined): string | null {
  return text && text.length === 13 && checkRfc(text) === null ? text : null;
}

const named = (text: string | null | undefined): string | null => (text ? cleanName(text) || null : null);

function birthDateOf(curp: string): string {
  const century = curp.charAt(16) <= '9' ? '19' : '20';
  return `${century}${curp.slice(4, 6)}-${curp.slice(6, 8)}-${curp.slice(8, 10)}`;
}

/** Returns the sex in a CURP. Returns null for X, because no HOMBRE or MUJER of a registry contradicts it. */
function sexOf(curp: string): string | null {
  const letter = curp.charAt(10);
  return letter === 'X' ? null : letter;
}
