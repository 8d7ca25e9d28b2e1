import fc from 'fast-check';
import type { GraphQLError } from 'graphql';
import { ask, SECRET, table } from './client-errors';

const SEND = 'Send it as a variable to see why.';

/** Literals that no type of the schema accepts, and what follows the place in the message. */
const LITERALS = table(`
{ person(nss: 84966311213) { licences } }
=> NSS must be a string of digits.
{ person(curp: ${SECRET}) { licences } }
=> CURP must be a string of 18 characters.
{ person(curp: {${SECRET}: 1}) { licences } }
=> CURP must be a string of 18 characters.
{ person(match: ${SECRET}) { licences } }
=> ${SEND}
{ person { licences(match: null) } }
=> ${SEND}
{ person(name: {names: """${SECRET}"""}) { licences } }
=> ${SEND}
{ person(name: {names: "", paternalSurname: "", ${SECRET}: 1}) { licences } }
=> ${SEND}
{ months(periods: ["2026-01", {x: "${SECRET}"}]) }
=> YearMonth must be a string, YYYY-MM.
{ months(periods: [], first: "${SECRET}", ratio: "${SECRET}", id: ["${SECRET}"], flag: "${SECRET}", text: {a: "${SECRET}"}) }
=> ${SEND}
=> ${SEND}
=> ${SEND}
=> ${SEND}
=> ${SEND}
{ months(periods: [], first: 84966311213) }
=> ${SEND}
{ estimate(input: {operation: "", rows: [{a: {b: [${SECRET}]}}]}) }
=> JSON has no bare names. Put the text in quotes.
{ failing @label(text: ${SECRET}) }
=> ${SEND}
query ($nss: NSS = ${SECRET}) { person(nss: $nss) { licences } }
=> NSS must be a string of digits.
query ($n: PersonNameInput = {names: ["${SECRET}"], paternalSurname: ""}) { person(name: $n) { licences } }
=> ${SEND}
mutation { verifySignature(input: {rfc: "", password: "${SECRET}", certificate: {upload: "${SECRET}"}, privateKey: {base64: "aaaa"}}) }
=> Upload must be a file part of a multipart request, with null as its variable. Without multipart, send base64.
mutation { verifySignature(input: {rfc: "", password: "${SECRET}", certificate: {}, privateKey: {base64: "aaaa"}}) }
=> ${SEND}
{ foreign(value: "${SECRET}") }
=> ${SEND}
`);

const SYNTAX = [
  `{ person(curp: "${SECRET}) }`,
  `{ person(curp: """${SECRET}`,
  `{ person(curp: "a\ud800${SECRET}") }`,
  `{ person(curp: "\\u${SECRET}") }`,
  `{ person(curp: "\\h${SECRET}") }`,
  `{ person(curp: "x" "${SECRET}") }`,
  `{ person("""${SECRET}""") }`,
  `{ person(curp: VADA ${SECRET}) }`,
  '{ person(84966311213) }',
  '{ person(nss: 84966311213x) }',
  `{ person(curp: '${SECRET}') }`,
  `{ person(curp: %${SECRET}) }`,
  SECRET,
  `query ($x: NSS = $${SECRET}) { person }`,
  `fragment x ${SECRET}`,
  `{ person { ${SECRET}`,
];

describe('errors about literals', () => {
  it.each(LITERALS)('name the line and the column, and quote nothing: %s', (source, answers) => {
    const { before, after, messages, printed } = ask(source);
    expect(messages).toEqual(
      answers.map((answer, index) => `The value at ${placeOf(before[index])} does not fit the schema. ${answer}`),
    );
    expect(printed).not.toMatch(new RegExp(`${SECRET}|84966311213`));
    expect(after.map(({ locations }) => locations)).toEqual(before.map(({ locations }) => locations));
  });

  it('do not quote a password beside a variable that is null', () => {
    const source = `query ($limit: Int = 1) { estimate(input: {operation: "${SECRET}", limit: $limit}) }`;
    const { before, after, messages, printed } = ask(source, { limit: null });
    expect(before[0]?.message).toContain(SECRET);
    expect(messages).toEqual([`The value at ${placeOf(before[0])} does not fit the schema. ${SEND}`]);
    expect(after[0]?.path).toEqual(['estimate']);
    expect(printed).not.toContain(SECRET);
  });

  it('quote no field that is given twice', () => {
    const { messages } = ask(`{ person(name: {names: "", names: "${SECRET}", paternalSurname: ""}) { licences } }`);
    expect(messages).toEqual(['A field of an input object is given twice.']);
  });

  it('describe a literal that is nested very deeply', () => {
    const { messages, printed } = ask(
      `{ person(name: ${'{a: '.repeat(1500)}"${SECRET}"${'}'.repeat(1500)}) { licences } }`,
    );
    expect(messages).toContain(`The value at line 1, column 17 does not fit the schema. ${SEND}`);
    expect(printed).not.toContain(SECRET);
  });
});

describe('syntax errors', () => {
  it.each(SYNTAX)('name the line and the column, and quote nothing: %s', (source) => {
    const { before, after, messages, printed } = ask(source);
    expect(messages).toEqual([`Syntax error at ${placeOf(before[0])}.`]);
    expect(printed).not.toMatch(new RegExp(`${SECRET}|84966311213`));
    expect(after[0]?.locations).toEqual(before[0]?.locations);
  });

  it('quote no word of any broken document', () => {
    const words = [
      `"${SECRET}"`,
      SECRET,
      `"""${SECRET}"""`,
      `#${SECRET}\n`,
      ...'{}():$@!"[]5\\\n',
      '...',
      'on',
      'query',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 12 }), (pieces) => {
        const { messages } = ask(pieces.join(' '));
        expect(messages.filter((message) => message.startsWith('Syntax error')).join()).not.toContain(SECRET);
      }),
    );
  });
});

function placeOf(error: GraphQLError | undefined): string {
  const { line, column } = error?.locations?.[0] ?? {};
  return `line ${line}, column ${column}`;
}
