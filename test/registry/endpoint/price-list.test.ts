import { findLicence, searchLicences } from '../../../src/graph/domains/education/endpoints';
import { findCredit } from '../../../src/graph/domains/housing/endpoints';
import {
  loadPriceList,
  ownPrices,
  type PriceListError,
  readPriceList,
} from '../../../src/registry/endpoint/price-list';
import { readPage } from '../../support/pages';
import { priceFile } from '../../support/sandbox/price-file';

const endpoints = [findCredit, findLicence, searchLicences];
const catalogue = endpoints.map((endpoint) => ({ endpoint }));

function mistakesOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    return (error as PriceListError).mistakes;
  }
  throw new Error('The list has no mistakes.');
}

const mistakesIn = (list: unknown) => mistakesOf(() => readPriceList(JSON.stringify(list), endpoints));

describe('a price list', () => {
  it('has the terms of this version for what it does not name', () => {
    const list = readPriceList(
      '{"version": 1, "endpoints": {"findCredit": {"units": 3}, "findLicence": {}}}',
      endpoints,
    );
    const answered = ['FOUND', 'NOT_FOUND'];
    expect(endpoints.map((endpoint) => list.of(endpoint))).toEqual([
      { units: 3, charged: answered },
      { units: 1, charged: answered },
      { units: 1, charged: answered },
    ]);
  });

  it('makes an endpoint free if nothing is charged', () => {
    const list = readPriceList('{"version": 1, "endpoints": {"findCredit": {"charged": []}}}', endpoints);
    expect(list.of(findCredit)).toEqual({ units: 0, charged: [] });
  });

  it('is printed as a file that says the same', () => {
    const printed = ownPrices.print(endpoints);
    const list = readPriceList(printed, endpoints);
    expect(list.print(endpoints)).toBe(printed);
    expect(endpoints.map((endpoint) => list.of(endpoint))).toEqual(endpoints.map((endpoint) => ownPrices.of(endpoint)));
  });

  it('has the same text in any order', () => {
    const left =
      '{"version": 2, "endpoints": {"findCredit": {"charged": ["NOT_FOUND", "FOUND"], "units": 2}, "findLicence": {"units": 1}}}';
    const right =
      '{"endpoints": {"findLicence": {"units": 1}, "findCredit": {"units": 2, "charged": ["FOUND", "NOT_FOUND"]}}, "version": 2}';
    expect(readPriceList(left, endpoints).text).toBe(readPriceList(right, endpoints).text);
  });

  it.each(['docs/money.md', 'docs/es/money.md'])('is valid as %s shows it', (page) => {
    const [, shown = ''] = /^```\n(\{\n[\s\S]*?)^```/m.exec(readPage(page).text) ?? [];
    const charged = ['FOUND', 'NOT_FOUND', 'INVALID_INPUT'];
    expect(readPriceList(shown, endpoints).of(findCredit)).toEqual({ units: 3, charged, namedIn: 'costo.unidades' });
  });

  it('is refused with all of its mistakes at once', () => {
    const list = {
      version: 0,
      currency: 'MXN',
      endpoints: {
        findCredits: { units: 1 },
        findCredit: { unit: 2, units: -1, charged: ['FUOND', 'LOST'] },
        findLicence: { units: 1.5, charged: 'FOUND' },
        searchLicences: 3,
      },
    };
    expect(mistakesIn(list)).toEqual([
      '"currency" is not a name in the list. Use version, unitsIn, endpoints.',
      'version must be a whole number from 1. Raise it with each change of the list.',
      '"findCredits" is not a name in endpoints. Did you mean findCredit?',
      '"unit" is not a name in findCredit. Did you mean units?',
      'findCredit.units must be a whole number from 0 to 1000000.',
      '"FUOND" is not a name in findCredit.charged. Did you mean FOUND?',
      '"LOST" is not a name in findCredit.charged. Use FOUND, NOT_FOUND, INVALID_INPUT, NOT_PERMITTED, RATE_LIMITED.',
      'findLicence.units must be a whole number from 0 to 1000000.',
      'findLicence.charged must be a list.',
      'searchLicences must be an object such as {"units": 1, "charged": ["FOUND"]}.',
    ]);
  });

  it.each([
    [
      'an outcome that is no text',
      '{"version": 1, "endpoints": {"findCredit": {"charged": [["FOUND"]]}}}',
      'findCredit.charged must be a list of texts.',
    ],
    [
      'an endpoint twice',
      '{"version": 1, "endpoints": {"findCredit": {"units": 1}, "findCredit": {"units": 2}}}',
      'A name appears twice in an object. Remove one of both.',
    ],
    [
      'a version twice',
      '{"version": 1, "version": 2, "endpoints": {}}',
      'A name appears twice in an object. Remove one of both.',
    ],
    [
      'a path without names',
      '{"version": 1, "unitsIn": "..", "endpoints": {}}',
      'unitsIn must be the path of a member of an answer, such as "costo.unidades".',
    ],
  ])('is refused if it has %s', (_, text, mistake) => {
    expect(mistakesOf(() => readPriceList(text, endpoints))).toEqual([mistake]);
  });

  it('is printed with the units of an endpoint that is free', () => {
    const text = '{"version": 1, "endpoints": {"findCredit": {"units": 3, "charged": []}}}';
    expect(readPriceList(text, endpoints).print(endpoints)).toContain('"findCredit": {"units":3,"charged":[]}');
  });

  it.each([
    ['not JSON', '{"version": 1,}', 'it is not JSON. `padron prices` prints a list to begin with.'],
    ['not an object', '[]', 'it must be a JSON object. `padron prices` prints a list to begin with.'],
    [
      'not UTF-8',
      Buffer.from('{"version": 1, "endpoints": {"ñ": {}}}', 'latin1'),
      'the file is not text in UTF-8. Save it as UTF-8.',
    ],
  ])('is refused if it is %s', (_, text, mistake) => {
    expect(mistakesOf(() => loadPriceList(priceFile(text).PRICE_LIST, catalogue))).toEqual([mistake]);
  });

  it('is refused if its file is missing', () => {
    expect(mistakesOf(() => loadPriceList('/nowhere/prices.json', catalogue))).toEqual([
      'the file cannot be read (ENOENT). Set it to the path of a price list.',
    ]);
  });

  it('of a store may name an endpoint that this version does not know', () => {
    expect(readPriceList('{"version": 3, "endpoints": {"findPlate": {"units": 2}}}', null).version).toBe(3);
  });
});
