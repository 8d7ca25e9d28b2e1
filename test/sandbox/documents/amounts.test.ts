import fc from 'fast-check';
import { formatCentavos, spellAmount } from '../../../src/sandbox/data/money';

const wholeCentavos = fc.integer({ min: 0, max: 10 ** 12 });

const spelled: readonly (readonly [centavos: number, words: string])[] = [
  [0, 'CERO PESOS 00/100 M.N.'],
  [5, 'CERO PESOS 05/100 M.N.'],
  [1_00, 'UN PESO 00/100 M.N.'],
  [2_50, 'DOS PESOS 50/100 M.N.'],
  [16_00, 'DIECISÉIS PESOS 00/100 M.N.'],
  [20_00, 'VEINTE PESOS 00/100 M.N.'],
  [21_00, 'VEINTIÚN PESOS 00/100 M.N.'],
  [22_00, 'VEINTIDÓS PESOS 00/100 M.N.'],
  [23_00, 'VEINTITRÉS PESOS 00/100 M.N.'],
  [26_00, 'VEINTISÉIS PESOS 00/100 M.N.'],
  [30_00, 'TREINTA PESOS 00/100 M.N.'],
  [31_00, 'TREINTA Y UN PESOS 00/100 M.N.'],
  [99_99, 'NOVENTA Y NUEVE PESOS 99/100 M.N.'],
  [100_00, 'CIEN PESOS 00/100 M.N.'],
  [101_00, 'CIENTO UN PESOS 00/100 M.N.'],
  [500_00, 'QUINIENTOS PESOS 00/100 M.N.'],
  [700_00, 'SETECIENTOS PESOS 00/100 M.N.'],
  [921_00, 'NOVECIENTOS VEINTIÚN PESOS 00/100 M.N.'],
  [1_000_00, 'MIL PESOS 00/100 M.N.'],
  [1_001_00, 'MIL UN PESOS 00/100 M.N.'],
  [1_100_00, 'MIL CIEN PESOS 00/100 M.N.'],
  [2_000_00, 'DOS MIL PESOS 00/100 M.N.'],
  [21_000_00, 'VEINTIÚN MIL PESOS 00/100 M.N.'],
  [31_031_00, 'TREINTA Y UN MIL TREINTA Y UN PESOS 00/100 M.N.'],
  [100_000_00, 'CIEN MIL PESOS 00/100 M.N.'],
  [101_000_00, 'CIENTO UN MIL PESOS 00/100 M.N.'],
  [136_211_32, 'CIENTO TREINTA Y SEIS MIL DOSCIENTOS ONCE PESOS 32/100 M.N.'],
  [1_000_000_00, 'UN MILLÓN DE PESOS 00/100 M.N.'],
  [1_000_000_50, 'UN MILLÓN DE PESOS 50/100 M.N.'],
  [1_000_001_00, 'UN MILLÓN UN PESOS 00/100 M.N.'],
  [1_001_000_00, 'UN MILLÓN MIL PESOS 00/100 M.N.'],
  [21_000_000_00, 'VEINTIÚN MILLONES DE PESOS 00/100 M.N.'],
  [100_000_000_00, 'CIEN MILLONES DE PESOS 00/100 M.N.'],
  [1_000_000_000_00, 'MIL MILLONES DE PESOS 00/100 M.N.'],
  [10_000_000_000_00, 'DIEZ MIL MILLONES DE PESOS 00/100 M.N.'],
  [1_000_000_000_000_00, 'UN BILLÓN DE PESOS 00/100 M.N.'],
  [2_000_001_000_000_00, 'DOS BILLONES UN MILLÓN DE PESOS 00/100 M.N.'],
];

describe('an amount in words', () => {
  it.each(spelled)('spells %d centavos', (centavos, words) => {
    expect(spellAmount(centavos)).toBe(words);
  });

  it('is written as words, the noun and the centavos, for any amount', () => {
    const shape = /^[A-ZÁÉÍÓÚÑ]+( [A-ZÁÉÍÓÚÑ]+)* PESOS? \d\d\/100 M\.N\.$/;
    fc.assert(
      fc.property(wholeCentavos, (centavos) => {
        const words = spellAmount(centavos);
        expect(words).toMatch(shape);
        expect(words).toContain(` ${String(centavos % 100).padStart(2, '0')}/100 `);
      }),
    );
  });

  it('never has uno, un mil, or ciento before a round thousand', () => {
    fc.assert(
      fc.property(wholeCentavos, (centavos) => {
        expect(spellAmount(centavos)).not.toMatch(/UNO|(^|MILLÓN |MILLONES )UN MIL |CIENTO (MIL|MILLONES|PESOS)\b/);
      }),
    );
  });

  it('reads back as the same number', () => {
    fc.assert(
      fc.property(wholeCentavos, (centavos) => {
        expect(readBack(spellAmount(centavos))).toBe(Math.floor(centavos / 100));
      }),
    );
  });
});

describe('an amount as currency text', () => {
  it.each([
    [0, '$0.00'],
    [7, '$0.07'],
    [99_999, '$999.99'],
    [100_000, '$1,000.00'],
    [13_621_132, '$136,211.32'],
    [10 ** 12, '$10,000,000,000.00'],
  ])('writes %d centavos', (centavos, text) => {
    expect(formatCentavos(centavos)).toBe(text);
  });

  it('is grouped by three and reads back as the same centavos', () => {
    fc.assert(
      fc.property(wholeCentavos, (centavos) => {
        const text = formatCentavos(centavos);
        expect(text).toMatch(/^\$\d{1,3}(,\d{3})*\.\d{2}$/);
        expect(Number(text.replace(/[$,.]/g, ''))).toBe(centavos);
      }),
    );
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53])('rejects a number that is not whole centavos: %d', (amount) => {
    expect(() => formatCentavos(amount)).toThrow(RangeError);
    expect(() => spellAmount(amount)).toThrow(RangeError);
  });
});

/** Spanish words to a number, written the other way round from the code under test: by adding up, word after word. */
function readBack(words: string): number {
  const [count = ''] = words.split(/ (?:DE )?PESOS? /);
  let total = 0;
  let group = 0;
  for (const word of count.split(' ')) {
    if (word === 'Y') continue;
    if (word === 'MIL') group = (group === 0 ? 1 : group) * 1000;
    else if (word.startsWith('MILL')) [total, group] = [total + group * 10 ** 6, 0];
    else group += numberOf(word);
  }
  return total + group;
}

function numberOf(word: string): number {
  const units = ['CERO', 'UN', 'DOS', 'TRES', 'CUATRO', 'CINCO', 'SEIS', 'SIETE', 'OCHO', 'NUEVE', 'DIEZ', 'ONCE'];
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '');
  if (units.includes(plain)) return units.indexOf(plain);
  const teens = ['DOCE', 'TRECE', 'CATORCE', 'QUINCE'].indexOf(plain);
  if (teens >= 0) return 12 + teens;
  if (plain.startsWith('DIECI')) return 10 + numberOf(plain.slice(5));
  if (plain === 'VEINTE') return 20;
  if (plain.startsWith('VEINTI')) return 20 + numberOf(plain.slice(6));
  const tens = ['TREINTA', 'CUARENTA', 'CINCUENTA', 'SESENTA', 'SETENTA', 'OCHENTA', 'NOVENTA'].indexOf(plain);
  if (tens >= 0) return 30 + tens * 10;
  if (plain === 'CIEN' || plain === 'CIENTO') return 100;
  const hundreds = ['QUINIENTOS', 'SETECIENTOS', 'NOVECIENTOS'].indexOf(plain);
  if (hundreds >= 0) return 500 + hundreds * 200;
  if (plain.endsWith('CIENTOS')) return 100 * numberOf(plain.slice(0, -7));
  throw new Error(`No such word: ${word}`);
}
