// Copying from documents and web pages brings dashes of every length and characters that nobody sees.
const BLANKS_AND_DASHES = /[\s\p{Pd}\u2212\u00ad\u200b-\u200d\u2060\ufeff]/gu;
const WITHOUT_SEPARATORS = /^[0-9A-Z&]*$/;
const COMBINING_MARKS = /\p{M}/gu;
const ASCII = /^[\x20-\x7e]*$/;

/** No identifier and no name is longer. What is stays as it came: composing marks takes time by the square of their number. */
export const maxInputLength = 1_000;

/** For NSS, CURP, RFC and employer registration: blanks and dashes removed, upper case; Ñ (composed) and & stay. */
export function stripSeparators(text: string): string {
  if (text.length > maxInputLength || WITHOUT_SEPARATORS.test(text)) return text;
  return text.replace(BLANKS_AND_DASHES, '').toUpperCase().normalize('NFC');
}

/** For folios and licence numbers, whose dashes and case belong to them. */
export function trim(text: string): string {
  return text.trim();
}

/** A form in which two spellings of one name are equal: case, accents and Ñ/N folded, blanks collapsed. */
export function foldName(text: string): string {
  const letters =
    text.length > maxInputLength || ASCII.test(text) ? text : text.normalize('NFD').replace(COMBINING_MARKS, '');
  return letters.toUpperCase().replace(/\s+/gu, ' ').trim();
}

/** An NSS with the leading zeros that a number loses; what is not digits comes back as it is. */
export function padNss(value: string | number): string {
  const text = String(value).trim();
  return /^\d+$/.test(text) ? text.padStart(11, '0') : text;
}
