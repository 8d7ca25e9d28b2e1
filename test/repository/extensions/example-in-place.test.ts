import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// The tests that know every file, setting and field, run with the example of docs/extensions.md where the page puts it.
jest.mock('node:fs', () => {
  const fs = jest.requireActual<typeof import('node:fs')>('node:fs');
  const { sep } = jest.requireActual<typeof import('node:path')>('node:path');
  const inSource = (path: unknown, name: string) => String(path).endsWith(`${sep}src${name.replaceAll('/', sep)}`);
  const place = (path: unknown, names: readonly unknown[]) =>
    inSource(path, '')
      ? [...names, 'extensions/notes/extension.ts']
      : inSource(path, '/extensions')
        ? [...names, 'notes']
        : names;
  const read = (path: string, ...options: readonly never[]) => {
    if (!inSource(path, '/extensions/notes/extension.ts')) return fs.readFileSync(path, ...options);
    const page = fs.readFileSync(path.replace(/src.extensions.notes.extension\.ts$/, 'docs/extensions.md'), 'utf8');
    return /^```ts\n([\s\S]*?)^```/m.exec(page)?.[1];
  };
  const list = (path: string, ...options: readonly never[]) => place(path, fs.readdirSync(path, ...options));
  return { ...fs, readdirSync: list, readFileSync: read };
});
jest.mock('../../../src/extensions', () => {
  const { extensions, graphParts } = jest.requireActual('../../../src/extensions');
  const { notes } = jest.requireActual('./notes');
  return { extensions: [...extensions, notes], graphParts: [...graphParts, notes.graph] };
});

describe('the example of docs/extensions.md in its place', () => {
  it('is among what the tests below read', () => {
    const example = join(__dirname, '../../../src/extensions/notes/extension.ts');
    expect(readFileSync(example, 'utf8')).toContain('export const notes: Extension');
  });
});
for (const file of ['../layout', '../../config/config', '../../config/conflicting-settings', './removed'])
  require(`${file}.test`);
