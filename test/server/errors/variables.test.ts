import fc from 'fast-check';
import type { GraphQLError } from 'graphql';
import { ask, SECRET, table } from './client-errors';

const DOCUMENTS: Readonly<Record<string, string>> = {
  verify: 'mutation ($input: SignatureInput!) { verifySignature(input: $input) }',
  person: `query ($nss: NSS, $curp: CURP, $name: PersonNameInput, $match: NameMatch! = EXACT) {
    person(nss: $nss, curp: $curp, name: $name, match: $match) { licences } }`,
  months: `query ($p: [YearMonth!]!, $i: Int, $f: Float, $id: ID, $b: Boolean, $t: String) {
    months(periods: $p, first: $i, ratio: $f, id: $id, flag: $b, text: $t) }`,
  estimate: 'query ($input: EstimateInput!) { estimate(input: $input) }',
  foreign: 'query ($v: Foreign) { foreign(value: $v) }',
};

const FILES = `"certificate": {"base64": "aaaa"}, "privateKey": {"base64": "aaaa"}`;

const SIGNATURE = `"rfc": "${SECRET}", "password": "${SECRET}", ${FILES}`;

const FAULTS = table(`
verify {"input": {"rfc": "x", "password": "${SECRET}", "certificate": {"base64": "aaaa"}}}
=> Variable "$input.privateKey": expected FileInput!, got nothing.
verify {"input": {${SIGNATURE}, "certificate": null}}
=> Variable "$input.certificate": expected FileInput!, got null.
verify {"input": {${SIGNATURE}, "certificate": "${SECRET}"}}
=> Variable "$input.certificate": expected FileInput!, got a string.
verify {"input": {${SIGNATURE}, "certificate": {"base64": "data:${SECRET}"}}}
=> Variable "$input.certificate.base64": expected Base64, got a string. Base64 must be the bytes only. Remove the "data:…;base64," prefix.
verify {"input": {${SIGNATURE}, "certificate": {"upload": {"${SECRET}": "${SECRET}"}}}}
=> Variable "$input.certificate.upload": expected Upload, got an object. Upload must be a file part of a multipart request, with null as its variable. Without multipart, send base64.
verify {"input": {${SIGNATURE}, "certificate": {"base64": null}}}
=> Variable "$input.certificate.base64": expected Base64, got null.
verify {"input": {${SIGNATURE}, "certificate": {}}}
=> Variable "$input.certificate": exactly one field of FileInput! must be given.
verify {"input": {${SIGNATURE}, "${SECRET}": 1}}
=> Variable "$input": unknown field; the fields of SignatureInput are rfc, password, certificate, privateKey.
verify {"input": {"rfc": "x", "${SECRET}": 1, "certificate": {}}}
=> Variable "$input.password": expected String!, got nothing.
=> Variable "$input.privateKey": expected FileInput!, got nothing.
=> Variable "$input": unknown field; the fields of SignatureInput are rfc, password, certificate, privateKey.
=> Variable "$input.certificate": exactly one field of FileInput! must be given.
verify {"${SECRET}": "${SECRET}"}
=> Variable "$input": expected SignatureInput!, got nothing.
verify {"input": null}
=> Variable "$input": expected SignatureInput!, got null.
verify {"input": "${SECRET}"}
=> Variable "$input": expected SignatureInput!, got a string.
verify {"input": ["${SECRET}"]}
=> Variable "$input": expected SignatureInput!, got a list.
person {"nss": 84966311213}
=> Variable "$nss": expected NSS, got a number. NSS must be a string of digits.
person {"curp": {"${SECRET}": "${SECRET}"}}
=> Variable "$curp": expected CURP, got an object. CURP must be a string of 18 characters.
person {"match": "${SECRET}"}
=> Variable "$match": expected NameMatch!, got a string. The values of NameMatch are EXACT, ALL.
person {"match": 5}
=> Variable "$match": expected NameMatch!, got a number. The values of NameMatch are EXACT, ALL.
person {"name": {"names": ["${SECRET}"], "paternalSurname": 5}}
=> Variable "$name.names": expected String!, got a list.
=> Variable "$name.paternalSurname": expected String!, got a number.
person {"name": "${SECRET} at \\"name.names\\"; Expected type \\"x"}
=> Variable "$name": expected PersonNameInput, got a string.
person {"name": {"names": "", "paternalSurname": "", "names\\" of required type \\"${SECRET}": 1}}
=> Variable "$name": unknown field; the fields of PersonNameInput are names, paternalSurname, maternalSurname.
person {"name": {"names": "", "paternalSurname": "", "a\\n${SECRET}": 1}}
=> Variable "$name": unknown field; the fields of PersonNameInput are names, paternalSurname, maternalSurname.
months {"p": [], "i": "${SECRET}"}
=> Variable "$i": expected Int, got a string.
months {"p": [], "i": 84966311213}
=> Variable "$i": expected Int, got a number that is not a 32-bit integer.
months {"p": [], "f": "${SECRET}", "id": ["${SECRET}"], "b": "${SECRET}", "t": {"${SECRET}": 1}}
=> Variable "$f": expected Float, got a string.
=> Variable "$id": expected ID, got a list.
=> Variable "$b": expected Boolean, got a string.
=> Variable "$t": expected String, got an object.
months {"p": ["2026-01", {"${SECRET}": 1}]}
=> Variable "$p[1]": expected YearMonth!, got an object. YearMonth must be a string, YYYY-MM.
months {"p": 202601}
=> Variable "$p": expected [YearMonth!]!, got a number. YearMonth must be a string, YYYY-MM.
estimate {"input": {"operation": "${SECRET}", "names": {"names": "${SECRET}"}}}
=> Variable "$input.names.paternalSurname": expected String!, got nothing.
estimate {"input": {"operation": "${SECRET}", "names": [{"names": "x", "paternalSurname": "y"}, {"names": "${SECRET}", "paternalSurname": true}]}}
=> Variable "$input.names[1].paternalSurname": expected String!, got a boolean.
months {"P": ["2026-01"], "$p": 1}
=> Variable "$p": expected [YearMonth!]!, got nothing. The request has "P": did you mean "p"?
months {"q": "${SECRET}"}
=> Variable "$p": expected [YearMonth!]!, got nothing.
estimate {"input": {"operation": "${SECRET}", "limit": null}}
=> Variable "$input.limit": expected Int!, got null.
foreign {"v": "${SECRET}"}
=> Variable "$v": expected Foreign, got a string.
`);

describe('errors about variables', () => {
  it.each(FAULTS)('name the place and the expected type: %s', (question, answers) => {
    const separator = question.indexOf(' ');
    const variables = JSON.parse(question.slice(separator));
    const { before, after, messages, printed } = ask(DOCUMENTS[question.slice(0, separator)] ?? '', variables);
    expect(messages).toEqual(answers);
    expect(printed).not.toContain(SECRET);
    expect(after.map(({ locations }) => locations)).toEqual(before.map(({ locations }) => locations));
  });

  it('are five at most', () => {
    const { messages } = ask(DOCUMENTS.months ?? '', { p: Array.from({ length: 100_000 }, () => 5), i: SECRET });
    expect(messages).toEqual(
      Array.from(
        { length: 5 },
        (_, index) =>
          `Variable "$p[${index}]": expected YearMonth!, got a number. YearMonth must be a string, YYYY-MM.`,
      ),
    );
  });

  it('do not quote the password beside a missing file, as graphql-js would', () => {
    const { before } = ask(DOCUMENTS.verify ?? '', { input: { password: SECRET } });
    expect(before[0]?.message).toContain(SECRET);
  });

  it('list no fields or values if suggestions are hidden', () => {
    expect(ask(DOCUMENTS.person ?? '', { match: SECRET }, true).messages).toEqual([
      'Variable "$match": expected NameMatch!, got a string.',
    ]);
    expect(ask(DOCUMENTS.person ?? '', { name: { names: '', paternalSurname: '', x: 1 } }, true).messages).toEqual([
      'Variable "$name": unknown field.',
    ]);
  });

  it('never quote a variable, whatever JSON it is', () => {
    const names = ['input', 'nss', 'curp', 'name', 'match', 'p', 'i', 'f', 'id', 'b', 't', 'v'];
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(DOCUMENTS)), anyJson(), (source, value) => {
        const { messages } = ask(source, Object.fromEntries(names.map((name) => [name, value])));
        for (const message of messages) {
          expect(message).toMatch(/^Variable "\$/);
          expect(textsOf(value).filter((text) => message.includes(text))).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** JSON whose keys are those of the schema or secrets; every secret carries a mark that no message holds by chance. */
function anyJson(): fc.Arbitrary<unknown> {
  const secret = fc.string({ minLength: 4, maxLength: 20, unit: 'grapheme' }).map((text) => `§${text}§§`);
  const inputNames = fc.constantFrom(
    ...'names paternalSurname certificate base64 upload password rows limit'.split(' '),
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      secret,
      fc.constantFrom(null, true, 8496631121.5, 849663112),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(inputNames, secret), tie('tree'), { maxKeys: 4 }),
    ),
  }));
  return tree;
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [...(key.startsWith('§') ? [key] : []), ...textsOf(item)]);
}

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
