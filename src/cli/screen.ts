import type { BatchStatus, UploadResult } from './graph-client';

/** The terminal to which the command writes its messages. It is stderr, so that a shell can separate them from the results. */
export interface Screen {
  readonly isTerminal: boolean;
  readonly columns: number;
  write(text: string): void;
}

const barWidth = 30;
const maxRefused = 10;

/** A progress bar that redraws itself on a terminal, and otherwise prints one line per tenth. */
export class ProgressBar {
  private lastTenth = -1;

  constructor(private readonly screen: Screen) {}

  show(batch: BatchStatus): void {
    const { rows, waiting } = batch.progress;
    const share = rows === 0 ? 1 : (rows - waiting) / rows;
    if (this.screen.isTerminal) {
      this.screen.write(`\r\u001b[K${shorten(line(batch, share), this.screen.columns)}`);
      return;
    }
    const tenth = Math.floor(share * 10);
    if (tenth !== this.lastTenth) this.screen.write(`${line(batch, share)}\n`);
    this.lastTenth = tenth;
  }

  end(): void {
    if (this.screen.isTerminal) this.screen.write('\n');
  }
}

function line({ state, progress }: BatchStatus, share: number): string {
  const { rows, waiting, failed, unknown, spentUnits, secondsLeft } = progress;
  const full = Math.round(share * barWidth);
  const bar = `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}]`;
  const rest = state === 'RUNNING' && secondsLeft !== null ? ` · ${formatSeconds(secondsLeft)} left` : '';
  const failures = failed + unknown === 0 ? '' : ` · ${failed} failed, ${unknown} unknown`;
  return `${bar} ${rows - waiting}/${count(rows, 'row')} · ${count(spentUnits, 'unit')}${failures}${rest}`;
}

const shorten = (text: string, width: number): string => text.slice(0, Math.max(20, width - 1));

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

function describeInvalid(rows: number): string {
  if (rows === 1) return '1 row has an invalid identifier. It costs nothing and will fail';
  return `${rows} rows have an invalid identifier. They cost nothing and will fail`;
}

function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** Returns the lines about how padron read the file, if it is not a plain UTF-8 file that begins with its header. */
export function describeUpload({ encoding = null, headerLine = null }: UploadResult): string {
  return [
    ...(encoding === null || encoding === 'UTF-8' ? [] : [`The file is not UTF-8. It is read as ${encoding}.\n`]),
    ...(headerLine === null || headerLine === 1
      ? []
      : [`The header is line ${headerLine}. The lines above it are skipped.\n`]),
  ].join('');
}

/** Returns the lines about columns, refused rows and the price, and why the batch cannot be started. */
export function describePrice({
  columns,
  refusedCount,
  refusedRows,
  estimate,
  progress,
  startProblem,
}: BatchStatus): string {
  const used = columns.filter(({ variable }) => variable !== null).map(({ name, variable }) => `${name} → ${variable}`);
  const unused = columns.filter(({ variable }) => variable === null).map(({ name }) => name);
  const lines = [
    `columns: ${used.join(', ') || 'none'}${unused.length === 0 ? '' : ` (not used: ${unused.join(', ')})`}`,
    ...(refusedCount === 0 ? [] : [`${count(refusedCount, 'row')} ${refusedCount === 1 ? 'is' : 'are'} refused:`]),
    ...refusedRows.slice(0, maxRefused).map(({ line: number, message }) => `  line ${number}: ${message}`),
  ];
  const obstacle = startProblem === null ? [] : [`cannot be started: ${startProblem.message} (${startProblem.code})`];
  if (estimate === null) return [...lines, ...obstacle, ''].join('\n');
  const { estimatedUnits, bounded, invalidRows, endpoints } = estimate;
  return [
    ...lines,
    `price: ${count(estimatedUnits, 'unit')} for ${count(progress.rows, 'row')}${bounded ? '' : ', or more: lists of unknown length'}`,
    ...endpoints.map(({ url, calls, subtotal }) => `  ${url}: ${count(calls, 'call')}, ${count(subtotal, 'unit')}`),
    ...(invalidRows === 0 ? [] : [describeInvalid(invalidRows)]),
    ...obstacle,
    '',
  ].join('\n');
}

export function describeEnd({ progress, refusedCount }: BatchStatus): string {
  const { rows, done, failed, retryable, unknown, spentUnits, uncertainUnits, savedUnits } = progress;
  const refused = refusedCount === 0 ? '' : `, ${refusedCount} refused`;
  const hint = retryable === 0 ? '' : `${count(retryable, 'failed row')} may succeed with --retry failed\n`;
  return `${done} of ${count(rows, 'row')} done, ${failed} failed, ${unknown} unknown${refused} · ${count(spentUnits, 'unit')} spent, ${uncertainUnits} uncertain, ${savedUnits} saved\n${hint}`;
}
