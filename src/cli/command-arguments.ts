import { parseArgs } from 'node:util';

/** Arguments of `padron batch`. */
export interface BatchArguments {
  readonly dataset: string;
  readonly operation: string;
  readonly operationName: string | null;
  /** Null to show the price only. */
  readonly maxUnits: number | null;
  readonly url: string;
  readonly token: string | null;
  readonly key: string | null;
  readonly name: string | null;
  readonly out: string | null;
  readonly retry: 'FAILED' | 'UNKNOWN' | null;
}

export const usage = `padron batch <dataset.csv|.jsonl> <operation.graphql> [--max-units N]

  --max-units N     limits what the batch may spend; without it the command only shows the price
  --dry-run         shows the price and exits, even with --max-units
  --url URL         address of the graph; default: PADRON_URL or http://127.0.0.1:4000/graphql
  --token TOKEN     token of the account that pays; PADRON_TOKEN is safer, other users can see arguments
  --operation NAME  operation of the document to run
  --name NAME       name of the batch in lists; default: the name of the dataset
  --key KEY         key of the batch: the same key resumes the same batch; default: derived from both files
  --out FILE        file of the results, .csv or .jsonl; default: beside the dataset
  --retry WHICH     retries the rows that are failed or unknown of a batch that has ended; unknown rows may be paid twice

Exit codes: 0 all rows are done, 1 rows failed or are unknown, 2 the arguments are wrong, 3 the batch is paused or
canceled, 4 padron cannot be reached or refuses.
`;

/** An error in the arguments. The message says what is wrong. */
export class ArgumentError extends Error {}

const defaultUrl = 'http://127.0.0.1:4000/graphql';
const retries = { failed: 'FAILED', unknown: 'UNKNOWN' } as const;

/** Returns the arguments of the command. Throws an `ArgumentError` if they are wrong. */
export function readArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): BatchArguments {
  const { positionals, values } = parse(args);
  const [command, dataset, operation, ...surplus] = positionals;
  if (command !== 'batch' || dataset === undefined || operation === undefined || surplus.length > 0)
    throw new ArgumentError('Name a dataset and an operation.');
  const maxUnits = values['max-units'];
  if (maxUnits !== undefined && !/^\d{1,9}$/.test(maxUnits))
    throw new ArgumentError('--max-units must be a whole number.');
  const retry = values.retry;
  if (retry !== undefined && !(retry in retries)) throw new ArgumentError('--retry must be `failed` or `unknown`.');
  return {
    dataset,
    operation,
    operationName: values.operation ?? null,
    maxUnits: maxUnits === undefined || values['dry-run'] === true ? null : Number(maxUnits),
    url: values.url ?? environment.PADRON_URL ?? defaultUrl,
    token: values.token ?? (environment.PADRON_TOKEN || null),
    key: values.key ?? null,
    name: values.name ?? null,
    out: values.out ?? null,
    retry: retry === undefined ? null : retries[retry as keyof typeof retries],
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    'max-units': text,
    'dry-run': { type: 'boolean' },
    url: text,
    token: text,
    operation: text,
    name: text,
    key: text,
    out: text,
    retry: text,
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new ArgumentError(error instanceof Error ? error.message : 'The arguments cannot be parsed.');
  }
}
