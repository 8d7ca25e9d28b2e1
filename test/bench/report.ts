import type { BatchRate } from './batches';
import type { EarlyAnswer } from './early-answers';
import type { Blocks, ColdStart, Crowd, Linearity } from './extremes';
import type { LedgerPrice } from './ledgers';
import type { Cell } from './matrix';
import type { StorePrice } from './store';
import type { Workload } from './workloads';

/** Results of one run. */
export interface Results {
  readonly takenAt: string;
  readonly node: string;
  readonly processors: string;
  readonly minutes: number;
  readonly missing: readonly string[];
  readonly cells: readonly Cell[];
  readonly crowds: readonly Crowd[];
  readonly coldStarts: readonly ColdStart[];
  readonly linearity: readonly Linearity[];
  readonly blocks: readonly Blocks[];
  readonly stores: readonly StorePrice[];
  readonly ledgers: readonly LedgerPrice[];
  readonly batches: readonly BatchRate[];
  readonly early: readonly EarlyAnswer[];
}

/** The results as Markdown. */
export function report(results: Results, workloads: readonly Workload[]): string {
  const { takenAt, node, processors, minutes } = results;
  const parts = [
    `Taken ${takenAt} on Node ${node}, ${processors}, in ${minutes.toFixed(1)} minutes. CPU is what the server's process used a request, at an`,
    'upstream of 0 ms, the lower quartile of the rounds; × holds it against the floor; calls are upstream calls a request. The other × are',
    'medians of the ratios to the floor in the same round.',
    ...results.missing.map((missing) => `\nNot measured: ${missing}.`),
    summary(workloads, results.cells),
    ...workloads.map((workload) => section(workload, results.cells)),
    extremes(results),
  ];
  return `${parts.join('\n')}\n`;
}

/** Upstream latency at which waiting is compared. It is short enough to show the time of each system, and shorter than a registry's. */
const waitedMs = 20;

/** Everything at a glance: CPU and waiting as multiples of the floor, and calls. */
function summary(workloads: readonly Workload[], cells: readonly Cell[]): string {
  const systems = [...new Set(cells.map(({ system }) => system))];
  const findCell = (system: string, workload: string, ms: number) =>
    cells.find((cell) => cell.system === system && cell.workload === workload && cell.latencyMs === ms);
  const rows = systems.map((system) => [
    system,
    ...workloads.map(({ name }) => {
      const [busy, waiting] = [findCell(system, name, 0), findCell(system, name, waitedMs)];
      if (busy === undefined) return '–';
      return `${ratio(busy.quietCpuRatio)} / ${ratio(waiting?.p50Ratio)} (${tidy(busy.calls)})`;
    }),
  ]);
  const head = ['CPU × / p50 × (calls)', ...workloads.map(({ name, title }) => `${name}: ${title}`)];
  return rows.length === 0 ? '' : `\n${table(head, rows)}`;
}

function section({ name, title }: Workload, cells: readonly Cell[]): string {
  const own = cells.filter(({ workload }) => workload === name);
  if (own.length === 0) return '';
  const latencies = [...new Set(own.map(({ latencyMs }) => latencyMs))];
  const head = [
    'system',
    'CPU µs',
    '×',
    '× median',
    'calls',
    ...latencies.flatMap((ms) => [`p50 at ${ms} ms`, '×', 'p99']),
  ];
  const rows = [...new Set(own.map(({ system }) => system))].map((system) => {
    const findCell = (ms: number) => own.find((cell) => cell.system === system && cell.latencyMs === ms);
    const first = findCell(latencies[0] ?? 0);
    return [
      system,
      whole(first?.quietCpuUs),
      ratio(first?.quietCpuRatio),
      ratio(first?.cpuRatio),
      tidy(first?.calls),
      ...latencies.flatMap((ms) => [
        milliseconds(findCell(ms)?.p50Ms),
        ratio(findCell(ms)?.p50Ratio),
        milliseconds(findCell(ms)?.p99Ms),
      ]),
    ];
  });
  return `\n### ${name}: ${title}\n\n${table(head, rows)}`;
}

function extremes({ crowds, coldStarts, linearity, blocks, stores, ledgers, batches, early }: Results): string {
  const sections = [
    [
      'A profile of six registry calls: five at 20 ms and one at 10 s',
      ['request', 'first response', 'complete', 'requests', 'calls', 'units'],
      early.map((of) => [
        of.system,
        milliseconds(of.firstMs),
        milliseconds(of.completeMs),
        whole(of.requests),
        whole(of.calls),
        whole(of.units),
      ]),
    ],
    [
      '5,000 requests waiting at once, upstream 2000 ms',
      ['system', 'RSS at rest', 'peak RSS', 'p50', 'p99', 'CPU µs'],
      crowds.map((of) => [
        of.system,
        megabytes(of.restingRss),
        megabytes(of.peakRss),
        milliseconds(of.p50Ms),
        milliseconds(of.p99Ms),
        whole(of.cpuUs),
      ]),
    ],
    [
      'From the start of the process to the first right answer',
      ['system', 'time', 'CPU'],
      coldStarts.map((of) => [of.system, milliseconds(of.ms), milliseconds(of.cpuMs)]),
    ],
    [
      '500 aliases over 100 people, against ten times 50 over 10',
      ['system', 'CPU µs of 50', 'CPU µs of 500', 'ratio to ten times'],
      linearity.map((of) => [of.system, whole(of.onceUs), whole(of.tenfoldUs), ratio(of.ratio)]),
    ],
    [
      'Longest block of the event loop (inline: a year, 24 files of 200 kB in the answer)',
      ['system', 'workload', 'by the clock', 'its own CPU', 'p99', 'RSS at rest', 'peak RSS'],
      blocks.map((of) => [
        of.system,
        of.workload,
        milliseconds(of.loop.maxMs),
        milliseconds(of.loop.maxCpuMs),
        milliseconds(of.loop.p99Ms),
        megabytes(of.restingRss),
        megabytes(of.peakRss),
      ]),
    ],
    [
      'A store between instances, on this machine: each question asked once (upstream 5 ms), then of a second instance',
      ['system', 'p50, one at a time', 'calls', 'CPU µs, 16 at once, upstream 0 ms', 'p50 of the second', 'its calls'],
      stores.map((of) => [
        of.system,
        milliseconds(of.liveP50Ms),
        tidy(of.calls),
        whole(of.cpuUs),
        milliseconds(of.takenP50Ms ?? undefined),
        tidy(of.takenCalls ?? undefined),
      ]),
    ],
    [
      'What a ledger takes of a single credit: fresh processes in turn, which rest alike after each round',
      ['system', 'CPU µs', 'beside no ledger'],
      ledgers.map((of) => [of.system, whole(of.cpuUs), ratio(of.ratio)]),
    ],
    [
      'A batch whose rows each ask once, beside the same calls bare',
      ['store', 'upstream', 'calls at once', 'bare calls a second', 'calls a second', 'ratio'],
      batches.map((of) => [
        of.engine,
        milliseconds(of.latencyMs),
        whole(of.concurrency),
        whole(of.bareCallsPerSecond),
        whole(of.callsPerSecond),
        ratio(of.ratio),
      ]),
    ],
  ] as const;
  return sections
    .filter(([, , rows]) => rows.length > 0)
    .map(([title, head, rows]) => `\n### ${title}\n\n${table(head, rows)}`)
    .join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

const shown = (value: number | undefined, text: (value: number) => string): string =>
  value === undefined || Number.isNaN(value) ? '–' : text(value);
const whole = (value: number | undefined): string => shown(value, (number) => String(Math.round(number)));
const ratio = (value: number | undefined): string => shown(value, (number) => number.toFixed(2));
const tidy = (value: number | undefined): string => shown(value, (number) => String(Math.round(number * 100) / 100));
const milliseconds = (value: number | undefined): string =>
  shown(value, (number) => `${number < 100 ? number.toFixed(1) : Math.round(number)} ms`);
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
