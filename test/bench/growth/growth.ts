import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { markdownRows, type Table } from '../report';
import { record } from '../rig/recording';
import { Rig } from '../rig/rig';
import { simulateAccounts } from './accounts';
import { drawChart, type Figure, type Growth, short } from './chart';
import { growPeople } from './people';
import { growProcesses } from './processes';
import { growRows } from './rows';

const docs = join(__dirname, '../../../docs');
const curves: Readonly<Record<string, (rig: Rig, build: string) => Promise<Growth>>> = {
  people: growPeople,
  processes: growProcesses,
  rows: growRows,
};
export const curveNames = [...Object.keys(curves), 'accounts'];

/** Measures the named curves, prints their tables, and writes tables and pictures into the documentation. */
export async function measureGrowth(build: string, names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !curveNames.includes(name));
  if (unknown !== undefined) throw new Error(`No curve is named ${unknown}.`);
  const recording = await record();
  const rig = await Rig.start(recording);
  try {
    await rig.inventPeople(recording.model);
    for (const name of names) {
      process.stderr.write(`${name}\n`);
      const load = loadavg()[0] ?? 0;
      const growth = await curves[name]?.(rig, build);
      if (growth !== undefined) {
        mkdirSync(join(docs, 'growth'), { recursive: true });
        writeFileSync(join(docs, 'growth', `${name}.svg`), drawChart(growth));
      }
      const table = growth === undefined ? await simulateAccounts(rig, build) : tableOf(growth);
      process.stdout.write(
        `\n### ${table.title}\n\nThe load before it was ${load.toFixed(1)}.\n\n${markdownRows(table)}\n`,
      );
      writeTable(join(docs, growth === undefined ? 'scaling.md' : 'measurements.md'), name, markdownRows(table));
    }
  } finally {
    await rig.end();
  }
}

function tableOf({ title, counted, sizes, figures }: Growth): Table {
  const cell = ({ values, unit }: Figure, row: number): string =>
    `${short(values[row] ?? Number.NaN)}${unit === undefined ? '' : ` ${unit}`}`;
  const rows = sizes.map((size, row) => [short(size), ...figures.map((figure) => cell(figure, row))]);
  return { title, head: [counted, ...figures.map(({ name }) => name)], rows };
}

/** Replaces what is between the two marks of a page. */
function writeTable(page: string, name: string, rows: string): void {
  const [begin, end] = [`<!-- growth: ${name} -->`, `<!-- end of ${name} -->`];
  const [before = '', rest] = readFileSync(page, 'utf8').split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${page} has no marks for ${name}.`);
  writeFileSync(page, `${before}${begin}\n\n${rows}\n\n${end}${after}`);
}
