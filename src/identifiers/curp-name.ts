import { isAbbreviatedName, particles, secondSurname } from './names';
import { foldName } from './normalise';

interface Name {
  readonly names: string;
  readonly paternalSurname: string;
  readonly maternalSurname?: string | null | undefined;
}

/** Words of a name that its CURP leaves out. */
const PARTICLES = new Set([...particles, ...'DA DAS DER DI DIE DD EL LE LES MAC MC'.split(' ')]);
const COMMON_NAMES: readonly string[] = ['MARIA', 'JOSE'];
const NO_LETTER_OR_WIDOW = /^[^A-Z]*$|\b(?:VDA|VIUDA)\b/;
const OTHER_SCRIPT = /[^\p{Script=Latin}\P{L}]|[ÆØŁĐÐÞŒ]/u;

/**
 * Whether the letters of a CURP can be those of a person with this name. Returns true if it is uncertain, because a false alarm is worse
 * than none: each word of a part of the name may be the one that the CURP was made of, and a second surname that is not given fits.
 */
export function doesNameFitCurp(name: Name, curp: string): boolean {
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
  const significant = words.filter((word) => !PARTICLES.has(word) && !isAbbreviatedName(letters(word)));
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
  // A missing consonant, and a character that is no letter, are X in a CURP. An abbreviation only has the initial.
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
  return furtherWords.length === 0 && (COMMON_NAMES.includes(letters(word)) || isAbbreviatedName(letters(word)));
}
