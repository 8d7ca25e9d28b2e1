import { setTimeout as sleep } from 'node:timers/promises';
import type { Tamper } from '../../support/proxies/tampering-proxy';
import { asked } from '../attacks/probe';
import { knownFaults } from '../faults/known-faults';
import { subjects } from '../faults/subjects';
import { type MeasuredPadron, startMeasured } from './service-process';

const isSubjects = (path: string): boolean => subjects.some(({ matches }) => matches(path));

/** The megabytes by which padron's own process grows at most while every endpoint answers with a bomb of 1 GB. */
export async function growthUnderBombs(): Promise<number> {
  const bomb = knownFaults.find(({ name }) => name.includes('gzip bomb'));
  if (bomb === undefined) throw new Error('There is no gzip bomb among the faults.');
  const padron = await startMeasured();
  try {
    // First as it should be: what is loaded and compiled then is not the bombs' doing.
    for (let time = 0; time < 3; time += 1) await askAll(padron, () => null);
    const before = await padron.resident();
    const watched = watch(padron, askAll(padron, bomb.tamper));
    return (await watched) - before;
  } finally {
    await padron.stop();
  }
}

async function askAll({ url, proxy }: MeasuredPadron, tamper: Tamper): Promise<void> {
  proxy.tamper((answer, arrived) => (isSubjects(arrived.path) ? tamper(answer, arrived) : null));
  await Promise.all(subjects.map(({ query }) => asked(query)(url)));
  proxy.reset();
}

/** The most that padron holds until something is done, and right after. */
async function watch({ resident }: MeasuredPadron, done: Promise<void>): Promise<number> {
  let isDone = false;
  const marked = done.finally(() => {
    isDone = true;
  });
  let most = 0;
  while (!isDone) {
    most = Math.max(most, await resident());
    await sleep(10);
  }
  await marked;
  return Math.max(most, await resident());
}
