import { english, type Texts } from './english';
import { spanish } from './spanish';

/** Spanish where the reader prefers it to English. */
function prefersSpanish(languages: readonly string[]): boolean {
  return (
    languages
      .find((language) => /^(es|en)\b/i.test(language))
      ?.toLowerCase()
      .startsWith('es') ?? false
  );
}

export const isSpanish = prefersSpanish(navigator.languages);
/** What the page says, chosen once. */
export const texts: Texts = isSpanish ? spanish : english;
