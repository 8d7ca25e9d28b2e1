import { sizeAttacks } from '../attacks/attack-sizes';
import { complaintsOf } from '../attacks/probe';
import { type MeasuredPadron, measureCost, startMeasured } from './measured-padron';

/** The promised limit is a second. A test machine may be slow, and its code is not compiled yet. */
const maxCpuMs = 2_500;
const maxGrowth = 200_000_000;
const maxAnswerBytes = 25_000_000;

let padron: MeasuredPadron;
beforeAll(async () => {
  padron = await startMeasured();
});
afterAll(() => padron.end());

it.each(sizeAttacks.map((probe) => [probe.name, probe] as const))(
  'a small request costs little: %s',
  async (_name, probe) => {
    const before = await padron.usage();
    const { answer, cpuMs } = await measureCost(padron, probe.send);
    const { peakRss } = await padron.usage();
    expect(complaintsOf(probe, answer)).toEqual([]);
    expect(cpuMs).toBeLessThan(maxCpuMs);
    expect(peakRss - before.peakRss).toBeLessThan(maxGrowth);
    expect(answer.text.length).toBeLessThan(maxAnswerBytes);
  },
);
