import { stripSeparators } from './normalise';

/** No key is longer, and the rest of what is no key would be given back as often as an answer names it. */
const maxKeyLength = 100;
/** What keys are written with. Other characters take up to six bytes each in an answer. */
const plainText = /^[\x20-\x7e]*$/;

/**
 * An entity's key as a router sends it: raw JSON that no scalar has read. Text is normalised; a key of another kind becomes
 * text that no rule accepts, so that it is answered by INVALID_INPUT lookups instead of an error that nulls its neighbours.
 */
export function parseEntityKey(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') return '';
  // With its separators, so that it stays none.
  const key = value.length > maxKeyLength ? value.slice(0, maxKeyLength) : stripSeparators(value);
  return plainText.test(key) ? key : '';
}
