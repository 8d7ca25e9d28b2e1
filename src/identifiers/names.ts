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
const PARTICLES: ReadonlySet<string> = new Set(['DE', 'DEL', 'LA', 'LAS', 'LOS', 'Y', 'VON', 'VAN']);

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

export const wholeName = ({ names, paternalSurname, maternalSurname }: NameParts): string =>
  [names, paternalSurname, maternalSurname].filter((part) => part !== null).join(' ');

/** Notes and numbers that lists of people write beside a name, and a husband's surname. */
const BESIDE_NAME = /\([^)]*\)|\d+|(?<!\p{L})(?:VDA\.?|VIUDA) DE \p{L}+/giu;

/**
 * Whether a whole name in one text can be this name: one of them has all words of the other, in any order, and perhaps more. Particles,
 * accents, abbreviations and joined words do not count.
 */
export function hasWordsOf(whole: string, { names, paternalSurname, maternalSurname }: NameParts): boolean {
  const parts = [names, paternalSurname, secondSurname(maternalSurname)].map((part) => wordsOf(part ?? ''));
  const text = whole.replace(BESIDE_NAME, ' ').replace(/\.(?=\p{L}{3})/gu, '. ');
  // A slash between letters is a letter Ñ that was lost, or a separator.
  const readings = [text, text.replace(/\//g, ' ')].map((each) => wordsOf(each.replace(/[,;$*|]/g, ' ')));
  return readings.some((words) => isWithin(words, parts));
}

/** Successive words of one side may be one word of the other. */
function isWithin(whole: readonly string[], parts: readonly (readonly string[])[]): boolean {
  const words = whole.map((word) => ABBREVIATIONS.get(word) ?? word);
  const left = parts.flatMap(essential);
  const joined = new Set(parts.flatMap(joinedWords));
  let missing = 0;
  for (let place = 0; place < words.length; ) {
    const length = [4, 3, 2, 1].find((each) => left.includes(words.slice(place, place + each).join(''))) ?? 1;
    const word = words.slice(place, place + length).join('');
    const found = left.indexOf(word);
    if (found >= 0) left.splice(found, 1);
    else if (!PARTICLES.has(word) && !joined.has(word)) missing += 1;
    place += length;
  }
  return missing === 0 || left.length === 0;
}

const joinedWords = (words: readonly string[]): readonly string[] =>
  words.flatMap((_, start) =>
    words.slice(start + 1).map((__, length) => words.slice(start, start + length + 2).join('')),
  );

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

interface NameOfCurp {
  readonly names: string;
  readonly paternalSurname: string;
  readonly maternalSurname?: string | null | undefined;
}

/** Words of a name that its CURP leaves out. */
const LEFT_OUT = new Set([...PARTICLES, ...'DA DAS DER DI DIE DD EL LE LES MAC MC'.split(' ')]);
const COMMON_NAMES: readonly string[] = ['MARIA', 'JOSE'];
const NO_LETTER_OR_WIDOW = /^[^A-Z]*$|\b(?:VDA|VIUDA)\b/;
const OTHER_SCRIPT = /[^\p{Script=Latin}\P{L}]|[ÆØŁĐÐÞŒ]/u;

/**
 * Whether the letters of a CURP can be those of a person with this name. Returns true if it is uncertain, because a false alarm is worse
 * than none: each word of a part of the name may be the one that the CURP was made of, and a second surname that is not given fits.
 */
export function doesNameFitCurp(name: NameOfCurp, curp: string): boolean {
  if (!/^[A-Z]{4}\d{6}[A-Z]{6}/.test(curp)) return true;
  const [first = '', vowel = '', second = '', given = ''] = curp;
  const maternal = foldName(name.maternalSurname ?? '');
  const hasNoSecondSurname = second + curp.charAt(14) === 'XX';
  return (
    fits(foldName(name.paternalSurname), (word) => isMadeOf(word, first, curp.charAt(13)) && hasVowel(word, vowel)) &&
    (secondSurname(maternal) === null ||
      NO_LETTER_OR_WIDOW.test(maternal) ||
      hasNoSecondSurname ||
      fits(maternal, (word) => isMadeOf(word, second, curp.charAt(14)))) &&
    (isCommonNameAlone(name.names) || fits(foldName(name.names), (word) => isMadeOf(word, given, curp.charAt(15))))
  );
}

function fits(part: string, isSourceOf: (word: string) => boolean): boolean {
  const words = part.split(' ');
  const significant = words.filter((word) => !LEFT_OUT.has(word) && !ABBREVIATIONS.has(letters(word)));
  const candidates = significant.length > 0 ? significant : words;
  return OTHER_SCRIPT.test(part) || candidates.flatMap(spellings).some(isSourceOf);
}

const letters = (word: string): string => word.replace(/[^A-Z]/g, '');

/** Returns the words that a registry may have read: O’FARRILL as O FARRILL, PÉREZ-GIL as PÉREZ GIL, MCGREGOR as MC GREGOR. */
function spellings(word: string): readonly string[] {
  const separate = word.split(/[^A-Z]+/).filter((piece) => piece !== '');
  return [word, letters(word), letters(word).replace(/^MA?C(?=[A-Z]{3})/, ''), ...separate];
}

function isMadeOf(word: string, initial: string, consonant: string): boolean {
  if (!isLetter(word.charAt(0), initial)) return false;
  const inner = word.slice(1).replace(/[AEIOU]/g, '');
  // A CURP has X for a missing consonant and for a character other than a letter. Of an abbreviation, it has the initial.
  if (inner === '' || /[^A-Z]/.test(inner)) return consonant === 'X' || isAbbreviation(word);
  return isLetter(inner.charAt(0), consonant) || isAbbreviation(word);
}

/** Whether a CURP can have `ofCurp` for this letter. A CURP has X for Ñ, and people write Ñ as N. */
const isLetter = (letter: string, ofCurp: string): boolean => letter === ofCurp || (letter === 'N' && ofCurp === 'X');

/** Whether the word is an abbreviation, such as `GPE`, `HDZ`, `GLEZ` or `ANT.`. */
const isAbbreviation = (word: string): boolean => /^(?:.{1,4}\.|[^AEIOU]{2}(?:.?|U?EZ)|.)$/.test(word);

/** Whether a CURP has this vowel of the word, or X, which also masks an inconvenient word. */
const hasVowel = (word: string, vowel: string): boolean =>
  vowel === 'X' || /[AEIOU]/.exec(word.slice(1))?.[0] === vowel || isAbbreviation(word);

/** Whether the only name is María or José. The CURP is then made of a second name, if the person has one. */
function isCommonNameAlone(names: string): boolean {
  const [word = '', ...furtherWords] = foldName(names).split(' ');
  return furtherWords.length === 0 && (COMMON_NAMES.includes(letters(word)) || ABBREVIATIONS.has(letters(word)));
}
