import { Gone } from '../src/registry/gone';

function listening(count: number) {
  const gone = new Gone();
  const told: number[] = [];
  const listeners = Array.from({ length: count }, (_, index) => () => void told.push(index));
  for (const listener of listeners) gone.whenGone(listener);
  return { gone, told, listeners };
}

describe('that nobody waits any more', () => {
  it('is told to each who listens, once, in the order in which they came', () => {
    const { gone, told } = listening(500);
    expect(gone.happened).toBe(false);
    gone.tell();
    gone.tell();
    expect(gone.happened).toBe(true);
    expect(told).toEqual(Array.from({ length: 500 }, (_, index) => index));
  });

  it('is not told to those who have stopped listening', () => {
    const { gone, told, listeners } = listening(3);
    const [, second = () => {}] = listeners;
    gone.forget(second);
    gone.tell();
    expect(told).toEqual([0, 2]);
  });

  it('is not told to one who is let go by the one before', () => {
    const gone = new Gone();
    const told: string[] = [];
    const second = () => void told.push('second');
    gone.whenGone(() => {
      told.push('first');
      gone.forget(second);
    });
    gone.whenGone(second);
    gone.tell();
    expect(told).toEqual(['first']);
  });

  it('is to be asked for by those who come later', () => {
    const { gone, told } = listening(0);
    gone.tell();
    gone.whenGone(() => void told.push(0));
    gone.tell();
    expect([told, gone.happened]).toEqual([[], true]);
  });
});
