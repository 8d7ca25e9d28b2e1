import { type ASTNode, GraphQLScalarType, Kind, valueFromASTUntyped, visit } from 'graphql';
import { maxInputLength, stripSeparators, toPlainText, trim } from '../../../identifiers/normalise';
import { ScalarInputError } from '../client-error';

const NOT_THE_BYTES = 'Base64 must be the bytes only. Remove the "data:…;base64," prefix.';
const URL_ALPHABET = 'Base64 must use the standard alphabet: "+" and "/", not "-" and "_".';
const UNREADABLE = 'Base64 must contain base64 text: letters, digits, "+", "/" and "=" at its end.';

/** Removes line breaks and spaces, because most encoders wrap lines. */
const stripWhitespace = (text: string): string => text.replace(/\s+/g, '');

/** Returns why a text is not base64. Returns null if it is. */
function explainInvalidBase64(text: string): string | null {
  const encoded = stripWhitespace(text);
  if (/^data:/i.test(encoded)) return NOT_THE_BYTES;
  const match = /^([A-Za-z0-9+/]*)(={0,2})$/.exec(encoded);
  if (!match) return /^[A-Za-z0-9_-]*={0,2}$/.test(encoded) ? URL_ALPHABET : UNREADABLE;
  const [, digits = '', padding = ''] = match;
  const whole = padding === '' ? digits.length % 4 !== 1 : encoded.length % 4 === 0;
  return whole ? null : 'Base64 must contain whole bytes. This text is truncated or lacks part of its padding.';
}

export const Nss = textScalar({
  name: 'NSS',
  description: `A social security number (número de seguridad social): 11 digits as text, leading zeros kept.
Blanks and dashes are accepted and removed. A JSON number is rejected, because it would lose the zeros.`,
  expected: 'NSS must be a string of digits.',
  normalise: stripSeparators,
});

export const Curp = textScalar({
  name: 'CURP',
  description: `A population registry code (clave única de registro de población): 18 characters, returned in upper case.
Blanks, dashes and lower case are accepted.`,
  expected: 'CURP must be a string of 18 characters.',
  normalise: stripSeparators,
});

export const Rfc = textScalar({
  name: 'RFC',
  description: `A taxpayer code (registro federal de contribuyentes): 12 characters for a company, 13 for a person.
It may hold Ñ and &. Blanks, dashes and lower case are accepted.`,
  expected: 'RFC must be a string of 12 or 13 characters.',
  normalise: stripSeparators,
});

export const EmployerRegistration = textScalar({
  name: 'EmployerRegistration',
  description: `An employer registration (registro patronal): 11 characters, the last one a check digit.
Blanks, dashes and lower case are accepted: \`Y60-12345-10-1\` is \`Y6012345101\`.`,
  expected: 'EmployerRegistration must be a string of 11 characters.',
  normalise: stripSeparators,
});

export const LicenceNumber = textScalar({
  name: 'LicenceNumber',
  description: 'A professional licence number (cédula profesional): digits, as text because old ones begin with zeros.',
  expected: 'LicenceNumber must be a string of digits.',
  normalise: toPlainText,
});

export const CertificateFolio = textScalar({
  name: 'CertificateFolio',
  description: 'The folio of an electronic certificate: UUID-like text, upper or lower case, dashes kept.',
  expected: 'CertificateFolio must be a string.',
  normalise: toPlainText,
});

export const YearMonth = textScalar({
  name: 'YearMonth',
  description: 'A calendar month, `YYYY-MM`.',
  expected: 'YearMonth must be a string, YYYY-MM.',
  normalise: toPlainText,
});

export const DateScalar = textScalar({
  name: 'Date',
  description: 'A calendar day without a zone, `YYYY-MM-DD`.',
  expected: 'Date must be a string, YYYY-MM-DD.',
  specifiedByURL: 'https://datatracker.ietf.org/doc/html/rfc3339#section-5.6',
});

export const LocalDateTime = textScalar({
  name: 'LocalDateTime',
  description: 'A day and time without a zone, as registries print it: `YYYY-MM-DDTHH:MM:SS`. Do not read it as UTC.',
  expected: 'LocalDateTime must be a string, YYYY-MM-DDTHH:MM:SS.',
});

export const DateTime = textScalar({
  name: 'DateTime',
  description: 'An instant, ISO 8601 in UTC, for example `2026-02-01T03:00:00.000Z`.',
  expected: 'DateTime must be a string, YYYY-MM-DDTHH:MM:SS.sssZ.',
  specifiedByURL: 'https://datatracker.ietf.org/doc/html/rfc3339',
  print: (value) => (value instanceof Date ? isoText(value) : null),
});

export const Decimal = textScalar({
  name: 'Decimal',
  description: `An exact decimal as text, \`-?digits(.digits)?\`: money and rates never pass through floating point.
Add and compare it with a decimal library, not with JavaScript numbers.`,
  expected: 'Decimal must be a string of digits with an optional point, for example "1234.50".',
});

export const Url = textScalar({
  name: 'URL',
  description: 'An absolute URL. A signed one works only unchanged, character by character.',
  expected: 'URL must be a string.',
  specifiedByURL: 'https://url.spec.whatwg.org/',
});

export const Base64 = textScalar({
  name: 'Base64',
  description:
    'Bytes as base64 text: standard alphabet, no `data:` prefix. As input, line breaks and a missing padding are accepted.',
  expected: 'Base64 must be a string.',
  // The code that reads the file checks its size.
  isLong: true,
  specifiedByURL: 'https://datatracker.ietf.org/doc/html/rfc4648#section-4',
  normalise: stripWhitespace,
  explainInvalid: explainInvalidBase64,
});

function isoText(date: Date): string | null {
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** JSON scalar. Importing the scalar of graphql-scalars would load the whole library. */
export const Json = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: 'A value of JSON: an object, a list, a string, a number, a boolean or null.',
  specifiedByURL: 'https://datatracker.ietf.org/doc/html/rfc8259',
  parseValue: (value) => value,
  parseLiteral: (node, variables) => {
    visit(node, {
      EnumValue: () => {
        // The error refers to the whole literal, because the schema does not describe what is inside.
        throw new ScalarInputError('JSON has no bare names. Put the text in quotes.', node);
      },
    });
    // Without a prototype, because a variable may be named `toString` or `__proto__`.
    return valueFromASTUntyped(node, Object.assign(Object.create(null), variables));
  },
});

interface TextScalar {
  readonly name: string;
  readonly description: string;
  readonly expected: string;
  readonly specifiedByURL?: string;
  readonly isLong?: boolean;
  readonly normalise?: (text: string) => string;
  /**
   * Returns why a text is not accepted, or null. It must not apply rules of identifiers: they affect the outcome of a field, not the
   * whole operation.
   */
  readonly explainInvalid?: (text: string) => string | null;
  /** Returns the text of a value that a resolver does not return as text. */
  readonly print?: (value: unknown) => string | null;
}

/** Returns a scalar whose value is text. Input is normalised, and output is not changed. */
function textScalar(spec: TextScalar): GraphQLScalarType<string, string> {
  const { name, expected, isLong = false, normalise = trim, explainInvalid = () => null, print = () => null } = spec;
  const read = (value: unknown, node?: ASTNode): string => {
    if (typeof value !== 'string') throw new ScalarInputError(expected, node);
    const reason = explainInvalid(value);
    if (reason !== null) throw new ScalarInputError(reason, node);
    // A response may repeat the text many times, so it is cut. One character more than the limit is kept, so that `validate` still
    // rejects it.
    if (value.length > maxInputLength && !isLong) return value.slice(0, maxInputLength + 1);
    return normalise(value);
  };
  return new GraphQLScalarType<string, string>({
    name,
    description: spec.description,
    specifiedByURL: spec.specifiedByURL ?? null,
    parseValue: (value) => read(value),
    parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : undefined, node),
    serialize: (value) => {
      const text = typeof value === 'string' ? value : print(value);
      if (text === null) throw new TypeError(`${name} must be text, but a resolver returned something else.`);
      return text;
    },
  });
}
