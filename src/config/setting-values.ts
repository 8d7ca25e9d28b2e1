import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

const maxDurationMs = 60_000;

/** Returns the milliseconds of a duration such as `2s`, `1.5s` or `800ms`. Returns null for other texts, and above 60 seconds. */
export function parseDuration(text: string): number | null {
  const [, digits, unit] = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s)$/.exec(text.trim()) ?? [];
  const milliseconds = Math.round(Number(digits) * (unit === 's' ? 1_000 : 1));
  return digits === undefined || milliseconds > maxDurationMs ? null : milliseconds;
}

/** Returns a setting whose text `parse` turns into a value. `parse` returns an `Error` with the rule that the text breaks, never with the text. */
const setting = <Value>(parse: (text: string) => Value | Error) =>
  z.string().transform((text, { addIssue }): Value => {
    const value = parse(text);
    if (!(value instanceof Error)) return value;
    addIssue(value.message);
    return z.NEVER;
  });

const rule = (message: string): Error => new Error(message);
const list = (value: string): readonly string[] =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
const toUrl = (value: string): URL | null => (URL.canParse(value) ? new URL(value) : null);

const orNull = <Kind extends z.ZodType>(kind: Kind) => kind.nullable().default(null);

export const text = orNull(z.string());
export const texts = setting(list).default([]);

const wholeNumber = (min: number, max: number) =>
  setting((value) =>
    /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max
      ? Number(value)
      : rule(`must be a whole number from ${min} to ${max}`),
  );
export const integer = (fallback: number, min: number, max: number) => wholeNumber(min, max).default(fallback);
export const optionalInteger = (min: number, max: number) => orNull(wholeNumber(min, max));

export const oneOf = <Choice extends string>(...choices: readonly Choice[]) =>
  setting((value) => choices.find((choice) => choice === value) ?? rule(`must be one of ${choices.join(', ')}`));

const booleanWords: Readonly<Record<string, boolean>> = { true: true, on: true, false: false, off: false };
export const boolean = setting((value) => booleanWords[value.toLowerCase()] ?? rule('must be on or off'));

export const duration = orNull(
  setting((value) => parseDuration(value) ?? rule('must be a time of up to 60s such as 2s or 800ms')),
);

export const day = orNull(z.iso.date('must be a day such as 2026-05-31'));

export const tagPattern = orNull(setting(compileTagPattern));

/** A price is decimal text, because a floating-point number cannot represent every price. */
export const price = orNull(
  z
    .string()
    .refine(
      (value) => /^\d{1,6}(\.\d{1,6})?$/.test(value) && /[1-9]/.test(value),
      'must be a price in pesos greater than 0 without a sign, such as 1.20',
    ),
);

/** Names that headers can carry, each with its months, or with null if `SUBJECT_MONTHS` applies: `hiring,credit:120`. */
export const purposes = setting((value) => {
  const found = list(value.normalize('NFC')).map((entry): readonly [name: string, months: number | null] => {
    const [name = '', months = '', ...rest] = entry.split(':').map((part) => part.trim());
    if (!entry.includes(':')) return [name, null];
    return [name, rest.length === 0 && /^\d{1,4}$/.test(months) ? Number(months) : 0];
  });
  if (!found.every(([name]) => /^[\x20-\x7e\u00c0-\u00ff]{1,64}$/.test(name)))
    return rule('must be names of 1 to 64 characters of ASCII or letters with an accent, separated by commas');
  if (new Set(found.map(([name]) => name)).size < found.length) return rule('must name each purpose once');
  return found.every(([, months]) => months === null || (months >= 1 && months <= 1_200))
    ? found
    : rule('must have a whole number of months from 1 to 1200 after a colon, such as hiring,credit:120');
}).default([]);

export const path = orNull(z.string().regex(/^\/[\w\-./]*$/, 'must be a path that starts with /'));

export const secret = (min: number) => orNull(z.string().min(min, `must have at least ${min} characters`));

/** Minimum number of distinct characters in a key. A random key has more. */
const minDistinctCharacters = 8;

export const secrets = (min: number) =>
  texts.refine(
    (keys) => keys.every((key) => key.length >= min && new Set(key).size >= minDistinctCharacters),
    `must be random and have at least ${min} characters per key. Generate one with \`openssl rand -hex 32\``,
  );

const origins = (mustBeSecure: boolean) =>
  setting((value) => {
    const found = list(value).map((entry) => {
      const origin = toUrl(entry)?.origin;
      return origin === entry.replace(/\/$/, '') && origin !== 'null' ? origin : null;
    });
    if (!found.every((origin) => origin !== null))
      return rule('must be origins such as https://files.example.com, separated by commas');
    const isSecure = found.every((origin) => origin.startsWith('https:') || isLoopback(new URL(origin).hostname));
    return isSecure || !mustBeSecure ? found : rule('must use https: outside loopback');
  }).default([]);

export const anyOrigins = origins(false);
/** Origins that serve personal data. Outside loopback they must use https. */
export const secureOrigins = origins(true);

const checkHttpUrl = (value: string): string | Error => {
  const url = toUrl(value);
  if (url === null || !/^https?:$/.test(url.protocol)) return rule('must be an http(s) URL');
  if (url.username + url.password !== '') return rule('must not contain credentials');
  return url.protocol === 'https:' || isLoopback(url.hostname) ? value : rule('must use https: outside loopback');
};

/** The URL of a webhook may have a query, because receivers put their secrets there. */
export const webhook = orNull(setting(checkHttpUrl));

/** The URL of a proxy. More than its address is rejected, because it may be the end of a password that is not encoded. */
export const proxy = orNull(
  setting((value) => {
    const url = toUrl(value);
    if (url !== null && /^https?:$/.test(url.protocol) && url.pathname + url.search + url.hash === '/') return url;
    return rule('must be an http(s) URL such as http://user:p%40ssword@proxy.example:3128');
  }),
);

const secretPrefix = 'whsec_';

/** Returns the bytes of a Standard Webhooks secret. Returns null if the text is not one. */
function readWebhookSecret(text: string): Buffer | null {
  const encoded = text.slice(secretPrefix.length);
  const bytes = Buffer.from(encoded, 'base64');
  const isCanonical = text.startsWith(secretPrefix) && bytes.toString('base64') === encoded;
  return isCanonical && bytes.length >= 24 && bytes.length <= 64 ? bytes : null;
}

export const webhookSecrets = setting((value) => {
  const secrets = list(value).map(readWebhookSecret);
  return secrets.length > 0 && secrets.length <= 2 && secrets.every((bytes) => bytes !== null)
    ? secrets
    : rule(
        'must be whsec_ and the base64 of 24 to 64 random bytes, or two of them separated by a comma while you change the secret. Generate one with `echo "whsec_$(openssl rand -base64 32)"`',
      );
}).default([]);

/** Ed25519 private keys, as PEM or as the base64 within it. */
export const signingKeys = setting((value) => {
  const texts = list(value.replace(/-----[A-Z ]+-----/g, ',').replace(/\\n|\s/g, ''));
  try {
    const keys = texts.map((key) => createPrivateKey({ key, encoding: 'base64', format: 'der', type: 'pkcs8' }));
    if (keys.length > 0 && keys.every(({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519')) return keys;
  } catch {
    // The text is not a key.
  }
  return rule('must be an Ed25519 private key in PEM. Generate one with `openssl genpkey -algorithm ed25519`');
}).default([]);

/** An http(s) URL without a query or a fragment. It must use https outside loopback. */
export const url = orNull(
  setting((value) => {
    const checked = checkHttpUrl(value);
    if (checked instanceof Error) return checked;
    const { search, hash } = new URL(value);
    return search + hash === '' ? value : rule('must not contain a query or a fragment');
  }),
);

const databaseParameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'application_name'];
/** Values of `sslmode` with which the client verifies the server's certificate. */
const verifyingModes = ['require', 'verify-ca', 'verify-full'];

/** Outside loopback the connection to PostgreSQL must use TLS, because it carries rows. */
export const databaseUrl = orNull(
  setting((value) => {
    const address = toUrl(value);
    if (address === null || !/^postgres(ql)?:$/.test(address.protocol))
      return rule('must be a URL such as postgres://user:password@host:5432/database');
    const { searchParams, hostname } = address;
    const isSupported = ([key, parameter]: readonly [string, string]): boolean =>
      databaseParameters.includes(key) || (key === 'host' && parameter.startsWith('/'));
    if (![...searchParams].every(isSupported))
      return rule(
        `must have no parameters other than ${databaseParameters.join(', ')}, and host for the folder of a socket`,
      );
    const isLocal = searchParams.has('host') || isLoopback(hostname);
    const isVerified = verifyingModes.includes(searchParams.get('sslmode') ?? '');
    return isLocal || isVerified ? value : rule('must have sslmode=verify-full outside loopback');
  }),
);

export const timeZone = (fallback: string) =>
  setting((value) => {
    // Looking up a time zone takes a tenth of the start time.
    if (value === fallback) return fallback;
    try {
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
    } catch {
      return rule('must be a time zone such as America/Mexico_City');
    }
  }).default(fallback);

/** Maximum length of a pattern of tags. */
const maxPatternLength = 200;
/** Maximum ways in which a pattern can divide a tag of 64 characters among its parts. A tag is then checked within milliseconds. */
const maxWays = 1_000_000;
/** Maximum repetitions: the characters of the longest tag. */
const maxRepetitions = 64;

/** Parts of a regular expression: escapes, classes, beginnings of groups, repeated groups, quantifiers and alternatives. */
const patternParts =
  /\\(?<escape>.)|\[(?:\\.|[^\]])*\]|\(\?(?<group>.)|(?<repeated>\)[*+{])|(?<operator>[*+?|])|\{(?<from>\d+)(?<comma>,)?(?<to>\d*)\}/gsu;

/** Returns the regular expression of a whole tag, or an error with the rule that the text breaks. A slow pattern would block the server for each tag. */
function compileTagPattern(text: string): RegExp | Error {
  if (text.length > maxPatternLength) return rule(`must have at most ${maxPatternLength} characters`);
  try {
    new RegExp(text, 'u');
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(error.message.lastIndexOf(': ') + 2) : '';
    return rule(`must be a regular expression of JavaScript for a whole tag, such as CC-\\d{5}: ${reason}`);
  }
  let ways = 1;
  for (const { groups: part = {} } of text.matchAll(patternParts)) {
    // `\1` and `\k` refer to a group.
    if (/[1-9k]/.test(part.escape ?? '') || (part.group ?? ':') !== ':' || part.repeated !== undefined)
      return rule(
        'must have no repeated group, lookaround, named group or reference to a group. Write (?:A|B)\\d{5}, but not (?:A|B)+',
      );
    ways *= waysOf(part);
  }
  if (ways > maxWays)
    return rule('must have at most three parts of any length (*, + or {2,}), so that tags are checked quickly');
  return new RegExp(`^(?:${text})$`, 'u');
}

function waysOf({ operator, from, comma, to }: Readonly<Record<string, string | undefined>>): number {
  if (operator !== undefined) return operator === '*' || operator === '+' ? maxRepetitions : 2;
  if (from === undefined || comma === undefined) return 1;
  return to === '' ? maxRepetitions : Math.min(maxRepetitions, Number(to) - Number(from) + 1);
}
