import { readConfig } from '../support/padrons/whole-padron';

const read = (TAG_PATTERN: string): RegExp | null => readConfig({ TAG_PATTERN }).tagPattern;

describe('TAG_PATTERN', () => {
  it('is a pattern for the whole tag', () => {
    const pattern = read('CC-\\d{5}|Nómina (?:MX|US)? ?\\d{4}');
    const matches = (tag: string): boolean => pattern?.test(tag) ?? false;
    expect(['CC-10245', 'Nómina MX 2026', 'Nómina 2026'].map(matches)).toEqual([true, true, true]);
    expect(['CC-102456', 'xCC-10245', 'CC-1024', 'nómina 2026'].map(matches)).toEqual([false, false, false, false]);
  });

  it.each([
    ['a group that is not closed', 'CC-(\\d', /TAG_PATTERN must be a regular expression.*: Unterminated group/],
    ['a useless escape', 'CC\\-\\d', /Invalid escape/],
    ['a text that is only valid inside another group', 'a)|(?:b', /Unmatched/],
    ['a repeated group', '(a+)+', /no repeated group/],
    ['a repeated group with alternatives', '(?:a|a)*b', /no repeated group/],
    ['a group that is repeated a number of times', '(?:a*){20}', /no repeated group/],
    ['a lookahead', '(?=a)a', /lookaround/],
    ['a reference to a group', '(a*)\\1', /reference to a group/],
    ['many parts of any length', 'a*a*a*a*b', /at most three parts/],
    ['many alternatives in sequence', `${'a?'.repeat(30)}b`, /at most three parts/],
    ['more than 200 characters', 'a'.repeat(201), /at most 200 characters/],
  ])('is rejected if it has %s', (_what, pattern, message) => {
    expect(() => read(pattern)).toThrow(message);
  });

  it('accepts three parts of any length, and checks the slowest tag without blocking', () => {
    const pattern = read('\\w*\\w*\\w*!');
    const started = performance.now();
    expect(pattern?.test('a'.repeat(64))).toBe(false);
    // A repeated group would take years.
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
