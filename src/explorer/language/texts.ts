import { english, type Texts } from './english';
import { spanish } from './spanish';

/** Whether the user prefers Spanish to English. */
function prefersSpanish(languages: readonly string[]): boolean {
  return (
    languages
      .find((language) => /^(es|en)\b/i.test(language))
      ?.toLowerCase()
      .startsWith('es') ?? false
  );
}

export const isSpanish = prefersSpanish(navigator.languages);
/** Texts of the page in the user's language. */
export const texts: Texts = isSpanish ? spanish : english;
