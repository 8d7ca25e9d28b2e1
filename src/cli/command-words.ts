import { parseArgs } from 'node:util';

/** What the command was told to do. */
export interface BatchWords {
  readonly dataset: string;
  readonly operation: string;
  readonly operationName: string | null;
  /** Null: only the price is wanted. */
  readonly maxUnits: number | null;
  readonly url: string;
  readonly token: string | null;
  readonly key: string | null;
  readonly name: string | null;
  readonly out: string | null;
  readonly retry: 'FAILED' | 'UNKNOWN' | null;
}

export const usage = `padron batch <dataset.csv|.jsonl> <operation.graphql> [--max-units N]

  --max-units N     the ceiling of all that the batch may spend; without it only the price is shown
  --dry-run         shows the price, whatever else is said
  --url URL         the graph; PADRON_URL, or http://127.0.0.1:4000/graphql
  --token TOKEN     whose units are spent; better PADRON_TOKEN, which others on this machine do not see
  --operation NAME  which operation of the document
  --name NAME       a name for people; by default that of the dataset
  --key KEY         names the batch: the same key goes on with the same batch; by default it follows from both files
  --out FILE        where the results go, CSV or .jsonl; by default beside the dataset
  --retry WHICH     asks rows again that are failed or unknown, when the batch is over; unknown ones may be paid twice

Exits with 0 when all rows are done, 1 where rows failed or are unknown, 2 where these words are wrong, 3 where the
batch is paused or canceled, 4 where padron cannot be reached or refuses.
`;

/** The words are wrong; the message says how. */
export class WordsError extends Error {}

const defaultUrl = 'http://127.0.0.1:4000/graphql';
const retries = { failed: 'FAILED', unknown: 'UNKNOWN' } as const;

export function readWords(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): BatchWords {
  const { positionals, values } = parse(words);
  const [command, dataset, operation, ...surplus] = positionals;
  if (command !== 'batch' || dataset === undefined || operation === undefined || surplus.length > 0)
    throw new WordsError('Name a dataset and an operation.');
  const maxUnits = values['max-units'];
  if (maxUnits !== undefined && !/^\d{1,9}$/.test(maxUnits)) throw new WordsError('--max-units is a whole number.');
  const retry = values.retry;
  if (retry !== undefined && !(retry in retries)) throw new WordsError('--retry is failed or unknown.');
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

function parse(words: readonly string[]) {
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
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw new WordsError(error instanceof Error ? error.message : 'These words are not understood.');
  }
}
