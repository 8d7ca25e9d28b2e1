import { restartUnderWay, storeFailures, tryStoreFailure } from './store-failures';

const patience = 60_000;
/** Milliseconds that a failing store may add. Only few answers are slower, because they find the failure. */
const maxMs = 300;
const maxSlowestMs = 3_000;

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

  it.each([[1], [2], [3]])(
    'learns anew, when it was restarted, what is under way (attempt %d: whether anybody noticed is chance)',
    async () => {
      expect(await restartUnderWay()).toBe(10);
    },
    patience,
  );
});
