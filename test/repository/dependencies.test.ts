import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const { dependencies, overrides } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Returns the packages in the first column of the table of CONTRIBUTING whose header begins with this text. */
function explained(header: string): readonly string[] {
  const lines = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${header} |`));
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end === -1 ? rows.length : end).flatMap((row) => row.split('|')[1]?.trim().split(', ') ?? []);
}

describe('CONTRIBUTING', () => {
  it.each([
    ['production dependency', 'in production', dependencies],
    ['override', 'in `overrides`', overrides],
  ])('explains every %s once, and none that is gone', (_kind, header, packages) => {
    expect([...explained(header)].sort()).toEqual(Object.keys(packages).sort());
  });

  it('explains no override that replaces a package by another one, because users of padron install without overrides', () => {
    expect(Object.values(overrides).filter((version) => String(version).startsWith('npm:'))).toEqual([]);
  });
});
