import type { Tamper } from '../../support/proxies/tampering-proxy';
import { asked } from '../attacks/probe';
import { knownFaults } from '../faults/known-faults';
import { subjects } from '../faults/subjects';
import { type MeasuredPadron, measurePeak, residentMegabytes, startMeasured } from './measured-padron';

const isSubjects = (path: string): boolean => subjects.some(({ matches }) => matches(path));

/** Returns the megabytes by which padron grows while every endpoint answers with a bomb of 1 GB. */
export async function growthUnderBombs(): Promise<number> {
  const bomb = knownFaults.find(({ name }) => name.includes('gzip bomb'));
  if (bomb === undefined) throw new Error('There is no gzip bomb among the faults.');
  const padron = await startMeasured();
  try {
    // Valid answers first, so that loading and compiling code is not measured.
    for (let time = 0; time < 3; time += 1) await askAll(padron, () => null);
    const before = await residentMegabytes(padron);
    return (await measurePeak(padron, askAll(padron, bomb.tamper))) - before;
  } finally {
    await padron.end();
  }
}

async function askAll({ url, proxy }: MeasuredPadron, tamper: Tamper): Promise<void> {
  proxy.tamper((answer, arrived) => (isSubjects(arrived.path) ? tamper(answer, arrived) : null));
  await Promise.all(subjects.map(({ query }) => asked(query)(url)));
  proxy.reset();
}
