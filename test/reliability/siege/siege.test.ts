import { engineRig, engines } from '../../support/stores/engines';
import { runSiege, type SiegeResult } from './run-siege';
import { foldersOf } from './siege';

const actions = 80;

describe.each(engines)('a siege of random changes and kills, on the %s store', (engine) => {
  const rig = engineRig(engine);

  it('leaves no wrong row, owner or sum, and pays for no question twice', async () => {
    const { store, environment } = await rig.settings();
    const { DATA_DIR: folder = '', ...shared } = environment;
    const folders = engine === 'embedded' ? [folder] : foldersOf(folder, 2);
    const setup = { store, environment: shared, folders, seed: 7, actionsPerKill: 40 };
    const result: SiegeResult = await runSiege({ ...setup, lasts: (taken) => taken < actions });
    expect(result.faults).toEqual([]);
    expect(result.kills).toBe(actions / 40);
    expect(result.batches).toBeGreaterThan(0);
  }, 240_000);
});
