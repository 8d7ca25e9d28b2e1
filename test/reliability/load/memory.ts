import { setTimeout as sleep } from 'node:timers/promises';
import type { Tamper } from '../../support/proxies/tampering-proxy';
import { asked } from '../attacks/probe';
import { knownFaults } from '../faults/known-faults';
import { subjects } from '../faults/subjects';
import { type MeasuredPadron, startMeasured } from './service-process';

const isSubjects = (path: string): boolean => subjects.some(({ matches }) => matches(path));

/** Returns the megabytes by which padron grows while every endpoint answers with a bomb of 1 GB. */
export async function growthUnderBombs(): Promise<number> {
  const bomb = knownFaults.find(({ name }) => name.includes('gzip bomb'));
  if (bomb === undefined) throw new Error('There is no gzip bomb among the faults.');
  const padron = await startMeasured();
  try {
    // Valid answers first, so that loading and compiling code is not measured.
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

/** Returns the peak memory of padron until a promise settles. */
async function watch({ resident }: MeasuredPadron, done: Promise<void>): Promise<number> {
  let isDone = false;
  const marked = done.finally(() => {
    isDone = true;
  });
  let max = 0;
  while (!isDone) {
    max = Math.max(max, await resident());
    await sleep(10);
  }
  await marked;
  return Math.max(max, await resident());
}
