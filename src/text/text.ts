export type Language = 'en' | 'es';

export interface Text {
  readonly english: string;
  readonly spanish: string;
}

export const joinTexts = (texts: readonly Text[], separator = ''): Text => ({
  english: texts.map(({ english }) => english).join(separator),
  spanish: texts.map(({ spanish }) => spanish).join(separator),
});

export function say({ english, spanish }: Text, language: Language): string {
  return language === 'es' ? spanish : english;
}
