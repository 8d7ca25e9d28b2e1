import { ParseQueue } from '../../../src/registry/client/client';

describe('the queue for parsing answers', () => {
  it('lets small answers pass immediately', () => {
    expect(new ParseQueue().wait(63_999)).toBeNull();
  });

  it('parses large answers one at a time, with other work between them', async () => {
    const turns = new ParseQueue();
    const order: string[] = [];
    const read = async (name: string): Promise<void> => {
      await turns.wait(500_000);
      order.push(name);
      // Queued behind this answer.
      setImmediate(() => order.push(`after ${name}`));
    };
    await Promise.all([read('first'), read('second'), read('third')]);
    expect(order.filter((name) => !name.startsWith('after'))).toEqual(['first', 'second', 'third']);
    expect(order.indexOf('after first')).toBeLessThan(order.indexOf('third'));
  });
});
