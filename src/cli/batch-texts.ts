import type { Language } from '../text/text';
import { batchEnglish } from './batch-english';
import { batchSpanish } from './batch-spanish';

export type BatchTexts = typeof batchEnglish;

/** Returns the texts of the command in a language. */
export const textsIn = (language: Language | null): BatchTexts => (language === 'es' ? batchSpanish : batchEnglish);
