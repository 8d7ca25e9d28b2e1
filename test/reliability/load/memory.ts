import type { Tamper } from '../../support/proxies/tampering-proxy';
import { asked, repeated } from '../attacks/probe';
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

/**
 * Heap limit of V8. Without a limit, garbage stays in memory: `parse` of graphql-js alone leaves 100 to 1,000 MB of 400 such documents.
 * If padron kept the documents, they would not fit, because each takes about 3 MB.
 */
const heapMegabytes = 256;
const bytesPerMegabyte = 1_000_000;

/** Different documents of about 34 kB. */
export const documentKinds: readonly (readonly [what: string, make: (index: number) => string, variables: object])[] = [
  ['with many fields', (n) => `{ ${repeated(1_850, (i) => `a${n}_${i}: __typename`)} }`, {}],
  [
    'with skipped fields',
    (n) => `query ($s: Boolean!) { ${repeated(1_050, (i) => `a${n}_${i}: __typename @skip(if: $s)`)} }`,
    { s: true },
  ],
  [
    'with many spreads',
    (n) => `{ a${n}: __typename ${repeated(6_400, () => '...F')} } fragment F on Query { b: __typename }`,
    {},
  ],
  [
    'with nested fields',
    (n) =>
      `query ($n: NSS) { a${n}: __typename ${repeated(430, (i) => `p${i}: person(nss: $n) { nss curp credit @include(if: false) { outcome record { number } } }`)} }`,
    {},
  ],
  [
    'with many variables',
    (n) =>
      `query (${repeated(900, (i) => `$v${i}: NSS`, ',')}) { a${n}: __typename ${repeated(900, (i) => `p${i}: person(nss: $v${i}) { nss }`)} }`,
    {},
  ],
];

/** Returns the megabytes by which padron has grown after a number of documents of a kind, each sent once. */
export async function growthUnderDocuments(
  documents: number,
  make: (index: number) => string,
  variables: object,
): Promise<number> {
  const padron = await startMeasured({}, [`--max-old-space-size=${heapMegabytes}`]);
  try {
    for (let count = 0; count < 50; count += 1) await asked('{ person(nss: "1") { nss } }')(padron.url);
    const idle = await padron.usage();
    for (let index = 0; index < documents; index += 1) {
      const { status, text } = await asked(make(index), variables)(padron.url);
      if (status !== 200) throw new Error(`A document was not answered: ${text.slice(0, 200)}`);
    }
    const { rss } = await padron.usage();
    return Math.round((rss - idle.rss) / bytesPerMegabyte);
  } finally {
    await padron.end();
  }
}
