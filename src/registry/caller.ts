import { createHmac, randomBytes } from 'node:crypto';
import type { Text } from '../identifiers/text';

export interface Caller {
  readonly bearer: string | null;
  /** Keyed hash of the bearer. It names the account in memory and in logs without revealing the token. */
  readonly account: string;
  /** Account with the client or the subject of its JWT, which may be a person. Tenants share the memory fairly. */
  readonly tenant: string;
  readonly sandbox: boolean;
  /** True if this server holds the token: then only the operator can fix its rejection. */
  readonly usesServerToken: boolean;
  /** Scopes of the caller's JWT. Null if only the service checks permissions. */
  readonly permissions: ReadonlySet<string> | null;
}

/** Labels of a call in the ledger: its client and tag, its purpose, and the person who asked. */
export interface CallLabels {
  readonly client: string | null;
  readonly tag: string | null;
  readonly purpose: string | null;
  /** Keyed hash of the person that the JWT names beside the client, or null. */
  readonly actor: string | null;
}

export interface RequestLabels extends CallLabels {
  /** The client, or the person of a JWT that names no client. It gets the answers of its early responses again. Personal data. */
  readonly holder: string | null;
  /** Case, file or employee of the caller, or the label of the row. It may be personal data. */
  readonly reference: string | null;
}

const processKey = randomBytes(32);

export function accountId(bearer: string | null): string {
  return createHmac('sha256', processKey)
    .update(bearer ?? '')
    .digest('base64url')
    .slice(0, 22);
}

/** Returns the tenant of a caller. The client counts only if a JWT names it, because any other caller may choose its name. */
export function tenantOf(account: string, jwtHolder: string | null): string {
  return jwtHolder === null ? account : `${account} ${jwtHolder}`;
}

/** Owner of what belongs to an account as a whole: it was stored without a JWT. */
export const accountOwner = '';
/** Owner of what was stored with a JWT that names no client. */
export const namelessOwner = 'no client';
const clientPrefix = 'client ';

export type CallerIdentity = { readonly caller: Pick<Caller, 'permissions'>; readonly client: string | null };

/** Returns the owner of what this caller stores. Without a JWT anyone can claim to be a client, so the account is the owner. */
export function ownerOf({ caller: { permissions }, client }: CallerIdentity): string {
  if (permissions === null) return accountOwner;
  return client === null ? namelessOwner : `${clientPrefix}${client}`;
}

export function clientOf(owner: string): string | null {
  return owner.startsWith(clientPrefix) ? owner.slice(clientPrefix.length) : null;
}

const maxLength = 64;
const printable = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;
/**
 * Characters that every database with a western encoding can store. A caller chooses the header, and a rejected entry
 * would be lost.
 */
const western = /^[\x20-\x7e\u00c0-\u00ff]+$/;
/** An NSS or a registration, the beginning of a CURP or an RFC, an address. */
const personal = /\p{Nd}{10}|[A-ZÑ&]{3,4}\p{Nd}{6}|\S@\S+\.\p{L}/iu;
/** The same with blanks or dashes between the characters. The date in a CURP or an RFC distinguishes it from a cost centre. */
const spacedPersonal =
  /(?:\p{Nd}[\s\p{Pd}]?){10}|[A-ZÑ&]{3,4}[\s\p{Pd}]?\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|\S@\S+\.\p{L}/iu;
const maxDigits = 3;

/** Returns the text with composed accents, so that equal labels have equal characters. */
export const composeLabel = (text: string): string => text.normalize('NFC');

/** Whether a text contains what looks like an identifier of a person or an address, also in full-width characters. */
export const looksPersonal = (text: string): boolean => spacedPersonal.test(text.normalize('NFKC'));

const isName = (name: string): boolean => name.length <= maxLength && printable.test(name) && name.trim() === name;

/**
 * Whether a text can be a client. Identity providers use IDs with many digits. Every header name is also a client name.
 */
export const isClientName = (name: string): boolean => isName(name) && !personal.test(name.normalize('NFKC'));

/** Whether a text can be a client or tag of a header. With a pattern, a tag may have more digits. */
export function isHeaderName(name: string, tagPattern: RegExp | null = null): boolean {
  if (!isName(name) || !western.test(name) || looksPersonal(name)) return false;
  return tagPattern === null ? name.replace(/\D/g, '').length <= maxDigits : tagPattern.test(name);
}

/** Returns a reference as it is stored: 1 to 64 visible characters, with blanks only between them. Null for other texts. */
export function readReference(text: string): string | null {
  const reference = composeLabel(text).trim();
  return [...reference].length <= maxLength && printable.test(reference) ? reference : null;
}

export interface PurposeRules {
  readonly allowed: readonly string[];
  readonly rule: 'required' | null;
}

/** Returns a purpose as it is stored, or null if the operator does not allow it. */
export function readPurpose(text: string, { allowed }: PurposeRules): string | null {
  return allowed.find((purpose) => purpose === composeLabel(text).trim()) ?? null;
}

export function describePurposes({ allowed }: PurposeRules): Text {
  if (allowed.length > 0)
    return {
      english: `Use one of these purposes: ${allowed.join(', ')}.`,
      spanish: `Use una de estas finalidades: ${allowed.join(', ')}.`,
    };
  return {
    english: 'This server has no purposes. Leave it out, or ask the operator to set PURPOSES.',
    spanish: 'Este servidor no tiene finalidades. Omítala, o pida a quien lo opera que configure PURPOSES.',
  };
}

export function describeTags(tagPattern: RegExp | null): Text {
  const rule = tagPattern === null ? null : `\`${tagPattern.source.slice('^(?:'.length, -')$'.length)}\``;
  const [english, spanish] =
    rule === null
      ? [`three digits at most`, 'con tres dígitos como máximo']
      : [`matching TAG_PATTERN (${rule})`, `que cumplan con TAG_PATTERN (${rule})`];
  return {
    english: `1 to 64 characters of ASCII or letters with an accent, ${english}, no blank at its ends, and nothing that looks like an identifier (an e-mail address)`,
    spanish: `de 1 a 64 caracteres ASCII o letras con acento, ${spanish} y sin nada que parezca un identificador (ni un correo electrónico)`,
  };
}
