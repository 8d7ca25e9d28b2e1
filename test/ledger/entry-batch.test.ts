import { EntryBatch } from '../../src/ledger/entry-batch';
import type { Segment } from '../../src/ledger/journal';

const segment = (file: string): Segment => ({ file, descriptor: 0, bytes: 0, held: 0, spilled: 0, followers: [] });

describe('entries that wait for the store', () => {
  it('come out as they went in, whatever stands in them and however many there are', () => {
    const texts = Array.from({ length: 1_500 }, (_, index) =>
      JSON.stringify({ index, tag: 'nómina\nde 日本 😀', operation: 'x'.repeat(index) }),
    );
    const batch = new EntryBatch();
    for (const text of texts) batch.add(text, null);
    expect(batch.count).toBe(texts.length);
    expect(batch.texts()).toEqual(texts);
    expect(JSON.parse(batch.json().toString())).toEqual(texts.map((text) => JSON.parse(text)));
  });

  it('say how many of them each file of the journal holds', () => {
    const first = segment('first');
    const second = segment('second');
    const batch = new EntryBatch();
    for (const holder of [first, second, first, null]) batch.add('{}', holder);
    expect([...batch.segments]).toEqual([
      [first, 2],
      [second, 1],
    ]);
  });

  it('take more when they have been looked at', () => {
    const batch = new EntryBatch();
    batch.add('1', null);
    expect(batch.json().toString()).toBe('[1]');
    batch.add('2', null);
    expect(JSON.parse(batch.json().toString())).toEqual([1, 2]);
    expect(batch.texts()).toEqual(['1', '2']);
  });

  it('are none at first', () => {
    expect(new EntryBatch().texts()).toEqual([]);
    expect(new EntryBatch().json().toString()).toBe('[]');
  });
});
