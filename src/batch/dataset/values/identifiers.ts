import { checkEmployerRegistration } from '../../../identifiers/employer';
import { stripSeparators } from '../../../identifiers/normalise';
import { checkNss } from '../../../identifiers/person';
import type { Text } from '../../../text/text';
import type { Remark } from '../../batch';
import type { ReadValue } from './read-value';

type IdentifierKind = 'NSS' | 'EmployerRegistration' | 'LicenceNumber';

const names: Readonly<Record<IdentifierKind, Text>> = {
  NSS: { english: 'The NSS', spanish: 'El NSS' },
  EmployerRegistration: { english: 'The employer registration', spanish: 'El registro patronal' },
  LicenceNumber: { english: 'The licence number', spanish: 'El número de cédula' },
};

/**
 * Reads an identifier that a spreadsheet may have converted to a number. An NSS without its leading zero is completed if its
 * check digit fits. An employer registration is not, because the tenth digit may as well be the last one before a missing
 * check digit.
 */
export function readIdentifier(kind: IdentifierKind, text: string): ReadValue {
  const bare = stripSeparators(text);
  if (/^\d([.,]\d+)?E\+?\d+$/.test(bare)) return { value: text, rejection: rounded(kind) };
  const digits = bare.replace(/\.0+$/, '');
  if (kind === 'LicenceNumber') return { value: /^\d+\.0+$/.test(bare) ? digits : text };
  if (!/^\d+$/.test(digits) || digits.length > 10) return { value: digits.length === 11 ? digits : text };
  const completed = digits.padStart(11, '0');
  if (kind === 'NSS' && digits.length === 10 && checkNss(completed) === null)
    return { value: completed, remark: readAs(completed) };
  const isShortened = kind === 'NSS' || (digits.length === 10 && checkEmployerRegistration(completed) === null);
  return isShortened ? { value: digits, remark: perhapsShortened(kind, digits.length) } : { value: digits };
}

const readAs = (completed: string): Remark => ({
  english: `The NSS has 10 digits. It is read as ${completed}, whose check digit fits.`,
  spanish: `El NSS tiene 10 dígitos. Se lee como ${completed}, cuyo dígito verificador corresponde.`,
});

const perhapsShortened = (kind: IdentifierKind, length: number): Remark => ({
  english: `${names[kind].english} has ${length} digits. If a spreadsheet removed leading zeros, format the column as text and enter it again.`,
  spanish: `${names[kind].spanish} tiene ${length} dígitos. Si la hoja de cálculo quitó ceros a la izquierda, dé formato de texto a la columna y escríbalo de nuevo.`,
});

const rounded = (kind: IdentifierKind): Remark => ({
  english: `${names[kind].english} is a number in scientific notation, which has lost digits. In the spreadsheet, format the column as text and enter it again.`,
  spanish: `${names[kind].spanish} está en notación científica, que pierde dígitos. En la hoja de cálculo, dé formato de texto a la columna y escríbalo de nuevo.`,
});
