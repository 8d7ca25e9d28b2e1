/**
 * Returns the processor time of some work in milliseconds: the least of three, since other work on the machine can only add to it. Tests compare
 * it with that of other work, because a slow machine is slow at both.
 */
export function processorTime(work: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

const text = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, name: `MARÍA ${id}`, parts: [id, 'x'] })));

/** Returns by which factor this machine is slower than a machine that does this work of C++ libraries in 100 ms. Limits of processor time are multiplied by it. */
export const slowness = (): number =>
  processorTime(() => {
    for (let round = 0; round < 6; round += 1)
      JSON.stringify(JSON.parse(text).map((each: { readonly name: string }) => each.name.normalize('NFD')));
  }) / 100;
