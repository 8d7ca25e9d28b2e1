import { likenessOf, namesToSearch, repairFundName, repairMisread, secondSurname } from '../../src/identifiers/names';
import { givenNames, surnames } from '../support/names/frequent-names';

/** A name in three parts, separated by bars. */
const toName = (text: string) => {
  const [names = '', paternalSurname = '', maternalSurname = ''] = text.split('|');
  return { names, paternalSurname, maternalSurname };
};
const compare = (left: string, right: string) => {
  const [there, back] = [likenessOf(toName(left), toName(right)), likenessOf(toName(right), toName(left))];
  expect(back).toBe(there);
  return there;
};
const claudia = 'MARÍA FERNANDA|MUÑOZ|DE LA CRUZ';

describe('two names', () => {
  it.each([
    ['case and accents', 'maria fernanda|Muñoz|de la cruz'],
    ['decomposed letters', claudia.normalize('NFD')],
    ['N for Ñ', 'MARIA FERNANDA|MUNOZ|DE LA CRUZ'],
    ['blanks', '  MARÍA   FERNANDA|MU ÑOZ| DELACRUZ '],
    ['dots, hyphens and apostrophes', 'MARÍA-FERNANDA.|MUÑOZ’|DE-LA CRUZ.'],
    ...['#', '?', '/', '¥', 'Ã‘', 'Ã\u0091', 'Ã±'].map((lost) => [
      `an Ñ lost as ${lost}`,
      `MARÍA FERNANDA|MU${lost}OZ|DE LA CRUZ`,
    ]),
  ])('are the same but for %s', (_, written) => {
    expect(compare(claudia, written)).toBe('SAME');
  });

  it.each(['', ' ', '-', '--', '.', 'X', 'x', 'XX', 'N/A', 'n/a', 'N.A.', 'SN', 'S/N', 'S.N.'])(
    'are the same without a second surname, written as "%s"',
    (none) => {
      expect(compare('URIEL|GUTIÉRREZ|', `URIEL|GUTIÉRREZ|${none}`)).toBe('SAME');
      expect(secondSurname(none)).toBeNull();
    },
  );

  it.each([
    ['MA. FERNANDA|MUÑOZ|DE LA CRUZ'],
    ['MA FERNANDA|MUÑOZ|DE LA CRUZ'],
    ['M. FERNANDA|MUÑOZ|DE LA CRUZ'],
    ['Mª FERNANDA|MUÑOZ|DE LA CRUZ'],
    ['FERNANDA|MUÑOZ|DE LA CRUZ'],
    ['MARÍA|MUÑOZ|DE LA CRUZ'],
    ['MARÍA LUISA FERNANDA|MUÑOZ|DE LA CRUZ'],
    ['MARÍA FERNANDA|MUÑOZ|CRUZ'],
    ['MARÍA FERNANDA|MUÑOZ|'],
    ['MARÍA FERNANDA|MUÑOZ|X'],
    ['MARÍA FERNANDA|MUÑOZ DE LA CRUZ|'],
    ['MA. FERNANDA|MU#OZ VDA. DE PÉREZ|'],
  ])('are one name, written differently: %s', (written) => {
    expect(compare(claudia, written)).toBe('VARIANT');
  });

  it.each([
    ['J. ANGEL|LÓPEZ|RÍOS', 'JOSÉ ÁNGEL|LÓPEZ|RÍOS'],
    ['JO. ANGEL|LÓPEZ|RÍOS', 'JOSÉ ÁNGEL|LÓPEZ|RÍOS'],
    ['ROSA|MORALES VDA. DE PÉREZ|', 'ROSA|MORALES|'],
    ['MARÍA DE LOS ÁNGELES|SOTO|', 'MARÍA ÁNGELES|SOTO|'],
    ['KARL|VON HUMBOLDT|', 'KARL|HUMBOLDT|'],
    ['JOSÉ|ORTEGA Y GASSET|', 'JOSÉ|ORTEGA GASSET|'],
  ])('are one name, written differently: %s, %s', (left, right) => {
    expect(compare(left, right)).toBe('VARIANT');
  });

  it.each([
    ['another given name', 'MARÍA LUISA|MUÑOZ|DE LA CRUZ'],
    ['given names in another order', 'FERNANDA MARÍA|MUÑOZ|DE LA CRUZ'],
    ['an abbreviation of another name', 'J. FERNANDA|MUÑOZ|DE LA CRUZ'],
    ['a first surname and more', 'MARÍA FERNANDA|MUÑOZ LEDO|DE LA CRUZ'],
    ['another second surname', 'MARÍA FERNANDA|MUÑOZ|DE LA ROSA'],
    ['surnames in another order', 'MARÍA FERNANDA|DE LA CRUZ|MUÑOZ'],
    ['another lost letter', 'MARÍA FERNANDA|M#ÑOZ|DE LA CRUZ'],
    ['one letter', 'MARÍA FERNANDA|NUÑOZ|DE LA CRUZ'],
  ])('are different by %s', (_, written) => {
    expect(compare(claudia, written)).toBe('DIFFERENT');
  });

  it('cannot be compared without given names or a first surname', () => {
    expect(compare('|MUÑOZ|DE LA CRUZ', claudia)).toBeNull();
    expect(compare('MARÍA FERNANDA||', claudia)).toBeNull();
  });

  const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');
  /** Whether two texts differ by one letter: changed, left out or added. */
  const differsByOne = (left: string, right: string): boolean => {
    const [short, long] = left.length < right.length ? [left, right] : [right, left];
    if (short === long || long.length - short.length > 1) return false;
    const start = [...short].findIndex((letter, index) => letter !== long[index]);
    const index = start < 0 ? short.length : start;
    return short.slice(short.length === long.length ? index + 1 : index) === long.slice(index + 1);
  };
  const pairsOf = (words: readonly string[]) =>
    words.flatMap((left, index) => words.slice(index + 1).map((right) => [left, right] as const));

  it('of two people are never the same among frequent names that differ by one letter, and are never merged among brothers', () => {
    const counts = { compared: 0, same: 0, split: 0 };
    const count = (left: string, right: string): void => {
      const likeness = compare(left, right);
      counts.compared += 1;
      counts.same += likeness === 'SAME' ? 1 : 0;
      counts.split += likeness === 'DIFFERENT' ? 1 : 0;
    };
    const alike = (words: readonly string[]) =>
      pairsOf(words).filter(([left, right]) => differsByOne(plain(left), plain(right)));
    for (const [left, right] of alike(givenNames)) count(`${left}|PÉREZ|LUNA`, `${right}|PÉREZ|LUNA`);
    for (const [left, right] of alike(surnames)) {
      count(`ANA|${left}|LUNA`, `ANA|${right}|LUNA`);
      count(`ANA|PÉREZ|${left}`, `ANA|PÉREZ|${right}`);
    }
    // Brothers have both surnames, and often one given name.
    for (const [left, right] of pairsOf(givenNames)) {
      count(`${left}|PÉREZ|LUNA`, `${right}|PÉREZ|LUNA`);
      count(`JOSÉ ${left}|PÉREZ|LUNA`, `JOSÉ ${right}|PÉREZ|LUNA`);
    }
    expect(alike(givenNames).length).toBeGreaterThan(10);
    expect(counts.compared).toBeGreaterThan(39_000);
    expect(counts.same).toBe(0);
    expect(counts.split).toBeGreaterThan(counts.compared - 500);
  });
});

describe('a name of the housing fund', () => {
  it.each([
    ['MU#OZ', 'MUÑOZ'],
    ['PI#A Y NU#EZ', 'PIÑA Y NUÑEZ'],
    ['Mu#oz', 'Muñoz'],
    ['MUÃ‘OZ', 'MUÑOZ'],
    ['#OZ', '#OZ'],
    ['MU# OZ', 'MU# OZ'],
    ['MU?OZ', 'MU?OZ'],
    ['MUÃ“N', 'MUÃ“N'],
  ])('is repaired where the repair is certain: %s', (written, repaired) => {
    expect(repairFundName(written)).toBe(repaired);
    expect(repairFundName(repaired)).toBe(repaired);
  });

  it('is the only one whose # is a letter', () => {
    expect([repairMisread('MU#OZ'), repairMisread('MUÃ‘OZ'), repairMisread(null)]).toEqual(['MU#OZ', 'MUÑOZ', null]);
  });
});

describe('a search', () => {
  it.each([
    ['MA. FERNANDA', 'FERNANDA'],
    ['FERNANDA MA', 'FERNANDA'],
    ['J ANGEL', 'ANGEL'],
    ['Mª DE LOS ÁNGELES', 'DE LOS ÁNGELES'],
    ['MA.', 'MA.'],
    ['M. DE LA', 'M. DE LA'],
    ['MARÍA FERNANDA', 'MARÍA FERNANDA'],
    ['MARÍA DEL CARMEN', 'MARÍA DEL CARMEN'],
  ])('leaves out an abbreviated given name, and nothing else: %s', (names, searched) => {
    expect(namesToSearch(names)).toBe(searched);
  });
});
