import { growthUnderBombs } from '../load/memory';
import { tryHangs, tryLie, tryNothing, tryQuickFaults, tryRedirects } from './fault-matrix';
import type { Tried } from './matrix';
import { subjects } from './subjects';

const names = subjects.map(({ name }) => name);
/** Asking all endpoints under all faults takes seconds, and a busy machine makes them many. */
const patience = 180_000;

/** What is to be said against an endpoint, by fault. */
function complaintsOf(tried: readonly Tried[], subject: string): readonly string[] {
  return tried
    .filter((attempt) => attempt.subject === subject && attempt.complaints.length > 0)
    .map(({ fault, complaints }) => `${fault}: ${complaints.join('; ')}`);
}

describe.each([
  ['does as it should', tryNothing, 1],
  ['fails in any way that is over by itself', tryQuickFaults, 45],
  ['hangs until the deadline', tryHangs, 7],
  ['redirects', async () => (await tryRedirects()).tried, 5],
] as const)('a service that %s', (_what, attempt, minAttempts) => {
  let tried: readonly Tried[];
  beforeAll(async () => {
    tried = await attempt();
  }, patience);

  it.each(names)('is told rightly, paid once and leaves its siblings alive: %s', (name) => {
    expect(complaintsOf(tried, name)).toEqual([]);
    expect(tried.filter(({ subject }) => subject === name).length).toBeGreaterThanOrEqual(minAttempts);
  });

  it('is not an internal error, and none of its words are in the log', () => {
    expect(complaintsOf(tried, 'log')).toEqual([]);
  });
});

describe('the matrix', () => {
  it(
    'has something against every endpoint that it is told a lie about',
    async () => {
      const silent = (await tryLie()).filter(({ complaints }) => complaints.length === 0);
      expect(silent).toEqual([]);
    },
    patience,
  );
});

describe('a server that the service redirects to', () => {
  it(
    'is not even connected to, so that it sees no token',
    async () => {
      expect((await tryRedirects()).trapped).toBe(0);
    },
    patience,
  );
});

describe('gzip bombs', () => {
  it(
    'of 1 GB, one from each endpoint, cost less than 50 MB of memory all together',
    async () => {
      expect(await growthUnderBombs()).toBeLessThan(50);
    },
    patience,
  );
});
