import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { markdownRows, type Table } from '../report';
import { record } from '../rig/recording';
import { Rig } from '../rig/rig';
import { simulateAccounts } from './accounts';
import { type Chart, drawChart } from './chart';
import { growPeople } from './people';
import { growProcesses } from './processes';
import { growRows } from './rows';

/** A table of growing sizes, and its picture. */
export interface Growth {
  readonly table: Table;
  readonly chart: Chart | null;
}

const docs = join(__dirname, '../../../docs');
const curves: Readonly<Record<string, readonly [page: string, take: (rig: Rig, build: string) => Promise<Growth>]>> = {
  people: ['measurements.md', growPeople],
  processes: ['measurements.md', growProcesses],
  rows: ['measurements.md', growRows],
  accounts: ['scaling.md', async (rig, build) => ({ table: await simulateAccounts(rig, build), chart: null })],
};
export const curveNames = Object.keys(curves);

/** Measures the named curves, prints their tables, and writes tables and pictures into the documentation. */
export async function measureGrowth(build: string, names: readonly string[]): Promise<void> {
  const recording = await record();
  const rig = await Rig.start(recording);
  try {
    await rig.inventPeople(recording.model);
    for (const name of names) {
      const [page, take] = curves[name] ?? [];
      if (page === undefined || take === undefined) throw new Error(`No curve is named ${name}.`);
      process.stderr.write(`${name}\n`);
      const load = loadavg()[0] ?? 0;
      const { table, chart } = await take(rig, build);
      const machine = `${cpus().length} processors, Node ${process.versions.node}, load before it ${load.toFixed(1)}`;
      process.stdout.write(`\n### ${table.title}\n\n${machine}\n\n${markdownRows(table)}\n`);
      writeTable(join(docs, page), name, markdownRows(table));
      const picture = join(docs, 'growth', `${name}.svg`);
      mkdirSync(dirname(picture), { recursive: true });
      if (chart !== null) writeFileSync(picture, drawChart(chart));
    }
  } finally {
    await rig.end();
  }
}

/** Replaces what is between the two marks of a page. */
function writeTable(page: string, name: string, rows: string): void {
  const [begin, end] = [`<!-- growth: ${name} -->`, `<!-- end of ${name} -->`];
  const [before = '', rest] = readFileSync(page, 'utf8').split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${page} has no marks for ${name}.`);
  writeFileSync(page, `${before}${begin}\n\n${rows}\n\n${end}${after}`);
}
