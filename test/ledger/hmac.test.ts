import { createHmac, randomBytes } from 'node:crypto';
import { hmac } from '../../src/ledger/hmac';

describe('the HMAC of the blind index', () => {
  it.each(['', 'nss:4159600263', 'name:ÑANDÚ|Ö|', 'x'.repeat(170), 'x'.repeat(171), 'ñ'.repeat(5_000)])(
    'is the one of the standard: %#',
    (text) => {
      const key = randomBytes(32);
      hmac(key, 'longer than what follows, which must leave nothing behind');
      expect(hmac(key, text)).toBe(createHmac('sha256', key).update(text).digest('hex'));
    },
  );
});
