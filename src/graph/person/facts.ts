import { checkRfc } from '../validation/employer';
import { foldName, padNss } from '../validation/normalise';
import { checkCurp } from '../validation/person';

/** Parts of an identity. */
export type IdentityField =
  | 'NSS'
  | 'CURP'
  | 'RFC'
  | 'NAMES'
  | 'PATERNAL_SURNAME'
  | 'MATERNAL_SURNAME'
  | 'BIRTH_DATE'
  | 'SEX';

/** Registries that hold something of a person's identity. */
export type IdentityRegistry = 'HOUSING_FUND' | 'POPULATION_REGISTRY' | 'EDUCATION_MINISTRY';

/** A person's identity in a form in which equal is the same; null where nothing is said, or nothing that can be compared. */
export type IdentityFacts = Readonly<Record<IdentityField, string | null>>;

/** The same as a registry or a caller writes it. */
export interface IdentityTexts {
  readonly nss?: string | null;
  readonly curp?: string | null;
  readonly rfc?: string | null;
  readonly names?: string | null;
  readonly paternalSurname?: string | null;
  readonly maternalSurname?: string | null;
  /** `YYYY-MM-DD`. */
  readonly birthDate?: string | null;
  readonly sex?: string | null;
}

/** Date of birth and sex are those that are written down, else those that the CURP holds. */
export function toFacts(texts: IdentityTexts): IdentityFacts {
  const curp = comparableCurp(texts.curp);
  return {
    NSS: texts.nss ? padNss(texts.nss) : null,
    CURP: curp,
    RFC: comparableRfc(texts.rfc),
    NAMES: comparableName(texts.names),
    PATERNAL_SURNAME: comparableName(texts.paternalSurname),
    MATERNAL_SURNAME: comparableName(texts.maternalSurname),
    BIRTH_DATE: texts.birthDate ?? (curp === null ? null : birthDateOf(curp)),
    SEX: writtenSex(texts.sex) ?? (curp === null ? null : sexOf(curp)),
  };
}

/** Whether texts hold nothing but what the facts hold, as far as can be seen at once: to read them all takes longer. */
export function isConsistent(texts: IdentityTexts, facts: IdentityFacts): boolean {
  const { curp, rfc, birthDate, sex } = texts;
  return (
    (!curp || facts.CURP === null || curp.startsWith(facts.CURP)) &&
    (!rfc || facts.BIRTH_DATE === null || isBornOn(rfc, facts.BIRTH_DATE)) &&
    (!birthDate || facts.BIRTH_DATE === null || birthDate === facts.BIRTH_DATE) &&
    (!sex || facts.SEX === null || sexes.get(sex) === facts.SEX) &&
    isSameName(texts.names, facts.NAMES) &&
    isSameName(texts.paternalSurname, facts.PATERNAL_SURNAME) &&
    isSameName(texts.maternalSurname, facts.MATERNAL_SURNAME)
  );
}

const isSameName = (text: string | null | undefined, fact: string | null): boolean =>
  !text || fact === null || text === fact || foldName(text) === fact;

/** The date of birth within an RFC, `YYMMDD`, against one that is written `YYYY-MM-DD`. */
export function isBornOn(rfc: string, birthDate: string): boolean {
  return rfc.slice(4, 10) === birthDate.slice(2).replaceAll('-', '');
}

/** Whether two CURPs are one, a mistyped check digit aside. */
export function isSameCurp(left: string, right: string): boolean {
  if (left === right) return true;
  const curp = comparableCurp(left);
  return curp !== null && curp === comparableCurp(right);
}

/** HOMBRE and MUJER of the population registry, 1 and 2 of the professionals registry; whatever else is written says nothing. */
const sexes: ReadonlyMap<string, string> = new Map([
  ['HOMBRE', 'H'],
  ['1', 'H'],
  ['MUJER', 'M'],
  ['2', 'M'],
]);

const writtenSex = (text: string | null | undefined): string | null =>
  text ? (sexes.get(text.trim().toUpperCase()) ?? null) : null;

/** Without its check digit, which follows from the rest: mistyped alone it makes nobody another. A text that is no CURP tells nobody apart. */
function comparableCurp(text: string | null | undefined): string | null {
  if (!text) return null;
  const violation = checkCurp(text);
  return violation === null || violation.code === 'WRONG_CHECK_DIGIT' ? text.slice(0, -1) : null;
}

/** Only a person's RFC, 13 characters, holds a date of birth. */
function comparableRfc(text: string | null | undefined): string | null {
  return text && text.length === 13 && checkRfc(text) === null ? text : null;
}

function comparableName(text: string | null | undefined): string | null {
  return text ? foldName(text) || null : null;
}

function birthDateOf(curp: string): string {
  const century = curp.charAt(16) <= '9' ? '19' : '20';
  return `${century}${curp.slice(4, 6)}-${curp.slice(6, 8)}-${curp.slice(8, 10)}`;
}

/** X is given to those who are neither: no registry's HOMBRE or MUJER can contradict it. */
function sexOf(curp: string): string | null {
  const letter = curp.charAt(10);
  return letter === 'X' ? null : letter;
}
