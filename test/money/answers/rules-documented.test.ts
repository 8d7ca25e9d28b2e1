import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from '../../../src/money/answers/rules';

const page = (name: string): string => readFileSync(join(__dirname, '../../../docs', name), 'utf8');

describe('the rules for answers', () => {
  const all = Object.values(rules);

  it('are printed by the documents, in their order', () => {
    const rows = all.map(
      ({ who, which, isAged, until }, index) =>
        `| ${index + 1} | ${who} | ${which} | ${isAged ? 'yes' : 'no'} | ${until} |`,
    );
    expect(page('compliance.md')).toContain(`\n${rows.join('\n')}\n`);
  });

  it('have the same rows in Spanish', () => {
    const cells = page('es/compliance.md')
      .split('\n')
      .filter((line) => /^\| \d \|/.test(line))
      .map((line) => line.split(' | '));
    expect(cells.map(([, , , aged]) => aged)).toEqual(all.map(({ isAged }) => (isAged ? 'sí' : 'no')));
  });
});
