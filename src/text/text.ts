export type Language = 'en' | 'es';

export interface Text {
  readonly english: string;
  readonly spanish: string;
}

export function say({ english, spanish }: Text, language: Language): string {
  return language === 'es' ? spanish : english;
}
