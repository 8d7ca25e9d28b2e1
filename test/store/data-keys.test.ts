import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDataKeys } from '../../src/store/key-ring';
import { UnusableStoreError } from '../../src/store/store';

describe('the file with the keys of a data folder', () => {
  it.each([
    ['is empty', ''],
    ['has a blank line only', '  \n'],
    ['has one letter', 'a\n'],
    ['is cut', `${'k'.repeat(43)}\n${'k'.repeat(20)}`],
  ])('is not used if it %s, also beside secrets of the operator', (_what, text) => {
    const path = mkdtempSync(join(tmpdir(), 'padron-keys-'));
    writeFileSync(join(path, 'keys'), text);
    for (const secrets of [[], ['s'.repeat(32)]]) {
      const read = () => readDataKeys({ kind: 'folder', path }, secrets);
      expect(read).toThrow(UnusableStoreError);
      expect(read).toThrow(`${join(path, 'keys')} is damaged. Restore it from a backup`);
    }
  });
});
