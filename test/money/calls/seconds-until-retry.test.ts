import { secondsUntilRetry } from '../../../src/money/calls/response-deadline';

describe('the seconds after which it is worth asking again', () => {
  it.each([
    ['the rest of a usual call', 40_000, 22_000, 18],
    ['not more than the rest, because the next request waits for the answer', 4_000, 800, 3],
    ['at least one', 5_000, 4_990, 1],
    ['one, if the call takes longer than usual', 5_000, 8_000, 1],
    ['one, if none was made before, however long this one takes', null, 2_500, 1],
    ['so few that the answers are still kept', 400_000, 2_000, 59],
  ])('are %s', (_, recentMs, elapsedMs, seconds) => {
    expect(secondsUntilRetry(recentMs, elapsedMs)).toBe(seconds);
  });
});
