import type { Server } from '../../bench/rig/processes';
import { sizeAttacks } from '../attacks/attack-sizes';
import { complaintsOf } from '../attacks/probe';
import { measureCost, startWatched } from './cost';

/** The promised limit is a second. A test machine may be slow, and its code is not compiled yet. */
const maxCpuMs = 2_500;
const maxGrowth = 200_000_000;
const maxAnswerBytes = 25_000_000;

let padron: Server;
beforeAll(async () => {
  padron = await startWatched();
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
