import { connection, flag, parseConnection, parseOptions, text, UsageError } from '../../terminal/command';

const spendColumns = [
  'day',
  'month',
  'client',
  'tag',
  'purpose',
  'operation',
  'endpoint',
  'outcome',
  'batch',
  'saving',
] as const;
export type SpendColumn = (typeof spendColumns)[number];

const connectionHelp = `  --url URL     address of the graph; default: PADRON_URL or http://127.0.0.1:4000/graphql
  --token TOKEN token of the account, or a JWT; PADRON_TOKEN is safer, because other users can see arguments
  --language LANG
                en or es: language of the output, except help and invalid arguments; default: en`;

export const reconcileUsage = `padron reconcile <statement.csv> --from DAY --to DAY [--settle [any]]

Compares the service's statement with the ledger. It is free and calls no registry. The statement has one line per
endpoint: POST /api/infonavit/grupo/buscar-credito,1204

  --from DAY    first day of the statement, for example 2026-11-01
  --to DAY      day after the last day of the statement, for example 2026-12-01
  --settle      settles the unknown calls of the endpoints that agree, if all or none of them were charged; without it,
                nothing changes
  --settle any  also settles them if only some were charged: the command chooses which, with a note that says so
${connectionHelp}

If exactly one changed line of the price list (PRICE_LIST) explains the difference of an endpoint, it is printed.
A day begins at midnight in the server's TIME_ZONE. --from and --to also accept an instant with a time zone.

Exit codes: 0 the statement agrees with the ledger, 1 it differs, 2 the arguments or the statement are invalid, or the
token only sees the calls of one client, 4 padron cannot be reached or rejects the request.
`;

export const spendUsage = `padron spend --by KEYS [--from DAY] [--to DAY] [--csv]

Prints the sums of the ledger. It is free and calls no registry. If the server has a UNIT_PRICE, the sums have amounts
in pesos too.

  --by KEYS     up to four of ${spendColumns.join(', ')}, separated by commas
  --from DAY    first day, for example 2026-11-01; default: the first entry
  --to DAY      day after the last day, for example 2026-12-01; default: the last entry
  --csv         prints CSV instead of a table
${connectionHelp}

Days and months are those of the server's TIME_ZONE. --from and --to also accept an instant with a time zone.

Exit codes: 0 the sums are printed, 2 the arguments are invalid, 4 padron cannot be reached or rejects the request.
`;

type Environment = Parameters<typeof parseConnection>[1];

const common = { ...connection, from: text, to: text } as const;
const maxKeys = 4;

export type ReconcileArguments = ReturnType<typeof parseReconcile>;

export function parseReconcile(args: readonly string[], environment: Environment) {
  // `parseArgs` of Node does not support options with an optional value.
  const withValues = args.map((arg, index) => (arg === '--settle' && args[index + 1] !== 'any' ? '--settle=' : arg));
  const { positionals, values } = parseOptions(withValues, { ...common, settle: text }, true);
  const [statement, ...surplus] = positionals;
  if (statement === undefined || surplus.length > 0) throw new UsageError('Name one statement.');
  if (values.from === undefined || values.to === undefined)
    throw new UsageError('Give the interval of the statement with --from and --to.');
  const interval = parseInterval(values);
  const { settle } = values;
  if (settle !== undefined && settle !== '' && settle !== 'any')
    throw new UsageError('--settle can only have the value `any`.');
  return {
    ...parseConnection(values, environment),
    statement,
    interval,
    /** Which calls are settled: none, those whose billing the statement proves, or any whose sum agrees with it. */
    settle: settle === undefined ? 'none' : settle === '' ? 'proven' : settle,
  } as const;
}

export type SpendArguments = ReturnType<typeof parseSpend>;

export function parseSpend(args: readonly string[], environment: Environment) {
  const { values } = parseOptions(args, { ...common, by: text, csv: flag });
  const names = [...new Set((values.by ?? '').split(',').map((name) => name.trim().toLowerCase()))];
  const by = names.flatMap((name) => spendColumns.find((column) => column === name) ?? []);
  if (by.length < names.length || by.length > maxKeys)
    throw new UsageError(`--by must have one to four of ${spendColumns.join(', ')}, separated by commas.`);
  return { ...parseConnection(values, environment), by, interval: parseInterval(values), csv: values.csv === true };
}

/** Interval of the ledger. It includes `from` and excludes `to`. */
export type Interval = ReturnType<typeof parseInterval>;

function parseInterval(values: { readonly from?: string; readonly to?: string }) {
  const from = parseDay('--from', values.from);
  const to = parseDay('--to', values.to);
  const isBackwards = from !== null && to !== null && from.length === to.length && from.length === 10 && from >= to;
  if (isBackwards) throw new UsageError('--from must be before --to. The day of --to is not included.');
  return { from, to };
}

/** Checks the form of a day or an instant. padron checks the rest of an instant. */
function parseDay(name: string, value: string | undefined): string | null {
  if (value === undefined) return null;
  const day = /^(\d{4}-\d{2}-\d{2})(?:T.+)?$/.exec(value)?.[1] ?? '';
  const parsed = new Date(`${day}T00:00:00Z`);
  if (!Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day)) return value;
  throw new UsageError(`${name} must be a day, for example 2026-11-01.`);
}
