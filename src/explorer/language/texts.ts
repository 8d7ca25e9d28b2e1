import type { Language } from '../../text/text';
import { english, type Texts } from './english';
import { spanish } from './spanish';

/** Removes accents and case for a search, so that "cedula" finds "cédula". */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

const storageKey = 'padron:language';

/** Returns the language that the user chose in this browser, or the one that the browser prefers. */
function findLanguage(): Language {
  const chosen = localStorage.getItem(storageKey);
  const language = [chosen ?? '', ...navigator.languages].find((candidate) => /^(es|en)\b/i.test(candidate));
  return language?.toLowerCase().startsWith('es') === true ? 'es' : 'en';
}

/** Language of the page and of the server's messages. */
export const language = findLanguage();
export const isSpanish = language === 'es';
export const texts: Texts = isSpanish ? spanish : english;

export const formatNumber = (value: number): string => value.toLocaleString(isSpanish ? 'es-MX' : 'en');

/** Shows the page in the other language, now and in later visits with this browser. */
export function switchLanguage(): void {
  localStorage.setItem(storageKey, isSpanish ? 'en' : 'es');
  location.reload();
}
