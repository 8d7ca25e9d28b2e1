import 'reflect-metadata';
import { bodyAttacks } from '../../reliability/attacks/attack-bodies';
import { documentAttacks } from '../../reliability/attacks/attack-documents';
import { requestAttacks } from '../../reliability/attacks/attack-requests';
import { sizeAttacks } from '../../reliability/attacks/attack-sizes';
import { uploadAttacks } from '../../reliability/attacks/attack-uploads';
import { measureWork } from '../../reliability/attacks/attack-work';
import { asked, complaintsOf, type Probe, tryProbes } from '../../reliability/attacks/probe';
import { audit } from '../../reliability/audit';
import type { Tried } from '../../reliability/faults/fault-matrix';
import { tryHangs, tryQuickFaults, tryRedirects } from '../../reliability/faults/fault-matrix';
import { subjects } from '../../reliability/faults/subjects';
import { holdRequests } from '../../reliability/load/held-requests';
import { type MeasuredPadron, measureCost, startMeasured } from '../../reliability/load/measured-padron';
import { documentKinds, growthUnderBombs, growthUnderDocuments } from '../../reliability/load/memory';
import { wideRequests } from '../../reliability/load/wide-requests';
import { siegeRows } from '../../reliability/siege/run-siege';
import { TODAY } from '../../support/keys/signatures';
import { runPadron } from '../../support/padrons/padron';
import { batchRows } from './batch-rows';
import { runMixedLoad } from './mixed-load';
import { severalRows } from './several-rows';

/**
 * Prints the reliability figures of docs/measurements.md. `--full` keeps the load for ten minutes instead of thirty seconds. The other
 * options print a part only: `--load`, `--several` (costs of several instances), `--batch` (100,000 rows on each store) and
 * `--siege 30` (30 minutes of random changes and kills, alternately on each store).
 */

type Row = readonly string[];

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const survived = (results: readonly { readonly complaints: readonly string[] }[]): string =>
  `${results.filter(({ complaints }) => complaints.length === 0).length} of ${results.length}`;

function complain(about: string, complaints: readonly string[]): void {
  if (complaints.length > 0) process.stderr.write(`${about}: ${complaints.join('; ')}\n`);
}

function table(heading: Row, rows: readonly Row[]): string {
  return [heading, heading.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

async function faultRows(): Promise<readonly Row[]> {
  const tried: readonly Tried[] = [...(await tryQuickFaults()), ...(await tryHangs()), ...(await tryRedirects()).tried];
  for (const { subject, fault, complaints } of tried) complain(`${subject}: ${fault}`, complaints);
  const rows = subjects.map(({ name }): Row => [name, survived(tried.filter(({ subject }) => subject === name))]);
  return [...rows, ['**all**', survived(tried)]];
}

async function frontRows(): Promise<readonly Row[]> {
  const padron = await runPadron({ now: () => TODAY });
  try {
    const attacks = await tryProbes(padron, [...documentAttacks, ...bodyAttacks, ...requestAttacks, ...sizeAttacks]);
    const uploads = await tryProbes(padron, uploadAttacks);
    const plain = await audit(padron.url);
    for (const { probe, complaints } of [...attacks, ...uploads]) complain(probe, complaints);
    const preflighted = await audit(padron.url, { 'apollo-require-preflight': 'true' });
    return [
      ['attacks on the front refused clearly or answered rightly', survived(attacks)],
      ['multipart requests refused clearly or answered rightly', survived(uploads)],
      ['graphql-http audit: errors and warnings', String(plain.faults.length)],
      ['graphql-http audit: passed (with the header against CSRF on GET)', `${plain.passed} (${preflighted.passed})`],
    ];
  } finally {
    await padron.stop();
  }
}

async function workRow(): Promise<Row> {
  const padron = await startMeasured();
  try {
    const measured = await measureWork(padron);
    const max = Math.max(...measured.map(({ seconds }) => seconds));
    return [
      `processor time of the most expensive of ${measured.length} small requests that need much work`,
      `${Math.round(max * 1_000)} ms`,
    ];
  } finally {
    await padron.end();
  }
}

/**
 * Returns for how long a request blocks the event loop: the minimum of three measurements, which depends least on other work of the
 * machine.
 */
async function measureHold(padron: MeasuredPadron, request: Probe): Promise<number> {
  const costs = [];
  for (let time = 0; time < 3; time += 1) costs.push(await measureCost(padron, request.send));
  for (const { answer } of costs) complain(request.name, complaintsOf(request, answer));
  return Math.min(...costs.map(({ heldMs }) => heldMs));
}

/** Returns the highest costs of a request to the process. */
async function costRows(): Promise<readonly Row[]> {
  const held: number[] = [];
  const padron = await startMeasured();
  try {
    await asked('{ __typename }')(padron.url);
    for (const request of wideRequests) held.push(await measureHold(padron, request));
  } finally {
    await padron.end();
  }
  const growth: number[] = [];
  for (const [, make, variables] of documentKinds) growth.push(await growthUnderDocuments(400, make, variables));
  return [
    ['event loop held by a request of much work, at most', `${Math.round(Math.max(...held))} ms`],
    ['memory for 400 documents of 34 kB, no two the same, at most', `${Math.max(...growth)} MB`],
  ];
}

async function heldRow(count: number): Promise<Row> {
  const padron = await startMeasured({ REGISTRY_CONCURRENCY: '10000', REGISTRY_TIMEOUT_MS: '120000' });
  try {
    const { held, answered } = await holdRequests(padron, count, 1);
    return [
      'requests waiting at once for a service that does not answer, and answered when it does',
      `${held}, ${answered}`,
    ];
  } finally {
    await padron.end();
  }
}

async function loadRows(seconds: number): Promise<readonly Row[]> {
  const { requests, bad, faults, memory } = await runMixedLoad(seconds);
  complain('mixed load', bad);
  return [
    [`requests in ${seconds} s of mixed load, attacks and bad uploads among them`, String(requests)],
    ['answers of the service that went wrong meanwhile', String(faults)],
    ['answers of padron that were not GraphQL, or an internal error', String(bad.length)],
    ['memory of padron after warming up, at most, at the end', `${memory.start}, ${memory.peak}, ${memory.end} MB`],
  ];
}

async function printSeveral(): Promise<void> {
  print(`${table(['units paid / needed', '1 instance', '2', '3'], await severalRows())}\n`);
}

async function main(): Promise<void> {
  const seconds = process.argv.includes('--full') ? 600 : 30;
  if (process.argv.includes('--batch')) {
    const [heading = [], ...rows] = await batchRows(100_000);
    return print(table(heading, rows));
  }
  const siege = process.argv.indexOf('--siege');
  if (siege !== -1) {
    const { rows, faults } = await siegeRows(Number(process.argv[siege + 1] ?? 3));
    complain('siege', faults);
    if (faults.length > 0) process.exitCode = 1;
    return print(table(['siege', 'figure'], rows));
  }
  const onlyLoad = process.argv.includes('--load');
  if (!onlyLoad) await printSeveral();
  if (process.argv.includes('--several')) return;
  if (!onlyLoad) {
    print(`${table(['endpoint', 'faults survived of faults tried'], await faultRows())}\n`);
    const growth = await growthUnderBombs();
    print(
      table(
        ['what', 'figure'],
        [
          ...(await frontRows()),
          await workRow(),
          ...(await costRows()),
          ['memory for a gzip bomb of 1 GB from every endpoint at once', `${growth} MB`],
        ],
      ),
    );
  }
  print(table(['under load', 'figure'], [await heldRow(5_000), ...(await loadRows(seconds))]));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
});
