import { cleanName, foldName } from './normalise';

/** A name as registries split it. A part is null if it is unknown or if the person has none. */
export interface NameParts {
  readonly names: string | null;
  readonly paternalSurname: string | null;
  readonly maternalSurname: string | null;
}

/** VARIANT: one name, written differently. It may still be another person's, so it never decides alone whose record it is. */
export type Likeness = 'SAME' | 'VARIANT' | 'DIFFERENT';

/** The comparison of each part. Null if a side lacks the part. */
export type NameLikeness = { readonly [Part in keyof NameParts]: Likeness | null };

/** Texts that registries and spreadsheets write in place of a second surname. */
const NO_SURNAME = /^(?:[\s.\-–—_*]*|X+|N\/A|N\.A\.?|S\.?\/?N\.?)$/iu;

/** The letters Ñ and ñ whose two bytes of UTF-8 were read as Windows-1252 or Latin-1. */
const MISREAD_CAPITAL = /\u00c3[\u2018\u0091]/g;
const MISREAD_SMALL = /\u00c3\u00b1/g;

/** Returns null for a text that registries write if the person has no second surname. */
export const secondSurname = (text: string | null | undefined): string | null =>
  text == null || NO_SURNAME.test(text.trim()) ? null : text;

/** Restores the letter Ñ of a name in an answer. Only an Ñ becomes these two characters, so the repair is certain. */
export const repairMisread = <Name extends string | null>(name: Name): Name =>
  (name?.replace(MISREAD_CAPITAL, 'Ñ').replace(MISREAD_SMALL, 'ñ') ?? null) as Name;

/** Restores the letter Ñ of a name of the housing fund, which writes it as `#`. */
export const repairFundName = <Name extends string | null>(name: Name): Name =>
  (repairMisread(name)?.replace(/(?<=\p{L})#(?=\p{L})/gu, (_, place: number, text: string) =>
    text.charAt(place - 1) === text.charAt(place - 1).toLowerCase() ? 'ñ' : 'Ñ',
  ) ?? null) as Name;

const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['MA', 'MARIA'],
  ['M', 'MARIA'],
  ['Mª', 'MARIA'],
  ['J', 'JOSE'],
  ['JO', 'JOSE'],
]);
/** Words that some registries leave out of a name. */
export const particles: readonly string[] = ['DE', 'DEL', 'LA', 'LAS', 'LOS', 'Y', 'VON', 'VAN'];
const PARTICLES: ReadonlySet<string> = new Set(particles);

/** Whether a word in capitals, without accents and dots, is an abbreviation of María or José. */
export const isAbbreviatedName = (word: string): boolean => ABBREVIATIONS.has(word);

/** Returns given names without the abbreviated ones, unless no other is left: a search compares text. Nothing else is left out, because a wider search finds other people. */
export function namesToSearch(names: string): string {
  const words = cleanName(names).split(' ');
  const written = words.filter((word) => !ABBREVIATIONS.has(plain(word)));
  return written.some((word) => !PARTICLES.has(plain(word))) ? written.join(' ') : words.join(' ');
}

/** Compares two names. See the page "How padron compares people". */
export function compareNames(left: NameParts, right: NameParts): NameLikeness {
  const [a, b] = [toWords(left), toWords(right)];
  const names = a.names && b.names && compareWords(a.names, b.names, isPartOf);
  const paternalSurname = a.paternal && b.paternal && compareWords(a.paternal, b.paternal, isEqual);
  const maternalSurname = a.maternal && b.maternal && compareWords(a.maternal, b.maternal, isEqual);
  if (isInOneField(a, b) || isInOneField(b, a)) return { names, paternalSurname: 'VARIANT', maternalSurname: null };
  return { names, paternalSurname, maternalSurname };
}

/** Whether two names as a whole are the same, written differently or different. Null if a side lacks the names or the first surname. */
export function likenessOf(left: NameParts, right: NameParts, compared = compareNames(left, right)): Likeness | null {
  const { names, paternalSurname, maternalSurname } = compared;
  const parts = [names, paternalSurname, maternalSurname];
  if (parts.includes('DIFFERENT')) return 'DIFFERENT';
  if (names === null || paternalSurname === null) return null;
  const isSurnameMissing =
    (secondSurname(left.maternalSurname) === null) !== (secondSurname(right.maternalSurname) === null);
  return parts.includes('VARIANT') || isSurnameMissing ? 'VARIANT' : 'SAME';
}

interface Words {
  readonly names: readonly string[] | null;
  readonly paternal: readonly string[] | null;
  readonly maternal: readonly string[] | null;
}

function toWords({ names, paternalSurname, maternalSurname }: NameParts): Words {
  const words = (text: string | null): readonly string[] | null => {
    const found = text === null ? [] : wordsOf(text);
    return found.length === 0 ? null : found;
  };
  return { names: words(names), paternal: words(paternalSurname), maternal: words(secondSurname(maternalSurname)) };
}

function compareWords(
  left: readonly string[],
  right: readonly string[],
  isVariant: (left: readonly string[], right: readonly string[]) => boolean,
): Likeness {
  if (left.join('') === right.join('')) return 'SAME';
  const [a, b] = [essential(left), essential(right)];
  if (a.length === 0 || b.length === 0) return 'DIFFERENT';
  return isEqual(a, b) || isVariant(a, b) ? 'VARIANT' : 'DIFFERENT';
}

const isEqual = (left: readonly string[], right: readonly string[]): boolean => left.join('') === right.join('');

/** Whether one side has all words of the other in their order, and more. */
function isPartOf(left: readonly string[], right: readonly string[]): boolean {
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  let found = 0;
  for (const word of long) if (word === short[found]) found += 1;
  return found === short.length;
}

/** Whether the first field has both surnames of the other side. */
const isInOneField = (short: Words, split: Words): boolean =>
  short.maternal === null &&
  short.paternal !== null &&
  split.paternal !== null &&
  split.maternal !== null &&
  isEqual(essential(short.paternal), essential([...split.paternal, ...split.maternal]));

/** Returns the words without particles and without a husband's surname, abbreviations written out. */
function essential(words: readonly string[]): readonly string[] {
  const widow = words.findIndex((word, place) => (word === 'VDA' || word === 'VIUDA') && words[place + 1] === 'DE');
  return words
    .slice(0, widow < 0 ? words.length : widow)
    .filter((word) => !PARTICLES.has(word))
    .map((word) => ABBREVIATIONS.get(word) ?? word);
}

/** A letter Ñ that was lost between letters. */
const LOST = /(?<=\p{L})[#?/¥](?=\p{L})/gu;

const wordsOf = (text: string): readonly string[] =>
  repairMisread(text)
    .replace(LOST, 'N')
    .split(/[\s\-–—‐]+/u)
    .map(plain)
    .filter((word) => word !== '');

/** A word without case, accents, dots and apostrophes. */
const plain = (word: string): string => foldName(word).replace(/[.'’´`ʼ]/gu, '');
