const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** English texts of the command `padron batch`. */
export const batchEnglish = {
  cannotRead: (file: string) => `Cannot read ${file}. Check the path.`,
  cannotWrite: (file: string, code: string) =>
    `Cannot write ${file} (${code}). Check the path, or choose another with --out.`,
  outIsInput: (file: string) => `The results would overwrite ${file}. Choose another file with --out.`,
  readAs: (encoding: string) => `The file is not UTF-8. It is read as ${encoding}.`,
  headerAt: (line: number) => `The header is line ${line}. The lines above it are skipped.`,
  columns: (used: string, unused: string) =>
    `columns: ${used || 'none'}${unused === '' ? '' : ` (not used: ${unused})`}`,
  refused: (rows: number) => `${count(rows, 'row')} ${rows === 1 ? 'is' : 'are'} refused:`,
  refusedRow: (line: number, message: string) => `  line ${line}: ${message}`,
  moreRefused: (rows: number) => `  and ${rows} more, which are in the results`,
  price: (units: number, rows: number) => `price: ${count(units, 'unit')} for ${count(rows, 'row')}`,
  unbounded: ', or more: lists of unknown length',
  endpoint: (url: string, calls: number, units: number) => `  ${url}: ${count(calls, 'call')}, ${count(units, 'unit')}`,
  invalidRows: (rows: number) =>
    rows === 1
      ? '1 row has an invalid value. The calls that need it are not made and cost nothing, and the row will fail.'
      : `${rows} rows have an invalid value. The calls that need it are not made and cost nothing, and the rows will fail.`,
  cannotStart: (message: string, code: string) => `cannot be started: ${message} (${code})`,
  priced: (state: string) => `The batch is ${state}. Add --max-units to run it.`,
  alreadyDone: 'The batch is DONE. Add --max-units to write its results again.',
  noRetry: 'No failed row can succeed with the same data. Correct it, and run the corrected file.',
  progress: (ended: number, rows: number, units: number) => `${ended}/${count(rows, 'row')} · ${count(units, 'unit')}`,
  failures: (failed: number, unknown: number) => `${failed} failed, ${unknown} unknown`,
  left: (time: string) => `${time} left`,
  ended: (done: number, rows: number) => `${done} of ${count(rows, 'row')} done`,
  refusedRows: (rows: number) => `${rows} refused`,
  spent: (units: number, uncertain: number, saved: number) =>
    `${count(units, 'unit')} spent, ${uncertain} uncertain, ${saved} saved`,
  mayRetry: (rows: number) => `${count(rows, 'failed row')} may succeed with --retry failed`,
  stopped: (state: string, reason: string) => `The batch is ${state}${reason}`,
  results: (file: string) => `results: ${file}`,
  interruptedDownload: (file: string) =>
    `The download of ${file} was interrupted. An earlier file of that name is unchanged.`,
  waiting: (problem: string, seconds: number) => `${problem} Trying again for ${seconds} s.`,
  continues: (hasRetry: boolean) =>
    `If the batch was started, it continues on the server. To see it and to download its results, run the same command again${hasRetry ? ' without --retry' : ''}. Nothing is paid twice.`,
  interrupted: 'The batch is paused. Run the same command to resume it.',
  states: {} as Readonly<Record<string, string>>,
  rejected: (message: string, _code: string) => message,
  unreachable: (origin: string, reason: string) => `Cannot reach padron at ${origin} (${reason}).`,
  noAnswer: 'no answer',
  notAGraph: (status: number) => `The address is not a padron graph (HTTP ${status}). Check --url.`,
  batchMissing: 'The batch no longer exists.',
  noBatch: 'padron returned no batch.',
};
