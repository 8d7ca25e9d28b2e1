import { curpCheckDigit, rfcCheckDigit } from './identifiers';
import type { SeededRandom } from './random';

export interface Birth {
  readonly names: string;
  readonly paternalSurname: string;
  readonly maternalSurname: string;
  readonly birthDate: string;
  readonly sexLetter: 'H' | 'M' | 'X';
  readonly stateCode: string;
}

const PARTICLES = new Set(['DE', 'DEL', 'LA', 'LAS', 'LOS', 'Y']);
const SKIPPED_FIRST_NAMES = new Set(['JOSE', 'MARIA', 'MA', 'J']);
const RUDE_WORDS: ReadonlySet<string> = new Set(
  (
    'BACA BUEI BUEY CACA CACO CAGA CAGO CAKA COGE COGI COJA COJE COJI COJO COLA CULO FALO FETO GETA GUEI ' +
    'GUEY JETA JOTO KACA LOCA LOCO LOKA MAME MAMO MEAR MEAS MEON MIAR MION MOCO MULA MULO NACA NACO PEDA ' +
    'PEDO PENE PIPI PITO POPO PUTA PUTO QULO RATA ROBA ROBE ROBO RUIN SENO TETA VACA VAGA VAGO VUEI VUEY'
  ).split(' '),
);

/** Returns the text in upper case without accents, but keeps Ñ. */
export function stripAccents(text: string): string {
  return text
    .toUpperCase()
    .normalize('NFD')
    .replace(/(N)\u0303|[\u0300-\u036f]/g, (_, n: string | undefined) => (n ? 'Ñ' : ''));
}

function getFirstWord(text: string): string {
  return (
    stripAccents(text)
      .split(' ')
      .find((word) => !PARTICLES.has(word)) ?? ''
  );
}

function getGivenName(names: string): string {
  const [first, ...laterNames] = stripAccents(names).split(' ');
  const second = laterNames.find((word) => !PARTICLES.has(word));
  return second && SKIPPED_FIRST_NAMES.has(first ?? '') ? second : (first ?? '');
}

function getInnerVowel(word: string): string {
  return /[AEIOU]/.exec(word.slice(1))?.[0] ?? 'X';
}

function getInnerConsonant(word: string): string {
  return (/[^AEIOU]/.exec(word.slice(1))?.[0] ?? 'X').replace('Ñ', 'X');
}

function toCompactDate(birthDate: string): string {
  return birthDate.slice(2).replaceAll('-', '');
}

/** Returns the CURP of a birth. `homonymIndex` distinguishes homonyms born on the same day. */
export function makeCurp(birth: Birth, homonymIndex = 0): string {
  const words = [
    getFirstWord(birth.paternalSurname),
    getFirstWord(birth.maternalSurname),
    getGivenName(birth.names),
  ] as const;
  const [paternal, maternal, givenName] = words;
  const letters = `${paternal[0] ?? 'X'}${getInnerVowel(paternal)}${maternal[0] ?? 'X'}${givenName[0] ?? 'X'}`;
  const politeLetters = RUDE_WORDS.has(letters) ? `${letters[0]}X${letters.slice(2)}` : letters;
  const homonymMark = birth.birthDate < '2000' ? String(homonymIndex) : String.fromCharCode(65 + homonymIndex);
  const consonants = words.map(getInnerConsonant).join('');
  const body = `${politeLetters}${toCompactDate(birth.birthDate)}${birth.sexLetter}${birth.stateCode}${consonants}${homonymMark}`;
  const first17 = body.replaceAll('Ñ', 'X');
  return first17 + curpCheckDigit(first17);
}

/** Returns the taxpayer code of a birth. The tax authority chooses the two characters before the check digit. */
export function makePersonRfc(birth: Birth, random: SeededRandom): string {
  const [paternal, maternal, givenName] = [
    getFirstWord(birth.paternalSurname),
    getFirstWord(birth.maternalSurname),
    getGivenName(birth.names),
  ];
  const letters = maternal
    ? `${paternal[0]}${getInnerVowel(paternal)}${maternal[0]}${givenName[0]}`
    : paternal.slice(0, 2) + givenName.slice(0, 2);
  const politeLetters = RUDE_WORDS.has(letters) ? `${letters.slice(0, 3)}X` : letters;
  const body = politeLetters + toCompactDate(birth.birthDate) + makeHomoclave(random);
  return body + rfcCheckDigit(body);
}

/** Returns the taxpayer code of a company, made of three letters of its name and the day it was founded. */
export function makeCompanyRfc(letters: string, founded: string, random: SeededRandom): string {
  const body = letters + toCompactDate(founded) + makeHomoclave(random);
  return body + rfcCheckDigit(body);
}

function makeHomoclave(random: SeededRandom): string {
  const characters = [...'123456789ABCDEFGHIJKLMNPQRSTUVWXYZ'];
  return random.pick(characters) + random.pick(characters);
}
