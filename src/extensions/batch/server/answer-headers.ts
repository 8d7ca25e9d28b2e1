import type { Language } from '../../../identifiers/text';
import type { AnswerColumn } from '../operation';
import { spanishFields } from './spanish-fields';

export interface AnswerField extends Omit<AnswerColumn, 'path' | 'header'> {
  readonly path: readonly AnswerSegment[];
}

interface AnswerSegment {
  readonly name: string;
  readonly isAlias: boolean;
  readonly isLookup: boolean;
  /** Its Spanish name, if it is a field of an endpoint file. */
  readonly spanish: string | undefined;
}

/** Fields that only group others. A header does not need them. */
const wrappers: ReadonlySet<string> = new Set(['record', 'records', 'evidence']);
const acronyms: ReadonlySet<string> = new Set([
  'cfdi',
  'curp',
  'id',
  'imss',
  'nss',
  'pdf',
  'rcv',
  'rfc',
  'url',
  'uuid',
  'xml',
]);

/**
 * Returns columns with readable headers, such as `Credit: validation code` for `person.credit.evidence.validationCode`. If two
 * fields would have the same header, both headers have the whole path.
 */
export function addHeaders(fields: readonly AnswerField[], language: Language): readonly AnswerColumn[] {
  const short = fields.map(({ path }) => toHeader(shorten(path), language));
  const counts = new Map<string, number>();
  for (const header of short) counts.set(header.toLowerCase(), (counts.get(header.toLowerCase()) ?? 0) + 1);
  return fields.map(({ path, ...field }, index) => {
    const header = short[index] ?? '';
    const isUnique = counts.get(header.toLowerCase()) === 1;
    return { path: path.map(({ name }) => name), header: isUnique ? header : toHeader(path, language), ...field };
  });
}

/** Returns the path from the lookup on, without wrappers. A name that the caller chose always stays. */
function shorten(path: readonly AnswerSegment[]): readonly AnswerSegment[] {
  const lookup = Math.max(
    0,
    path.findIndex(({ isLookup }) => isLookup),
  );
  return path.filter(({ name, isAlias }, index) => {
    if (isAlias || index === path.length - 1) return true;
    return index >= lookup && !wrappers.has(name);
  });
}

function toHeader(path: readonly AnswerSegment[], language: Language): string {
  return path
    .map(({ name, isAlias, spanish }, index) => {
      if (isAlias) return name;
      const words = (language === 'es' ? spanish : undefined) ?? toWords(name, language);
      return index === 0 ? capitalize(words) : words;
    })
    .join(': ');
}

/** Returns a name such as `validationCode` in words. A field without a Spanish name has its English one. */
function toWords(name: string, language: Language): string {
  const spanish = language === 'es' && Object.hasOwn(spanishFields, name) ? spanishFields[name] : undefined;
  if (spanish !== undefined) return spanish;
  return inEnglish(name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' '));
}

export const inEnglish = (words: string): string =>
  words
    .toLowerCase()
    .split(' ')
    .map((word) => (acronyms.has(word) ? word.toUpperCase() : word))
    .join(' ');

export const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
