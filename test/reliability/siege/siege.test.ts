import { engines, ownServerRig } from '../../support/stores/engines';
import { runSiege, setupOf } from './run-siege';

/** Each kind once. */
const troubles = { embedded: 3, postgres: 8 } as const;

describe.each(engines)('a siege of random changes, kills, outages and new keys, on the %s store', (engine) => {
  const rig = ownServerRig(engine);

  it('leaves no wrong row, owner or sum, and pays for no question twice', async () => {
    const setup = await setupOf(engine === 'postgres' ? rig.cluster : null, rig.folder());
    const result = await runSiege({ ...setup, seed: 7, lasts: (made) => made < troubles[engine] });
    expect(result.faults).toEqual([]);
    expect(result.troubles).toBe(troubles[engine]);
    expect(Math.min(result.batches, result.askedTogether)).toBeGreaterThan(0);
  }, 400_000);
});
