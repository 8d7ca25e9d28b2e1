import { restartUnderWay, storeFailures, tryStoreFailure } from './store-failures';

const patience = 60_000;
/** Milliseconds that a failing store may add. Only few answers are slower, because they find the failure. */
const maxMs = 1_000;
const maxSlowestMs = 5_000;

describe('a store between instances', () => {
  it.each(storeFailures.map((failure) => [failure.name, failure] as const))(
    'is a help and never a need: it %s',
    async (_name, failure) => {
      const { complaints, p90Ms, slowestMs } = await tryStoreFailure(failure);
      expect(complaints).toEqual([]);
      expect(p90Ms).toBeLessThan(maxMs);
      expect(slowestMs).toBeLessThan(maxSlowestMs);
    },
    patience,
  );

  it(
    'receives the running calls again after a crash that no statement noticed',
    async () => {
      expect(await restartUnderWay()).toBe(10);
    },
    patience,
  );
});
