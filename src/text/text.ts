/** Languages of the messages of padron. */
export type Language = 'en' | 'es';

/** A text in both languages. */
export interface Text {
  readonly english: string;
  readonly spanish: string;
}

/** Returns the text in the language. */
export function say({ english, spanish }: Text, language: Language): string {
  return language === 'es' ? spanish : english;
}
