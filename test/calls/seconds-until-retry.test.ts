import { secondsUntilRetry } from '../../src/calls/response-deadline';

describe('the seconds after which it is worth asking again', () => {
  it.each([
    ['the rest of a usual call', 40_000, 22_000, 18],
    ['at least one', 5_000, 4_990, 1],
    ['as many as the call has taken, if it takes longer than usual', 5_000, 8_000, 8],
    ['as many as the call has taken, if none was made before', null, 2_500, 3],
    ['so few that the answers are still kept', 400_000, 2_000, 59],
  ])('are %s', (_, recentMs, elapsedMs, seconds) => {
    expect(secondsUntilRetry(recentMs, elapsedMs)).toBe(seconds);
  });
});
