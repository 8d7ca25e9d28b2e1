const KINDS =
  '<SOF>|<EOF>|Name|Int|Float|String|BlockString|Comment|"(?:!|\\?|\\$|&|\\(|\\)|\\.\\.\\.|\\.|:|=|@|\\[|\\]|\\{|\\||\\})"';
const EXPECTED = new RegExp(`^Expected (${KINDS}|"\\w{1,32}"), found (${KINDS})`);
const UNEXPECTED = new RegExp(`^Unexpected (${KINDS})`);

/** Messages that contain nothing of the document. */
const FIXED = [
  'Unterminated string.',
  'Unexpected description, descriptions are not supported on shorthand queries.',
  'Unexpected description, only GraphQL definitions support descriptions.',
  'Unexpected single quote character (\'), did you mean to use a double quote (")?',
];

/** Prefixes of messages that continue with a part of the document. */
const PREFIXES = [
  'Unexpected character',
  'Unexpected variable',
  'Invalid number',
  'Invalid character within String',
  'Invalid Unicode escape sequence',
  'Invalid character escape sequence',
  'Invalid character',
];

const LIMIT = /^(?:Document|Source) contains more tha[nt] \d+ [\w -]+\. Parsing aborted\.$/;

/** Describes a syntax error by the tokens that the parser expected. A found token may be a value without quotes, so it is not quoted. */
export function describeSyntaxError(message: string): string {
  return `Syntax Error: ${description(message.slice('Syntax Error: '.length))}`;
}

function description(text: string): string {
  const expected = EXPECTED.exec(text);
  if (expected) return `Expected ${expected[1]}, found ${expected[2]}.`;
  const prefix = PREFIXES.find((prefix) => text.startsWith(prefix));
  if (FIXED.includes(text) || LIMIT.test(text)) return text;
  if (prefix !== undefined) return `${prefix}.`;
  const unexpected = UNEXPECTED.exec(text);
  return unexpected ? `Unexpected ${unexpected[1]}.` : 'The document cannot be read.';
}
