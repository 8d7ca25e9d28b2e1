import { padronForTests } from '../support/padrons/padron-for-tests';

/** Marks that composing sorts, by the square of their number. */
const marks = (count: number): string => `${'\u0301'.repeat(count)}${'\u0323'.repeat(count)}`;
const long = `a${marks(1_000)}`;

const padron = padronForTests();

const name = `names: "A", paternalSurname: "B"`;
const fields: readonly (readonly [what: string, query: string])[] = [
  ['an NSS', '($text: NSS!) { lookup: person(nss: $text) { of: credit { outcome problems { code message } } } }'],
  ['a CURP', '($text: CURP!) { lookup: person(curp: $text) { of: identity { outcome problems { code message } } } }'],
  [
    'a registration',
    '($text: EmployerRegistration!) { lookup: employer(registration: $text) { of: snapshots { outcome problems { code message } } } }',
  ],
  [
    'a part of a name',
    `($text: String!) { lookup: person(name: { ${name}, maternalSurname: $text }) { of: licences { outcome problems { code message } } } }`,
  ],
];

describe('an extremely long identifier', () => {
  it.each(fields)('is rejected unchanged: %s', async (_, query) => {
    const { data, errors } = await padron.ask(`query ${query}`, { text: long });
    expect(errors).toBeUndefined();
    expect(data.lookup.of).toMatchObject({
      outcome: 'INVALID_INPUT',
      problems: [{ code: 'INVALID_FORMAT', message: expect.stringContaining('1,000') }],
    });
    expect(padron.calls()).toEqual([]);
  });
});
