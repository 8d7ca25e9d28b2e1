import { AccountPauses, pauseOf } from '../../../src/registry/client/request-sender';
import type { HttpResult } from '../../../src/registry/transport/transport';

const rejectedCalls = (headers: Readonly<Record<string, string>>, status = 429): HttpResult => ({
  kind: 'delivered',
  status,
  headers,
  body: Buffer.alloc(0),
});

describe('an account that the service asks to wait', () => {
  it.each<[string, HttpResult, number]>([
    ['no calls left, two seconds', rejectedCalls({ 'x-ratelimit-remaining': '0', 'retry-after': '2' }), 2_000],
    ['no calls left, a day', rejectedCalls({ 'x-ratelimit-remaining': '0', 'retry-after': '86400' }), 60_000],
    ['no calls left, without a waiting time', rejectedCalls({ 'x-ratelimit-remaining': '0' }), 0],
    ['calls left: one question was rejected', rejectedCalls({ 'x-ratelimit-remaining': '3', 'retry-after': '2' }), 0],
    ['no rate limit headers', rejectedCalls({ 'retry-after': '2' }), 0],
    ['the last call was answered', rejectedCalls({ 'x-ratelimit-remaining': '0', 'retry-after': '2' }, 200), 0],
    ['the last call was answered, without a waiting time', rejectedCalls({ 'x-ratelimit-remaining': '0' }, 200), 0],
    ['no answer', { kind: 'failed', reason: 'TIMEOUT', sent: true, detail: '' }, 0],
  ])('waits as the documented headers say: %s', (_what, result, ms) => {
    expect(pauseOf(result)).toBe(ms);
  });

  it('is called again after that time, and other accounts immediately', () => {
    const pauses = new AccountPauses();
    pauses.pause('account', 5_000);
    pauses.pause('account', 1_000);
    pauses.pause('over', -1);
    expect(pauses.remainingMs('account')).toBeGreaterThan(4_000);
    expect([pauses.remainingMs('over'), pauses.remainingMs('another')]).toEqual([0, 0]);
  });
});
