import { stripSeparators } from './normalise';

/**
 * An entity's key as a router sends it: raw JSON that no scalar has read. Text is normalised; a key of another kind becomes
 * text that no rule accepts, so that it is answered by INVALID_INPUT lookups instead of an error that nulls its neighbours.
 */
export function parseEntityKey(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? stripSeparators(value) : '';
}
