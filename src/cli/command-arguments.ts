import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Language } from '../text/text';

export const batchUsage = `padron batch <dataset.csv|.xlsx|.jsonl> <operation.graphql> [--max-units N]

Prices a dataset, runs the operation for each row, and writes the results beside the dataset. If the batch is paused, it
writes the results so far, and the same command continues.

  --max-units N     maximum units that the batch may spend; without it, the command only shows the price
  --dry-run         only shows the price, even with --max-units
  --url URL         address of the graph; default: PADRON_URL or http://127.0.0.1:4000/graphql
  --token TOKEN     token of the account that pays; PADRON_TOKEN is safer, because other users can see arguments
  --map COLUMN=VAR  column that fills a variable, such as "N.S.S.=nss"; repeat it for several; other columns are matched
                    by name or usual Spanish heading
  --ref COLUMN      column whose values label the rows, such as "No. Empleado"; default: the column named ref
  --sheet NAME      sheet of a workbook; default: the first visible one that has the required columns
  --operation NAME  operation to run, if the document has several
  --purpose PURPOSE purpose of the batch, one of PURPOSES of the server
  --name NAME       name of the batch in lists; default: the name of the dataset
  --key KEY         key of the batch; the same key resumes the same batch; default: derived from both files, the
                    chosen columns and the sheet
  --out FILE        file of the results, .csv, .xlsx or .jsonl; default: <dataset>.results.csv, or .results.xlsx if the
                    dataset is .xlsx; <dataset>.resultados.csv or .xlsx with --language es
  --language LANG   en or es: language of the output and of the results; default: en
  --retry WHICH     failed: if the batch is done, retries the failed rows that may succeed
                    unknown: retries the unknown rows, which may be charged twice
  --wait SECONDS    seconds to wait for padron if it restarts; default: 300

Exit codes: 0 all rows are done, 1 some rows failed, are unknown, were erased or refused, or may be about another
person, 2 the arguments are invalid, 3 the batch is paused or canceled, 4 padron cannot be reached or rejects the request.
`;

/** Invalid arguments. The message is followed by one line on the help. */
export class UsageError extends Error {}

/** A file that cannot be read or used. The message says which one, so the help would not add anything. */
export class FileError extends Error {}

export const exitCodes = {
  done: 0,
  rowsFailed: 1,
  differs: 1,
  tooExpensive: 1,
  checkFailed: 1,
  invalidArguments: 2,
  notFinished: 3,
  requestFailed: 4,
} as const;

/** The output of a command. JSON and CSV are data, which a terminal must not change. */
export interface Report {
  readonly text: string;
  readonly isData: boolean;
  readonly code: number;
}

const defaultUrl = 'http://127.0.0.1:4000/graphql';
const retries = { failed: 'FAILED', unknown: 'UNKNOWN' } as const;

type Environment = Readonly<Record<string, string | undefined>>;

export const text = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;
export const connection = { url: text, token: text, language: text } as const;

/** Returns the options and positional arguments, or throws a `UsageError`. */
export function parseOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  allowPositionals = false,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The arguments cannot be parsed.');
  }
}

export type BatchArguments = ReturnType<typeof parseBatch>;

export function parseBatch(args: readonly string[], environment: Environment) {
  const { positionals, values } = parseOptions(
    args,
    {
      ...connection,
      ...{ 'max-units': text, 'dry-run': flag, operation: text, name: text, key: text, out: text },
      ...{ retry: text, wait: text, ref: text, sheet: text, purpose: text, map: { type: 'string', multiple: true } },
    },
    true,
  );
  const [dataset, operation, ...surplus] = positionals;
  if (dataset === undefined || operation === undefined || surplus.length > 0)
    throw new UsageError('Name a dataset and an operation.');
  const { retry, wait = '300' } = values;
  if (retry !== undefined && retry !== 'failed' && retry !== 'unknown')
    throw new UsageError('--retry must be `failed` or `unknown`.');
  if (!/^\d{1,6}$/.test(wait)) throw new UsageError('--wait must be a whole number of seconds.');
  const maxUnits = parseMaxUnits(values['max-units']);
  return {
    ...parseConnection(values, environment),
    dataset,
    operation,
    operationName: values.operation ?? null,
    /** Maximum units that the batch may spend. Null if the command only shows the price. */
    maxUnits: values['dry-run'] === true ? null : maxUnits,
    key: values.key ?? null,
    name: values.name ?? null,
    out: values.out ?? null,
    columns: (values.map ?? []).map(parseColumn),
    refColumn: values.ref ?? null,
    waitMs: 1_000 * Number(wait),
    sheet: values.sheet ?? null,
    purpose: values.purpose ?? null,
    retry: retry === undefined ? null : retries[retry],
  } as const;
}

export function parseMaxUnits(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--max-units must be a whole number.');
  return Number(text);
}

export function parseConnection(
  values: Readonly<Partial<Record<keyof typeof connection, string>>>,
  environment: Environment,
) {
  const url = values.url ?? environment.PADRON_URL ?? defaultUrl;
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw new UsageError(`--url must be an address, such as ${defaultUrl}.`);
  const token = values.token ?? (environment.PADRON_TOKEN || null);
  return { url, token, language: checkLanguage(values.language) };
}

function checkLanguage(text: string | undefined): Language | null {
  if (text === undefined || text === 'en' || text === 'es') return text ?? null;
  throw new UsageError('--language must be `en` or `es`.');
}

/** Returns the column and the variable of `N.S.S.=nss`. The name of a column may contain an equals sign, a variable may not. */
function parseColumn(text: string): { readonly column: string; readonly variable: string } {
  const end = text.lastIndexOf('=');
  const [column, variable] = [text.slice(0, Math.max(0, end)).trim(), text.slice(end + 1).trim()];
  if (column === '' || variable === '')
    throw new UsageError(`--map ${text}: write a column and a variable, such as --map "N.S.S.=nss".`);
  return { column, variable };
}
