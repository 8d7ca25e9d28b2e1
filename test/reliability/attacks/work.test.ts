import { TODAY } from '../../support/keys/signatures';
import { runPadron } from '../../support/padrons/padron';
import { startMeasured } from '../load/measured-padron';
import { measureWork, workAttacks } from './attack-work';
import { tryProbes } from './probe';

describe('a small request that needs much work', () => {
  it('is answered without an internal error', async () => {
    const padron = await runPadron({ now: () => TODAY });
    const tried = await tryProbes(padron, workAttacks);
    await padron.stop();
    expect(tried).toEqual(workAttacks.map(({ name }) => ({ probe: name, complaints: [] })));
  });

  it('takes at most a second of processor time', async () => {
    const padron = await startMeasured();
    const measured = await measureWork(padron);
    await padron.end();
    const expensive = measured.filter(({ seconds }) => seconds > 1);
    expect(expensive.map(({ probe, seconds }) => `${probe.name}: ${seconds}`)).toEqual([]);
    expect(measured).toHaveLength(workAttacks.length);
  });
});
