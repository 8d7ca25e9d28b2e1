import { secondsUntilRetry } from '../../../src/registry/questions/response-deadline';

const kept = 30_000;

describe('the seconds after which it is worth asking again', () => {
  it.each([
    ['the rest of a usual call', 40_000, 22_000, 60_000, 18],
    ['at least one', 5_000, 4_990, kept, 1],
    ['as many as the call has taken, if it takes longer than usual', 5_000, 8_000, kept, 8],
    ['as many as the call has taken, if none was made before', null, 2_500, kept, 3],
    ['so few that the answers are still kept', 40_000, 2_000, kept - 2_000, 27],
    ['one if the answers are hardly kept', 40_000, 29_500, 500, 1],
  ])('are %s', (_, recentMs, elapsedMs, keptMs, seconds) => {
    expect(secondsUntilRetry(recentMs, elapsedMs, keptMs)).toBe(seconds);
  });
});
