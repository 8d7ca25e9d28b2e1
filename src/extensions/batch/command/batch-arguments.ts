import {
  type CommandEnvironment,
  connection,
  flag,
  parseConnection,
  parseMaxUnits,
  parseOptions,
  text,
  UsageError,
} from '../../../terminal/command';

export const batchUsage = `padron batch <dataset.csv|.xlsx|.jsonl> <operation.graphql> [--max-units N]

Prices a dataset, runs the operation for each row, and writes the results beside the dataset. If the batch is paused, it
writes the results so far, and the same command continues.

  --max-units N     maximum units that the batch may spend; without it, the command only shows the price
  --dry-run         only shows the price, even with --max-units
  --url URL         address of the graph; default: PADRON_URL or http://127.0.0.1:4000/graphql
  --token TOKEN     token of the account that pays; PADRON_TOKEN is safer, because other users can see arguments
  --column NAME=VAR column that fills a variable, such as "N.S.S.=nss"; repeat it for several; other columns are matched
                    by name or usual Spanish heading
  --unused NAME     column that is not used although it seems to have the values of a variable; repeat it for several
  --ref COLUMN      column whose values label the rows, such as "No. Empleado"; default: the column named ref
  --sheet NAME      sheet of a workbook; default: the first visible one that has the required columns
  --operation NAME  operation to run, if the document has several
  --purpose PURPOSE purpose of the batch, one of PURPOSES of the server
  --max-age AGE     uses an answer again that the account has paid for, if it is not older, such as 30d
  --earlier WHICH   if earlier batches have answered some of its questions: use (free) or pay (again)
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
person, 2 the arguments are invalid or a file cannot be read, 3 the batch is paused or canceled, 4 padron cannot be
reached or rejects the request, or the batch cannot be started.
`;

const choices: Readonly<Record<string, string>> = { use: 'USE', pay: 'PAY_AGAIN' };
const retries = { failed: 'FAILED', unknown: 'UNKNOWN' } as const;

export type BatchArguments = ReturnType<typeof parseBatch>;

export function parseBatch(args: readonly string[], environment: CommandEnvironment) {
  const { positionals, values } = parseOptions(
    args,
    {
      ...connection,
      ...{ 'max-units': text, 'max-age': text, 'dry-run': flag, operation: text, name: text, key: text, out: text },
      ...{
        retry: text,
        wait: text,
        earlier: text,
        ref: text,
        sheet: text,
        purpose: text,
        column: { type: 'string', multiple: true },
        unused: { type: 'string', multiple: true },
      },
    },
    true,
  );
  const [dataset, operation, ...surplus] = positionals;
  if (dataset === undefined || operation === undefined || surplus.length > 0)
    throw new UsageError('Name a dataset and an operation.');
  const { retry, wait = '300' } = values;
  if (retry !== undefined && retry !== 'failed' && retry !== 'unknown')
    throw new UsageError('--retry must be `failed` or `unknown`.');
  if (values.earlier !== undefined && !Object.hasOwn(choices, values.earlier))
    throw new UsageError('--earlier must be `use` or `pay`.');
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
    columns: [
      ...(values.column ?? []).map(parseColumn),
      ...(values.unused ?? []).map((column) => ({ column: column.trim(), variable: null })),
    ],
    refColumn: values.ref ?? null,
    waitMs: 1_000 * Number(wait),
    sheet: values.sheet ?? null,
    purpose: values.purpose ?? null,
    maxAge: values['max-age'] ?? null,
    retry: retry === undefined ? null : retries[retry],
    earlier: choices[values.earlier ?? ''] ?? null,
  } as const;
}

/** Returns the column and the variable of `N.S.S.=nss`. The name of a column may contain an equals sign, a variable may not. */
function parseColumn(text: string): { readonly column: string; readonly variable: string } {
  const end = text.lastIndexOf('=');
  const [column, variable] = [text.slice(0, Math.max(0, end)).trim(), text.slice(end + 1).trim()];
  if (column === '' || variable === '')
    throw new UsageError(`--column ${text}: write a column and a variable, such as --column "N.S.S.=nss".`);
  return { column, variable };
}
