import { engineRig, engines } from '../../support/stores/engines';
import { runSiege, type SiegeResult } from './run-siege';
import { foldersOf } from './siege';

const actions = 80;

describe.each(engines)('a siege of random changes, kills, outages and new keys, on the %s store', (engine) => {
  const rig = engineRig(engine);

  it('leaves no wrong row, owner or sum, and pays for no question twice', async () => {
    const { store, environment } = await rig.settings();
    const { DATA_DIR: folder = '', ...shared } = environment;
    const isEmbedded = engine === 'embedded';
    const folders = isEmbedded ? [folder] : foldersOf(folder, 3);
    const cluster = isEmbedded ? null : rig.cluster;
    const setup = { store, environment: shared, folders, cluster, seed: 7, actionsPerTrouble: 20 };
    const result: SiegeResult = await runSiege({ ...setup, lasts: (taken) => taken < actions });
    expect(result.faults).toEqual([]);
    expect(result.troubles).toBe(actions / 20);
    expect(Math.min(result.batches, result.askedTogether)).toBeGreaterThan(0);
  }, 240_000);
});
