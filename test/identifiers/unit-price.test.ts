import fc from 'fast-check';
import { amountOf } from '../../src/identifiers/decimals';

describe('an amount in pesos', () => {
  it.each([
    [0, '1.20', '0.00'],
    [3, '1.20', '3.60'],
    [3, '1.2', '3.60'],
    [1, '1', '1.00'],
    [7, '0.05', '0.35'],
    [1_204, '1.2', '1444.80'],
    [3, '1.2345', '3.7035'],
    [9_007_199_254_740_991, '999999.99', '9007199164668998452590.09'],
  ])('is exact: %i units at %s are %s', (units, price, amount) => {
    expect(amountOf(units, price)).toBe(amount);
  });

  it('is null without a price', () => {
    expect(amountOf(3, null)).toBeNull();
  });

  it('of a sum of units is the sum of their amounts', () => {
    const cents = (amount: string | null): bigint => BigInt((amount ?? '').replace('.', ''));
    const prices = fc.tuple(fc.integer({ min: 0, max: 9_999 }), fc.integer({ min: 0, max: 99 }));
    fc.assert(
      fc.property(prices, fc.nat(), fc.nat(), ([whole, fraction], first, second) => {
        const price = `${whole}.${String(fraction).padStart(2, '0')}`;
        const parts = cents(amountOf(first, price)) + cents(amountOf(second, price));
        expect(cents(amountOf(first + second, price))).toBe(parts);
      }),
    );
  });
});
