import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const { dependencies, overrides } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

interface LockedPackage {
  readonly license?: string;
  readonly dev?: boolean;
}

const lock: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
);
/** Folders and lock entries of the packages that a production install has. */
const installed = Object.entries(lock.packages).filter(([folder, { dev }]) => folder !== '' && dev !== true);

/** Licences that allow commercial use without publishing padron's or the user's source. */
const permissive = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0']);

/** Whether all licences of the package are permissive. If its package.json names none, the file with its licence decides. */
function isPermissive(folder: string, { license }: LockedPackage): boolean {
  if (license !== undefined)
    return license
      .replace(/[()]/g, '')
      .split(' AND ')
      .every((name) => permissive.has(name));
  const [file = ''] = readdirSync(join(root, folder)).filter((name) => /^licen[cs]e/i.test(name));
  return /Permission is hereby granted, free of charge/.test(readFileSync(join(root, folder, file), 'utf8'));
}

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

describe('the packages of production', () => {
  it('all have licences that ask for no more than their notice', () => {
    expect(installed.length).toBeGreaterThan(100);
    expect(installed.filter(([folder, entry]) => !isPermissive(folder, entry)).map(([folder]) => folder)).toEqual([]);
  });
});
