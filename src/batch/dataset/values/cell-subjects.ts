import { checkEmployerRegistration, checkRfc } from '../../../identifiers/employer';
import { stripSeparators } from '../../../identifiers/normalise';
import { checkCurp, checkNss } from '../../../identifiers/person';
import type { Subject } from '../../../registry/endpoint/endpoint';

const maxLength = 40;
/** Maximum words that are looked at in the text of one cell. A cell can contain other rows. */
const maxWords = 1_000;
/** Maximum people and employers of a row. Hashing them blocks the event loop, and the store keeps each hash. */
const maxSubjects = 1_000;

/**
 * Returns the people and employers whose identifiers are in the cells of a row, alone or within a text, also in columns that
 * fill no variable, so that an erasure finds the row.
 */
export function findCellSubjects(values: readonly (string | null)[]): readonly Subject[] {
  const cells = values.filter((value) => value !== null);
  const whole = cells
    .filter(({ length }) => length <= maxLength)
    .map((cell) => stripSeparators(cell.replace(/['"=]/g, '')));
  const subjects = new Map<string, Subject>();
  const add = (value: string): void => {
    for (const subject of findSubjects(value)) subjects.set(`${subject.kind} ${subject.value}`, subject);
  };
  for (const value of whole) add(value);
  for (const cell of cells) {
    const words = cell.toUpperCase().match(/[A-ZÑ&\d]{10,18}/g) ?? [];
    for (const word of words.slice(0, maxWords)) {
      if (subjects.size >= maxSubjects) return [...subjects.values()];
      add(word);
    }
  }
  return [...subjects.values()];
}

function findSubjects(value: string): readonly Subject[] {
  // An NSS of ten digits has lost its zero. The index ignores leading zeros.
  if (/^\d{10}$/.test(value)) return checkNss(`0${value}`) === null ? [{ kind: 'nss', value }] : [];
  const subjects: Subject[] = [];
  if (/^\d{11}$/.test(value) && checkNss(value) === null) subjects.push({ kind: 'nss', value });
  if (/^[A-Z0-9]\d{10}$/.test(value) && checkEmployerRegistration(value) === null)
    subjects.push({ kind: 'registration', value });
  if (/^[A-ZÑ&]{3,4}\d{6}.{3}$/.test(value) && checkRfc(value) === null) subjects.push({ kind: 'rfc', value });
  if (/^[A-Z]{4}\d{6}.{8}$/.test(value) && checkCurp(value) === null) subjects.push({ kind: 'curp', value });
  return subjects;
}
