/** The client and the tag that calls are entered under, and that budgets are set for: names of applications and purposes, of nobody. */
const maxLength = 64;
const printable = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;
/** What every database of western letters holds: a header comes from anybody, and an entry that is refused would be lost. */
const western = /^[\x20-\x7e\u00c0-\u00ff]+$/;
/** An NSS or a registration, the beginning of a CURP or an RFC, an address. */
const personal = /\d{10}|[A-ZÑ&]{3,4}\d{6}|\S@\S+\.\p{L}/iu;
const maxDigits = 3;

/** The same letters, however their accents are written. */
export const composeLabel = (text: string): string => text.normalize('NFC');

/** Of an identity provider, whose ids may have many digits. Whatever a header may say is one too. */
export const isClientName = (name: string): boolean =>
  name.length <= maxLength && printable.test(name) && name.trim() === name && !personal.test(name);

/** Of a header: anybody's own word. */
export const isHeaderName = (name: string): boolean =>
  isClientName(name) && western.test(name) && name.replace(/\D/g, '').length <= maxDigits;

/** The rule of `isHeaderName` as an error tells it. */
export const headerNameRule =
  '1 to 64 characters of ASCII or letters with an accent, three digits at most, no blank at its ends, and nothing that looks like an identifier (an e-mail address)';
