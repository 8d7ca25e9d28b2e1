import { ReplayKey } from '../../../src/registry/redis/replay-key';

describe('a key of REPLAY_KEY', () => {
  const key = new ReplayKey('a-key-of-an-earlier-version');
  const place = 'a place';

  it('opens what version 0.1 sealed, so that a paid answer survives an update', () => {
    const sealed = Buffer.from('+en56rI/2JtdFagyoyrdDbdwCsxQaGW04o+9CayccJjb7EMAdQ==', 'base64');
    expect(key.open(sealed, place)?.toString()).toBe('an answer');
  });

  it('opens its sealed values only under the Redis key that they were sealed for', () => {
    const sealed = key.seal(Buffer.from('an answer'), place);
    expect(key.open(sealed, place)?.toString()).toBe('an answer');
    expect(key.open(sealed, 'another place')).toBeNull();
    expect(new ReplayKey('another key').open(sealed, place)).toBeNull();
  });

  it.each([0, 5, 20, 28, 36])('rejects %d bytes that were not sealed', (length) => {
    expect(key.open(Buffer.alloc(length), place)).toBeNull();
  });
});
