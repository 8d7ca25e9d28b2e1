import { stripSeparators } from './normalise';

/** Maximum length of a key. A longer text is cut, because an answer may repeat it many times. */
const maxKeyLength = 100;
/** Characters of a key. Others take up to six bytes each in an answer. */
const plainText = /^[\x20-\x7e]*$/;

/**
 * Parses the key of an entity, which a router sends as raw JSON without a scalar. Text is normalised. A key that is not text becomes
 * an invalid text, so that its lookups are INVALID_INPUT instead of an error that nulls the other entities.
 */
export function parseEntityKey(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') return '';
  // The separators are kept, so that the cut text cannot become a valid key.
  const key = value.length > maxKeyLength ? value.slice(0, maxKeyLength) : stripSeparators(value);
  return plainText.test(key) ? key : '';
}
