/** Rules for client and tag of calls and budgets. They name applications and purposes, and never a person. */
const maxLength = 64;
const printable = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;
/**
 * Characters that every database with a western encoding can store. A caller chooses the header, and a rejected entry
 * would be lost.
 */
const western = /^[\x20-\x7e\u00c0-\u00ff]+$/;
/** An NSS or a registration, the beginning of a CURP or an RFC, an address. */
const personal = /\d{10}|[A-ZÑ&]{3,4}\d{6}|\S@\S+\.\p{L}/iu;
const maxDigits = 3;

/** Returns the text with composed accents, so that equal labels have equal characters. */
export const composeLabel = (text: string): string => text.normalize('NFC');

/**
 * Whether a text can be a client. Identity providers use IDs with many digits. Every header name is also a client name.
 */
export const isClientName = (name: string): boolean =>
  name.length <= maxLength && printable.test(name) && name.trim() === name && !personal.test(name);

/** Whether a text can be a client or tag of a header. */
export const isHeaderName = (name: string): boolean =>
  isClientName(name) && western.test(name) && name.replace(/\D/g, '').length <= maxDigits;

/** The rule of `isHeaderName` for error messages. */
export const headerNameRule =
  '1 to 64 characters of ASCII or letters with an accent, three digits at most, no blank at its ends, and nothing that looks like an identifier (an e-mail address)';
