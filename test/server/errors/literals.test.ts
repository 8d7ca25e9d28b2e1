import fc from 'fast-check';
import { ask, SECRET, table } from './client-errors';

const UNKNOWN = 'unknown field; the fields of PersonNameInput are names, paternalSurname, maternalSurname.';

const LITERALS = table(`
{ person(nss: 84966311213) { licences } }
=> Argument "nss" of Query.person: expected NSS, got a number. NSS must be a string of digits.
{ person(curp: ${SECRET}) { licences } }
=> Argument "curp" of Query.person: expected CURP, got a name without quotes. CURP must be a string of 18 characters.
{ person(curp: {${SECRET}: 1}) { licences } }
=> Argument "curp" of Query.person: expected CURP, got an object. CURP must be a string of 18 characters.
{ person(curp: ["${SECRET}"]) { licences } }
=> Argument "curp" of Query.person: expected CURP, got a list. CURP must be a string of 18 characters.
{ person(match: "${SECRET}") { licences } }
=> Argument "match" of Query.person: expected NameMatch!, got a string. The values of NameMatch are EXACT, ALL.
{ person(match: ${SECRET}) { licences } }
=> Argument "match" of Query.person: expected NameMatch!, got a name without quotes. The values of NameMatch are EXACT, ALL.
{ person { licences(match: null) } }
=> Argument "match" of Person.licences: expected NameMatch!, got null. The values of NameMatch are EXACT, ALL.
{ person(name: "${SECRET}") { licences } }
=> Argument "name" of Query.person: expected PersonNameInput, got a string.
{ person(name: {names: ${SECRET}, paternalSurname: ""}) { licences } }
=> Argument "name.names" of Query.person: expected String!, got a name without quotes.
{ person(name: {names: """${SECRET}"""}) { licences } }
=> Argument "name" of Query.person: expected the field "paternalSurname" of type String!, got nothing.
{ person(name: {names: "", paternalSurname: "", ${SECRET}: 1}) { licences } }
=> Argument "name" of Query.person: ${UNKNOWN}
{ person(name: {names: "", names: "${SECRET}", paternalSurname: ""}) { licences } }
=> A field of an input object is given twice.
{ months(periods: ["2026-01", {x: "${SECRET}"}]) }
=> Argument "periods" of Query.months: expected YearMonth!, got an object. YearMonth must be a string, YYYY-MM.
{ months(periods: [], first: "${SECRET}", ratio: "${SECRET}", id: ["${SECRET}"], flag: "${SECRET}", text: {a: "${SECRET}"}) }
=> Argument "first" of Query.months: expected Int, got a string.
=> Argument "ratio" of Query.months: expected Float, got a string.
=> Argument "id" of Query.months: expected ID, got a list.
=> Argument "flag" of Query.months: expected Boolean, got a string.
=> Argument "text" of Query.months: expected String, got an object.
{ months(periods: [], first: 84966311213) }
=> Argument "first" of Query.months: expected Int, got a number that is not a 32-bit integer.
{ estimate(input: {operation: "", rows: [{a: {b: [${SECRET}]}}]}) }
=> Argument "input.rows" of Query.estimate: expected JSON!, got an object. JSON has no bare names. Put the text in quotes.
{ failing @label(text: ${SECRET}) }
=> Argument "text" of @label: expected String!, got a name without quotes.
{ failing @skip(if: "${SECRET}") }
=> Argument "if" of @skip: expected Boolean!, got a string.
query ($nss: NSS = ${SECRET}) { person(nss: $nss) { licences } }
=> Default value of "$nss": expected NSS, got a name without quotes. NSS must be a string of digits.
query ($n: PersonNameInput = {names: ["${SECRET}"], paternalSurname: ""}) { person(name: $n) { licences } }
=> Default value of "$n.names": expected String!, got a list.
mutation { verifySignature(input: {rfc: "", password: "${SECRET}", certificate: {upload: "${SECRET}"}, privateKey: {base64: "aaaa"}}) }
=> Argument "input.certificate.upload" of Mutation.verifySignature: expected Upload, got a string. Upload must be a file part of a multipart request, with null as its variable. Without multipart, send base64.
mutation { verifySignature(input: {rfc: "", password: "${SECRET}", certificate: {}, privateKey: {base64: "aaaa"}}) }
=> Argument "input.certificate" of Mutation.verifySignature: exactly one field of FileInput! must be given.
{ foreign(value: "${SECRET}") }
=> Argument "value" of Query.foreign: expected Foreign, got a string.
`);

const SYNTAX = table(`
{ person(curp: "${SECRET}) }
=> Unterminated string.
{ person(curp: """${SECRET}
=> Unterminated string.
{ person(curp: "a\ud800${SECRET}") }
=> Invalid character within String.
{ person(curp: "\\u${SECRET}") }
=> Invalid Unicode escape sequence.
{ person(curp: "\\h${SECRET}") }
=> Invalid character escape sequence.
{ person(curp: "x" "${SECRET}") }
=> Expected Name, found String.
{ person("""${SECRET}""") }
=> Expected Name, found BlockString.
{ person(curp: VADA ${SECRET}) }
=> Expected ":", found ")".
{ person(name: {names: JOSE ${SECRET} x: 1}) }
=> Expected ":", found Name.
{ person(84966311213) }
=> Expected Name, found Int.
{ person(849663112.13) }
=> Expected Name, found Float.
{ person(nss: 84966311213x) }
=> Invalid number.
{ person(nss: 01867012344) }
=> Invalid number.
{ person(curp: '${SECRET}') }
=> Unexpected single quote character ('), did you mean to use a double quote (")?
{ person(curp: %${SECRET}) }
=> Unexpected character.
${SECRET}
=> Unexpected Name.
"${SECRET}"
=> Unexpected <EOF>.
{ person } ${SECRET}
=> Unexpected Name.
query ($x: NSS = $${SECRET}) { person }
=> Unexpected variable.
query ($x ${SECRET}) { person }
=> Expected ":", found Name.
fragment on ${SECRET}
=> Unexpected Name.
fragment x ${SECRET}
=> Expected "on", found Name.
{ person { ${SECRET}
=> Expected Name, found <EOF>.
`);

describe('errors about literals', () => {
  it.each(LITERALS)('name the place and the expected type: %s', (source, answers) => {
    const { before, after, messages, printed } = ask(source);
    expect(messages).toEqual(expect.arrayContaining([...answers]));
    expect(printed).not.toContain(SECRET);
    expect(after.map(({ locations }) => locations)).toEqual(before.map(({ locations }) => locations));
  });

  it('do not quote a password beside a variable that is null', () => {
    const source = `query ($limit: Int = 1) { estimate(input: {operation: "${SECRET}", limit: $limit}) }`;
    const { before, after, messages, printed } = ask(source, { limit: null });
    expect(before[0]?.message).toContain(SECRET);
    expect(messages).toEqual([
      'Argument "input" of Query.estimate: expected EstimateInput!; a variable inside it does not fit.',
    ]);
    expect(after[0]?.path).toEqual(['estimate']);
    expect(printed).not.toContain(SECRET);
  });

  it('describe a literal that is nested very deeply', () => {
    const { messages, printed } = ask(
      `{ person(name: ${'{a: '.repeat(1500)}"${SECRET}"${'}'.repeat(1500)}) { licences } }`,
    );
    expect(messages).toContain(`Argument "name" of Query.person: ${UNKNOWN}`);
    expect(printed).not.toContain(SECRET);
  });
});

describe('syntax errors', () => {
  it.each(SYNTAX)('name the expected tokens, and not the found token: %s', (source, answers) => {
    const { before, after, messages, printed } = ask(source);
    expect(messages).toEqual(answers.map((answer) => `Syntax Error: ${answer}`));
    expect(printed).not.toMatch(new RegExp(`${SECRET}|849663112|01867012344`));
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
        expect(messages.filter((message) => message.startsWith('Syntax Error: ')).join()).not.toContain(SECRET);
      }),
    );
  });
});
