import { growthUnderBombs } from '../load/memory';
import type { Tried } from './fault-matrix';
import { tryHangs, tryLie, tryNothing, tryQuickFaults, tryRedirects } from './fault-matrix';
import { subjects } from './subjects';

const names = subjects.map(({ name }) => name);
/** All faults at all endpoints take seconds, and many more on a busy machine. */
const patience = 180_000;

/** Returns the complaints about an endpoint, by fault. */
function complaintsOf(tried: readonly Tried[], subject: string): readonly string[] {
  return tried
    .filter((attempt) => attempt.subject === subject && attempt.complaints.length > 0)
    .map(({ fault, complaints }) => `${fault}: ${complaints.join('; ')}`);
}

describe.each([
  ['works', tryNothing, 1],
  ['fails in any way that ends without a timeout', tryQuickFaults, 45],
  ['hangs until the deadline', tryHangs, 7],
  ['redirects', async () => (await tryRedirects()).tried, 5],
] as const)('a service that %s', (_what, attempt, minAttempts) => {
  let tried: readonly Tried[];
  beforeAll(async () => {
    tried = await attempt();
  }, patience);

  it.each(names)('is reported correctly, charged once and does not affect other fields: %s', (name) => {
    expect(complaintsOf(tried, name)).toEqual([]);
    expect(tried.filter(({ subject }) => subject === name).length).toBeGreaterThanOrEqual(minAttempts);
  });

  it('causes no internal error, and the log contains none of its text', () => {
    expect(complaintsOf(tried, 'log')).toEqual([]);
  });
});

describe('the matrix', () => {
  it(
    'complains about every endpoint if the expectation is wrong',
    async () => {
      const silent = (await tryLie()).filter(({ complaints }) => complaints.length === 0);
      expect(silent).toEqual([]);
    },
    patience,
  );
});

describe('a server that the service redirects to', () => {
  it(
    'gets no connection, so that it sees no token',
    async () => {
      expect((await tryRedirects()).trapped).toBe(0);
    },
    patience,
  );
});

describe('gzip bombs', () => {
  it(
    'of 1 GB, one from each endpoint, need less than 50 MB of memory in total',
    async () => {
      expect(await growthUnderBombs()).toBeLessThan(50);
    },
    patience,
  );
});
