import { restartUnderWay, storeFailures, tryStoreFailure } from './store-failures';

const patience = 60_000;
/** What a store that fails may add, and what a busy machine does. */
const maxMs = 300 + 200;

describe('a store between instances', () => {
  it.each(storeFailures.map((failure) => [failure.name, failure] as const))(
    'is a help and never a need: it %s',
    async (_name, failure) => {
      const { complaints, slowestMs } = await tryStoreFailure(failure);
      expect(complaints).toEqual([]);
      expect(slowestMs).toBeLessThan(maxMs);
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
