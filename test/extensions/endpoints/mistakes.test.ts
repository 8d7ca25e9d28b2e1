import { readDefinitions } from '../../../src/extensions/endpoints/read-files';
import { insurance, postalCode, weeks } from './definitions';

/** Returns the mistakes of a definition, without the name of its file. */
const mistakesOf = (definition: unknown, nssFinder: string | null = null): readonly string[] =>
  readDefinitions([{ file: 'a.mjs', exports: { it: definition } }], nssFinder).mistakes.map((mistake) =>
    mistake.replace(/^EXTENSIONS: a\.mjs( \(\w+\))?: /, ''),
  );

const { units: _units, ...withoutPrice } = postalCode;

describe('the mistakes of an endpoint file', () => {
  it('are reported all at once, with the file, the endpoint and the place', () => {
    const { name, ...record } = postalCode.record.fields as { readonly name: object };
    const { description: _description, ...field } = name as { readonly description: string };
    const definition = {
      ...{ ...withoutPrice, descripton: 'a typing mistake' },
      input: { codigo: { argument: 'code', type: 'Text', description: 'Five digits.' } },
      record: { ...postalCode.record, fields: { ...record, name: field } },
    };
    expect(readDefinitions([{ file: './a.mjs', exports: { definition } }], null).mistakes).toEqual([
      'EXTENSIONS: ./a.mjs (findPostalCode): units is missing. It must be a whole number of units from 0 to 1,000,000.',
      'EXTENSIONS: ./a.mjs (findPostalCode): descripton is not known. Did you mean description?',
      'EXTENSIONS: ./a.mjs (findPostalCode): input.codigo.type must be one of String, Int, NSS, CURP, RFC, EmployerRegistration.',
      'EXTENSIONS: ./a.mjs (findPostalCode): record.fields.name.description is missing. It must be a description for the developers who query it.',
    ]);
  });

  it('say which name exists already', () => {
    const taken = {
      ...{ ...weeks, name: 'findCredit', address: 'POST /api/infonavit/grupo/buscar-credito', field: 'Person.credit' },
      record: { ...weeks.record, type: 'HousingCredit' },
    };
    expect(mistakesOf(taken)).toEqual([
      'name is findCredit, which exists already. Choose another name.',
      'address is POST /api/infonavit/grupo/buscar-credito, which exists already. Choose another name.',
      'field is Person.credit, which exists already. Choose another name.',
      'record.type is HousingCredit, which exists already. Choose another name.',
      'record.type is HousingCreditLookup, which exists already. Choose another name.',
    ]);
    const twice = readDefinitions(
      [{ file: 'a.mjs', exports: { a: { ...taken, name: 'again' }, taken } }],
      null,
    ).mistakes;
    expect(twice.filter((mistake) => mistake.includes('(findCredit)'))).toHaveLength(5);
  });

  it.each([
    ['nothing', null, 'must be an object that describes an endpoint. docs/extensions.md has one.'],
    ['a path without a method', { ...postalCode, address: '/codigos' }, /^address must be a method and a path/],
    [
      'a field of a type that padron has not',
      { ...postalCode, field: 'Vehicle.plate' },
      /^field must be Query, Person/,
    ],
    ['a price with a fraction', { ...postalCode, units: 1.5 }, /^units must be a whole number/],
    [
      'a registry of padron by another name',
      { ...weeks, registry: { ...weeks.registry, name: 'housingFund' } },
      /^registry.name is housingFund/,
    ],
    ['a path of the sandbox itself', { ...postalCode, address: 'GET /sandbox/guide' }, /^address must be/],
    ['a body of a GET request', { ...postalCode, address: 'GET /codigos', encoding: 'json' }, /^encoding is json/],
    ['a scope with a blank', { ...postalCode, permission: 'use this' }, /^permission must be/],
    [
      'an argument that padron needs itself',
      { ...postalCode, input: { a: { ...postalCode.input.codigo, argument: 'foundBy' } } },
      /^input.a.argument must be/,
    ],
    [
      'a column with the name of a method of every object',
      { ...postalCode, record: { ...postalCode.record, fields: { toString: weeks.record.fields.weeks } } },
      'record.fields.toString must be a name such as paidOn.',
    ],
    [
      'a member that throws',
      {
        ...postalCode,
        get input() {
          throw new Error('it throws');
        },
      },
      'cannot be read: Error: it throws.',
    ],
    [
      'a name of a method of every object',
      { ...postalCode, field: 'Query.constructor' },
      'field must be Query, Person or Employer and a name: Query.postalCode.',
    ],
    [
      'an identifier that the query has not',
      { ...postalCode, input: weeks.input },
      /^input takes nss, but Query has no/,
    ],
    ['a person without an identifier', { ...weeks, input: {} }, /^input takes nothing from Person/],
    [
      'an identity that no field has',
      { ...weeks, names: { curp: 'weeks' } },
      'names.curp is weeks, which must be a field of ContributionWeeks with the type CURP.',
    ],
    [
      'the name of what it finds',
      { ...insurance, names: { curp: 'curp' } },
      'finds needs a field of Person, with one parameter from curp, and one record that names nss and curp.',
    ],
    [
      'an identifier that is found from itself',
      { ...insurance, input: weeks.input },
      'finds needs a field of Person, with one parameter from curp, and one record that names nss and curp.',
    ],
    [
      'a column that is read twice',
      {
        ...postalCode,
        record: { ...postalCode.record, fields: { a: weeks.record.fields.weeks, b: weeks.record.fields.weeks } },
      },
      'Settlement reads the column semanas twice. Remove a field.',
    ],
  ])('include %s', (_what, definition, mistake) => {
    expect(mistakesOf(definition)).toEqual([typeof mistake === 'string' ? mistake : expect.stringMatching(mistake)]);
  });

  it('include a record without an end', () => {
    const record: Record<string, unknown> = { type: 'Endless', description: 'A record.' };
    record.fields = { inner: { column: 'a', description: 'A.', spanish: 'a', record } };
    expect(mistakesOf({ ...postalCode, record })).toContainEqual(
      expect.stringMatching(/is nested too deep\. Use 5 levels at most\.$/),
    );
  });

  it('are found beside those of other members', () => {
    expect(mistakesOf({ ...withoutPrice, names: { curp: 'nope' }, input: weeks.input })).toEqual([
      expect.stringMatching(/^units is missing/),
      expect.stringMatching(/^input takes nss, but Query/),
      expect.stringMatching(/^names.curp is nope/),
    ]);
  });

  it('are none if two groups have the same table', () => {
    const address = { type: 'Address', description: 'An address.', fields: { city: weeks.record.fields.weeks } };
    const group = (column: string) => ({ column, description: 'An address.', spanish: column, record: address });
    const fields = { home: group('casa'), work: group('trabajo') };
    const record = { type: 'Addresses', description: 'Addresses.', fields };
    const definition = {
      ...postalCode,
      name: 'findAddresses',
      field: 'Query.addresses',
      address: 'POST /domicilios',
      record,
    };
    expect(mistakesOf(definition)).toEqual([]);
  });

  it('name a finder that no file has, and those that exist', () => {
    expect(mistakesOf(insurance, 'findCurp')).toEqual(['NSS_FINDER: findCurp finds no NSS. Use findNss.']);
    expect(mistakesOf(postalCode, 'findCurp')).toEqual(['NSS_FINDER: findCurp finds no NSS. Remove it.']);
  });
});
