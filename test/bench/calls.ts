import { startPostgres } from '../support/stores/postgres';
import { type Table, whole } from './report';
import type { CallingResult, CallingTask } from './rig/calling';
import { startProgram } from './rig/processes';
import { median } from './statistics';

const ms = 5_000;
const accountCounts = [1, 8];

/** Measures how many calls two processes open and close together in one PostgreSQL. */
export async function callRates(rounds: number): Promise<Table> {
  const cluster = await startPostgres();
  const rows: string[][] = [];
  try {
    for (const count of accountCounts) {
      const results: CallingResult[] = [];
      for (let round = 0; round < rounds; round += 1)
        results.push(await takeRound(await cluster.createDatabase(), count));
      const perSecond = results.map(({ calls }) => (1_000 * calls) / ms);
      const cpuUs = results.map(({ calls, cpuMs }) => (1_000 * cpuMs) / calls);
      rows.push([`${count} account${count === 1 ? '' : 's'}`, whole(median(perSecond)), whole(median(cpuUs))]);
    }
  } finally {
    await cluster.remove();
  }
  const head = ['two processes, 64 calls at once each', 'calls per second, together', 'their CPU µs per call'];
  return { title: 'Calls that are opened and closed in one PostgreSQL', head, rows };
}

async function takeRound(url: string, accountCount: number): Promise<CallingResult> {
  const programs = [startProgram('calling'), startProgram('calling')];
  const accounts = Array.from({ length: accountCount }, (_, index) => `account ${index}`);
  const take = (milliseconds: number): Promise<readonly CallingResult[]> => {
    const task: CallingTask = { url, accounts, ms: milliseconds };
    return Promise.all(programs.map((program) => program.ask<CallingResult>(task)));
  };
  try {
    // Compiling is not what is looked for.
    await take(ms / 2);
    const results = await take(ms);
    const sum = (figure: (result: CallingResult) => number) => results.reduce((total, each) => total + figure(each), 0);
    return { calls: sum(({ calls }) => calls), cpuMs: sum(({ cpuMs }) => cpuMs) };
  } finally {
    await Promise.all(programs.map((program) => program.end()));
  }
}
