import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { replaceFile } from '../../../../src/extensions/batch/command/result-file';

describe('a file of results', () => {
  it('leaves nothing behind if the download breaks while the file is being opened', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'padron-result-'));
    const breaking = (): Readable =>
      new Readable({
        read() {
          this.destroy(new Error('The connection broke.'));
        },
      });
    for (let time = 0; time < 20; time += 1)
      await expect(replaceFile(join(folder, 'results.csv'), breaking())).rejects.toThrow('The connection broke.');
    await delay(50);
    expect(readdirSync(folder)).toEqual([]);
  });
});
