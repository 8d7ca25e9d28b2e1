import { curpDigit, rfcDigit } from './identifiers';
import type { Draw } from './random';

/** What the codes of a person are made of. */
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
const RUDE: ReadonlySet<string> = new Set(
  (
    'BACA BUEI BUEY CACA CACO CAGA CAGO CAKA COGE COGI COJA COJE COJI COJO COLA CULO FALO FETO GETA GUEI ' +
    'GUEY JETA JOTO KACA LOCA LOCO LOKA MAME MAMO MEAR MEAS MEON MIAR MION MOCO MULA MULO NACA NACO PEDA ' +
    'PEDO PENE PIPI PITO POPO PUTA PUTO QULO RATA ROBA ROBE ROBO RUIN SENO TETA VACA VAGA VAGO VUEI VUEY'
  ).split(' '),
);

/** Upper case without accents; Ñ stays. */
export function withoutAccents(text: string): string {
  return text
    .toUpperCase()
    .normalize('NFD')
    .replace(/(N)\u0303|[\u0300-\u036f]/g, (_, n: string | undefined) => (n ? 'Ñ' : ''));
}

function firstWord(text: string): string {
  return (
    withoutAccents(text)
      .split(' ')
      .find((word) => !PARTICLES.has(word)) ?? ''
  );
}

function givenName(names: string): string {
  const [first, ...others] = withoutAccents(names).split(' ');
  const second = others.find((word) => !PARTICLES.has(word));
  return second && SKIPPED_FIRST_NAMES.has(first ?? '') ? second : (first ?? '');
}

function innerVowel(word: string): string {
  return /[AEIOU]/.exec(word.slice(1))?.[0] ?? 'X';
}

function innerConsonant(word: string): string {
  return (/[^AEIOU]/.exec(word.slice(1))?.[0] ?? 'X').replace('Ñ', 'X');
}

function compactDate(birthDate: string): string {
  return birthDate.slice(2).replaceAll('-', '');
}

/** The CURP of a birth; `turn` tells homonyms of the same day apart. */
export function curpOf(birth: Birth, turn = 0): string {
  const words = [firstWord(birth.paternalSurname), firstWord(birth.maternalSurname), givenName(birth.names)] as const;
  const [paternal, maternal, given] = words;
  const letters = `${paternal[0] ?? 'X'}${innerVowel(paternal)}${maternal[0] ?? 'X'}${given[0] ?? 'X'}`;
  const decent = RUDE.has(letters) ? `${letters[0]}X${letters.slice(2)}` : letters;
  const turnMark = birth.birthDate < '2000' ? String(turn) : String.fromCharCode(65 + turn);
  const consonants = words.map(innerConsonant).join('');
  const body = `${decent}${compactDate(birth.birthDate)}${birth.sexLetter}${birth.stateCode}${consonants}${turnMark}`;
  const first17 = body.replaceAll('Ñ', 'X');
  return first17 + curpDigit(first17);
}

/** The taxpayer code of a birth. The two characters before the digit are the tax authority's choice. */
export function personRfc(birth: Birth, draw: Draw): string {
  const [paternal, maternal, given] = [
    firstWord(birth.paternalSurname),
    firstWord(birth.maternalSurname),
    givenName(birth.names),
  ];
  const letters = maternal
    ? `${paternal[0]}${innerVowel(paternal)}${maternal[0]}${given[0]}`
    : paternal.slice(0, 2) + given.slice(0, 2);
  const decent = RUDE.has(letters) ? `${letters.slice(0, 3)}X` : letters;
  const body = decent + compactDate(birth.birthDate) + homoclave(draw);
  return body + rfcDigit(body);
}

/** The code of a company: three letters of its name and the day it was founded. */
export function companyRfc(letters: string, founded: string, draw: Draw): string {
  const body = letters + compactDate(founded) + homoclave(draw);
  return body + rfcDigit(body);
}

function homoclave(draw: Draw): string {
  const marks = [...'123456789ABCDEFGHIJKLMNPQRSTUVWXYZ'];
  return draw.pick(marks) + draw.pick(marks);
}
