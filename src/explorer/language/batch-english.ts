type Counted = (count: number) => string;

const rows: Counted = (count) => (count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`);

export const batchEnglish = {
  intro:
    'Runs the operation of the open tab for each row of a file. padron calculates the price first and spends nothing until you start the batch.',
  create: 'New batch',
  operation: 'Operation',
  columnsAbout: (names: readonly string[]) =>
    `Columns are matched to the variables by name or usual Spanish heading: ${names.join(', ')}. A column named ref contains labels for the rows.`,
  columnsOf: (name: string) => `Columns of ${name}`,
  sheet: 'Sheet',
  readAs: (encoding: string) => `The file is not UTF-8. It was read as ${encoding}.`,
  headerAt: (line: number) => `The header is line ${line}. The lines above it were skipped.`,
  chooseColumns: 'Choose other columns',
  chooseBelow: 'Select below which variable each column fills, and read the file again.',
  validValues: (valid: number, filled: number) =>
    `${valid.toLocaleString('en')} of ${filled.toLocaleString('en')} values are valid`,
  barredFields: (fields: readonly string[]) =>
    `A batch cannot run this operation, because the service does not allow these fields in batches: ${fields.join(', ')}.`,
  runnable: 'Open tabs that a batch can run:',
  moment: (date: string) => {
    const [at, today] = [new Date(date), new Date()];
    const time = at.toLocaleTimeString('en', { timeStyle: 'short' });
    const day = at.toLocaleDateString('en', { dateStyle: 'medium' });
    return at.toDateString() === today.toDateString() ? `today at ${time}` : `on ${day} at ${time}`;
  },
  alreadyRan: (when: string, state: string, done: number, all: number) =>
    `this file already ran with this operation ${when} (${state.toLowerCase()}): ${done.toLocaleString('en')} of ${rows(all)} done.`,
  openBatch: 'Open the batch',
  openResults: 'Open the results',
  runAgain: (units: string | null) => `Run again${units === null ? '' : ` for ${units}`}`,
  readAgain: 'Read the file with these columns',
  cancelChoice: 'Discard the file',
  noVariables:
    'The operation has no variables, so every row would send the same request. Open a tab whose operation has variables.',
  unparsed: 'The open tab has no valid operation.',
  notAQuery: 'A batch can only run queries. Open another tab.',
  choose: 'Choose an Excel (.xlsx), CSV or JSON Lines file',
  drop: 'or drop it here',
  example: (people: number) => `Use ${people} people from the sandbox`,
  sending: (name: string) => `Sending ${name}…`,
  noLink: 'padron cannot create the link. Its operator must set PUBLIC_URL.',
  notTaken: (reason: string) => `The file was rejected: ${reason}`,
  list: 'Batches of this account',
  noBatches: 'None yet.',
  back: 'All batches',
  missing: 'This account no longer has this batch.',
  unnamed: 'Unnamed',
  expires: (date: string) => `Will be erased on ${new Date(date).toLocaleDateString('en', { dateStyle: 'medium' })}.`,
  created: (date: string) => new Date(date).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'medium' }),
  client: (name: string) => `Client ${name}`,
  off: 'Batches are off. The operator can turn them on with DATA_DIR or DATABASE_URL.',
  tokenNeeded:
    'The token is missing or invalid. Enter it with the button Token at the top, or as "authorization" in Headers.',
  unread: (reason: string) => `The batches cannot be read: ${reason}`,
  notStartable: 'Cannot be started',
  states: {
    WAITING_FOR_ROWS: 'Waiting for rows',
    PRICING: 'Calculating the price…',
    READY: 'Ready to start',
    RUNNING: 'Running',
    PAUSED: 'Paused',
    DONE: 'Done',
    CANCELED: 'Canceled',
    ERASED: 'Erased',
  },
  rows,
  datasetAndPrice: 'Dataset and price',
  dataset: 'Dataset',
  column: 'Column',
  variable: 'Variable',
  label: 'label of the row',
  unused: 'not used',
  refused: (count: number) => `${rows(count)} rejected; the others will run`,
  lines: (count: number, lines: string) => `${count === 1 ? 'Line' : 'Lines'} ${lines}`,
  more: (count: number) => `and ${count.toLocaleString('en')} more`,
  price: 'Price',
  priceAtMost: (units: string, taken: number) => `${units} at most, for ${rows(taken)}`,
  priceAbout: (units: string, taken: number) => `About ${units}, for ${rows(taken)}`,
  unbounded: 'Lists of unknown length may cost more, but the batch never spends more than the limit.',
  invalidRows: (count: number) =>
    count === 1
      ? '1 row has an invalid value. The calls that need it are not sent and cost nothing, and the row fails.'
      : `${rows(count)} have an invalid value. The calls that need it are not sent and cost nothing, and the rows fail.`,
  invalidValues: (count: number) => `${count.toLocaleString('en')} with an invalid value`,
  disallowedEndpoints:
    'The service does not allow these endpoints in batches. Remove their fields from the operation and send the file again:',
  ceiling: 'Limit in units',
  ceilingAbout: 'The batch never spends more than this. Calls that could exceed it are not sent.',
  start: 'Start',
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel',
  cancelAbout: 'Ends the batch permanently. The results so far are kept.',
  erase: 'Erase',
  eraseAbout: 'Destroys the key of the dataset and the results. This cannot be undone.',
  wouldFailAgain: (count: number) =>
    count === 1
      ? '1 failed row would fail again with the same data. Correct it in the file and create a new batch.'
      : `${rows(count)} that failed would fail again with the same data. Correct them in the file and create a new batch.`,
  retryFailed: (count: number) => `Retry ${count.toLocaleString('en')} failed ${count === 1 ? 'row' : 'rows'}`,
  retryUnknown: (count: number) => `Retry ${count.toLocaleString('en')} unknown ${count === 1 ? 'row' : 'rows'}`,
  retryUnknownAbout: (units: string) => `Up to ${units} may be charged a second time.`,
  sure: (action: string) => `Yes, ${action.charAt(0).toLowerCase()}${action.slice(1)}`,
  keep: 'No',
  notDone: (reason: string) => `The action failed: ${reason}`,
  progress: 'Progress',
  progressOf: (ended: number, all: number) => `${ended.toLocaleString('en')} of ${rows(all)}`,
  pace: (rowsPerMinute: number) => `${rowsPerMinute.toLocaleString('en')} rows per minute`,
  left: (seconds: number) => (seconds < 90 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`),
  pausedByYou: 'Paused by the caller.',
  pausedFor: (reason: string) => `Paused: ${reason}`,
  done: 'done',
  failed: 'failed',
  unknown: 'unknown',
  waiting: 'waiting',
  failures: 'Failures by problem',
  problem: 'Problem',
  rowsColumn: 'Rows',
  failuresOf: (count: number) =>
    `Only the first ${rows(count)} that failed are counted here. The download contains all of them.`,
  rowNumber: (number: number) => `row ${number}`,
  results: 'Results',
  resultsAbout:
    'The table has the columns of your file first, then the state, the problem and the answers. Excel removes leading zeros when it opens CSV, so use the workbook in Excel.',
  formats: { xlsx: 'Excel', csv: 'CSV', jsonl: 'JSON Lines' },
  downloadAs: (format: string) => `Download as ${format}`,
  partialAs: (ended: number, all: number, format: string) =>
    `Finished so far (${ended.toLocaleString('en')} of ${all.toLocaleString('en')}) as ${format}`,
};
