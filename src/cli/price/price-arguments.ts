import { parseArgs } from 'node:util';
import { UsageError } from '../command-arguments';

export interface PriceArguments {
  readonly paths: readonly string[];
  /** Maximum units of an operation. Null if the command only shows the prices. */
  readonly maxUnits: number | null;
  readonly allowUnbounded: boolean;
  /** File with values of variables by operation, or null. */
  readonly variables: string | null;
  readonly format: 'table' | 'json' | 'markdown';
}

export const priceUsage = (
  program: string,
): string => `${program} price <documents.json | folder | operation.graphql>... [--max-units N]

Prints what each operation costs at most. It is offline: it needs no server, no token and no network. Prices and schema
are those of this version of ${program}.

  --max-units N      maximum units of an operation; without it, the command only shows the prices
  --allow-unbounded  accepts operations whose price has no upper bound, if the assumed price is within --max-units
  --variables FILE   JSON object of operation names and their variables: {"EmployerYear":{"from":"2026-01","to":"2026-12"}}
                     a variable without a value may have any
  --json             prints JSON instead of a table
  --markdown         prints Markdown, for a pull request

Exit codes: 0 no operation is above --max-units, 1 an operation is above it or has no upper bound, 2 the arguments or the
documents are invalid.
`;

export function parsePrice(args: readonly string[]): PriceArguments {
  const { positionals: paths, values } = parse(args);
  if (paths.length === 0) throw new UsageError('Name the file or the folder of the operations.');
  const maxUnits = values['max-units'];
  if (maxUnits !== undefined && !/^\d{1,9}$/.test(maxUnits))
    throw new UsageError('--max-units must be a whole number.');
  if (values.json === true && values.markdown === true) throw new UsageError('Give --json or --markdown, not both.');
  return {
    paths,
    maxUnits: maxUnits === undefined ? null : Number(maxUnits),
    allowUnbounded: values['allow-unbounded'] === true,
    variables: values.variables ?? null,
    format: values.json === true ? 'json' : values.markdown === true ? 'markdown' : 'table',
  };
}

function parse(args: readonly string[]) {
  const flag = { type: 'boolean' } as const;
  const text = { type: 'string' } as const;
  const options = { 'max-units': text, 'allow-unbounded': flag, variables: text, json: flag, markdown: flag } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The arguments cannot be parsed.');
  }
}
