import type { Language } from '../../../../identifiers/text';

const storageKey = 'padron:language';

/** Returns the language that the user chose in this browser, or the one that the browser prefers. */
function findLanguage(): Language {
  const chosen = localStorage.getItem(storageKey);
  const language = [chosen ?? '', ...navigator.languages].find((candidate) => /^(es|en)\b/i.test(candidate));
  return language?.toLowerCase().startsWith('es') === true ? 'es' : 'en';
}

export const language = findLanguage();
export const isSpanish = language === 'es';
export const locale = isSpanish ? 'es-MX' : 'en';

/** Returns the text in the language of the page. The Spanish texts address the reader as *usted*. */
export const say = (english: string, spanish: string): string => (isSpanish ? spanish : english);

export const formatNumber = (value: number): string => value.toLocaleString(locale);

export const formatCount = (count: number, singular: string, plural: string): string =>
  `${formatNumber(count)} ${count === 1 ? singular : plural}`;

export const formatDate = (date: Date | string, format: Intl.DateTimeFormatOptions): string =>
  new Date(date).toLocaleString(locale, format);

/** Shows the page in the other language, now and in later visits with this browser. */
export function switchLanguage(): void {
  localStorage.setItem(storageKey, isSpanish ? 'en' : 'es');
  location.reload();
}

/** Removes accents and case for a search, so that "cedula" finds "cédula". */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
