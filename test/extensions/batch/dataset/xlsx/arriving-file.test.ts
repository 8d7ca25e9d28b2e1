import { ArrivingFile } from '../../../../../src/extensions/batch/dataset/xlsx/workbook-process';

const chunk = Buffer.alloc(1_000_000);

/** Yields 100 MB. `count` is the number of chunks that have been read. */
class LargeUpload {
  count = 0;

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (; this.count < 100; this.count += 1) yield chunk;
  }
}

async function sizeOf(file: ArrivingFile | undefined): Promise<number> {
  let size = 0;
  for await (const part of file?.read() ?? []) size += part.length;
  return size;
}

describe('files that arrive', () => {
  it('are held in memory up to a limit for all of them, and are read completely', async () => {
    const uploads = [new LargeUpload(), new LargeUpload(), new LargeUpload()] as const;
    const [first, second, third] = uploads.map((upload) => new ArrivingFile(upload));
    await first?.receive();
    await second?.receive();
    expect(uploads.map(({ count }) => count)).toEqual([63, 0, 0]);
    expect(await sizeOf(first)).toBe(100_000_000);
    expect(await sizeOf(second)).toBe(100_000_000);
    await third?.receive();
    expect(uploads[2].count).toBe(63);
    third?.discard();
    const next = new LargeUpload();
    const last = new ArrivingFile(next);
    await last.receive();
    expect(next.count).toBe(63);
    last.discard();
  });

  it('of small parts count as more than their bytes, because each part takes memory itself', async () => {
    let parts = 0;
    async function* slowly(): AsyncGenerator<Buffer> {
      for (; parts < 1_000_000; parts += 1) yield chunk.subarray(0, 1);
    }
    const file = new ArrivingFile(slowly());
    await file.receive();
    expect(parts).toBeLessThan(150_000);
    file.discard();
  });
});
