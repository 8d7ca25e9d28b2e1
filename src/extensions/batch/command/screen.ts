import { toVisible } from '../../../terminal/terminal-text';
import type { BatchStatus, UploadResult } from './batch-client';
import type { BatchTexts } from './batch-texts';

/** The terminal to which the command writes its messages. It is stderr, so that a shell can separate them from the results. */
export interface Screen {
  readonly isTerminal: boolean;
  readonly columns: number;
  /** Writes lines. Control characters of files and servers are shown, not executed. */
  write(text: string): void;
  redraw(line: string): void;
}

/** Variable of a column that is only compared. */
const fullName = 'fullName';
const barWidth = 30;
const maxReasons = 10;
/** Number of lines of the file that a message names. */
export const maxLines = 10;

/** A progress bar that redraws itself on a terminal, and otherwise prints one line per tenth. */
export class ProgressBar {
  private lastTenth = -1;

  constructor(
    private readonly screen: Screen,
    private readonly texts: BatchTexts,
  ) {}

  show(batch: BatchStatus): void {
    const { rows, waiting } = batch.progress;
    const share = rows === 0 ? 1 : (rows - waiting) / rows;
    if (this.screen.isTerminal) {
      this.screen.redraw(shorten(progressLine(batch, share, this.texts), this.screen.columns));
      return;
    }
    const tenth = Math.floor(share * 10);
    if (tenth !== this.lastTenth) this.screen.write(`${progressLine(batch, share, this.texts)}\n`);
    this.lastTenth = tenth;
  }

  end(): void {
    if (this.screen.isTerminal) this.screen.write('\n');
  }
}

function progressLine({ state, progress }: BatchStatus, share: number, texts: BatchTexts): string {
  const { rows, waiting, failed, unknown, spentUnits, secondsLeft } = progress;
  const filled = Math.round(share * barWidth);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`;
  const parts = [
    texts.progress(rows - waiting, rows, spentUnits),
    ...(failed + unknown === 0 ? [] : [texts.failures(failed, unknown)]),
    ...(state === 'RUNNING' && secondsLeft !== null ? [texts.left(formatSeconds(secondsLeft))] : []),
  ];
  return `${bar} ${parts.join(' · ')}`;
}

const shorten = (text: string, width: number): string => text.slice(0, Math.max(20, width - 1));

function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** Returns the lines about how padron read the file, if it is not a plain UTF-8 file that begins with its header. */
export function describeUpload({ encoding, headerLine }: UploadResult, texts: BatchTexts): string {
  return toText([
    ...(encoding === null || encoding === 'UTF-8' ? [] : [texts.readAs(toVisible(encoding))]),
    ...(headerLine === null || headerLine === 1 ? [] : [texts.headerAt(headerLine)]),
  ]);
}

/** Returns the lines about columns, the price and refused rows, and why the batch cannot be started. */
export function describePrice(batch: BatchStatus, texts: BatchTexts): string {
  const { columns, sheet, sheets, estimate, progress, startProblem } = batch;
  const used = columns
    .filter(({ variable }) => variable !== null)
    .map(({ name, variable }) => `${name} → ${variable === fullName ? texts.compared : variable}`);
  const unused = columns.filter(({ variable }) => variable === null).map(({ name }) => name);
  const otherSheets = sheets.filter((name) => name !== sheet).join(', ');
  const price =
    estimate === null
      ? []
      : [
          texts.price(estimate.estimatedUnits, progress.rows) + (estimate.bounded ? '' : texts.unbounded),
          ...estimate.endpoints.map(({ url, calls, subtotal }) => texts.endpoint(toVisible(url), calls, subtotal)),
          ...(estimate.invalidRows === 0 ? [] : [texts.invalidRows(estimate.invalidRows)]),
        ];
  return toText([
    ...(sheet === null || otherSheets === '' ? [] : [texts.sheet(toVisible(sheet), toVisible(otherSheets))]),
    texts.columns(toVisible(used.join(', ')), toVisible(unused.join(', '))),
    ...price,
    ...describeRefused(batch, texts),
    ...(startProblem === null
      ? []
      : [texts.cannotStart(toVisible(startProblem.message), toVisible(startProblem.code))]),
  ]);
}

/** Returns the refused rows by reason, the most frequent one first. */
function describeRefused({ refusedCount, refusedRows }: BatchStatus, texts: BatchTexts): readonly string[] {
  if (refusedCount === 0) return [];
  const reasons = new Map<string, number[]>();
  for (const { line: number, message } of refusedRows) reasons.set(message, [...(reasons.get(message) ?? []), number]);
  const groups = [...reasons].sort(([, left], [, right]) => right.length - left.length).slice(0, maxReasons);
  const listed = groups.reduce((sum, [, lines]) => sum + lines.length, 0);
  return [
    texts.refused(refusedCount),
    ...groups.map(([message, lines]) => {
      return texts.refusedReason(toVisible(message), lines.length, listLines(lines, lines.length));
    }),
    ...(refusedCount > listed ? [texts.moreRefused(refusedCount - listed)] : []),
  ];
}

/** Returns the lines about the rows that have ended and their cost. `doubtful` has the lines of the first doubtful rows. */
export function describeEnd(batch: BatchStatus, doubtful: readonly number[], texts: BatchTexts): string {
  const { state, progress, refusedCount } = batch;
  const { rows, done, failed, retryable, unknown, canceled, erased, spentUnits, uncertainUnits, savedUnits } = progress;
  const counts = [
    texts.ended(done, rows),
    texts.failures(failed, unknown),
    ...(canceled === 0 ? [] : [texts.canceledRows(canceled)]),
    ...(erased === 0 ? [] : [texts.erasedRows(erased)]),
    ...(refusedCount === 0 ? [] : [texts.refusedRows(refusedCount)]),
  ].join(', ');
  return toText([
    `${counts} · ${texts.spent(spentUnits, uncertainUnits, savedUnits)}`,
    ...(progress.doubtful === 0 ? [] : [texts.doubtful(progress.doubtful, listLines(doubtful, progress.doubtful))]),
    ...(retryable === 0 ? [] : [texts.mayRetry(retryable)]),
    ...(unknown === 0 || state === 'CANCELED' ? [] : [texts.mayRetryUnknown(unknown)]),
  ]);
}

function listLines(lines: readonly number[], count: number): string {
  const shown = lines.slice(0, maxLines);
  return shown.join(', ') + (shown.length < count ? ', …' : '');
}

const toText = (lines: readonly string[]): string => lines.map((text) => `${text}\n`).join('');
