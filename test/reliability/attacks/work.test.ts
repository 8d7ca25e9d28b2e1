import { TODAY } from '../../support/keys/signatures';
import { runPadron } from '../../support/padrons/padron';
import { startMeasured } from '../load/service-process';
import { measureWork, workAttacks } from './attack-work';
import { tryProbes } from './probing';

describe('a small request that means much work', () => {
  it('is refused clearly or answered rightly, with no fault of ours', async () => {
    const padron = await runPadron({ now: () => TODAY });
    const tried = await tryProbes(padron, workAttacks);
    await padron.stop();
    expect(tried).toEqual(workAttacks.map(({ name }) => ({ probe: name, complaints: [] })));
  });

  it('takes a second of the processor at most', async () => {
    const padron = await startMeasured();
    const measured = await measureWork(padron);
    await padron.stop();
    const dear = measured.filter(({ seconds }) => seconds > 1);
    expect(dear.map(({ probe, seconds }) => `${probe.name}: ${seconds}`)).toEqual([]);
    expect(measured).toHaveLength(workAttacks.length);
  });
});
