import { formatCentavos, spellAmount } from '../../../../src/extensions/sandbox/data/money';

describe('an amount in words', () => {
  it.each([
    [5, 'CERO PESOS 05/100 M.N.'],
    [1_00, 'UN PESO 00/100 M.N.'],
    [16_00, 'DIECISÉIS PESOS 00/100 M.N.'],
    [21_00, 'VEINTIÚN PESOS 00/100 M.N.'],
    [31_00, 'TREINTA Y UN PESOS 00/100 M.N.'],
    [100_00, 'CIEN PESOS 00/100 M.N.'],
    [921_00, 'NOVECIENTOS VEINTIÚN PESOS 00/100 M.N.'],
    [1_001_00, 'MIL UN PESOS 00/100 M.N.'],
    [31_031_00, 'TREINTA Y UN MIL TREINTA Y UN PESOS 00/100 M.N.'],
    [101_000_00, 'CIENTO UN MIL PESOS 00/100 M.N.'],
    [136_211_32, 'CIENTO TREINTA Y SEIS MIL DOSCIENTOS ONCE PESOS 32/100 M.N.'],
    [1_000_000_50, 'UN MILLÓN DE PESOS 50/100 M.N.'],
    [1_001_000_00, 'UN MILLÓN MIL PESOS 00/100 M.N.'],
    [21_500_700_00, 'VEINTIÚN MILLONES QUINIENTOS MIL SETECIENTOS PESOS 00/100 M.N.'],
  ])('spells %d centavos', (centavos, words) => {
    expect(spellAmount(centavos)).toBe(words);
  });
});

describe('an amount as currency text', () => {
  it.each([
    [7, '$0.07'],
    [99_999, '$999.99'],
    [100_000, '$1,000.00'],
    [1_013_621_132, '$10,136,211.32'],
  ])('writes %d centavos', (centavos, text) => {
    expect(formatCentavos(centavos)).toBe(text);
  });
});
