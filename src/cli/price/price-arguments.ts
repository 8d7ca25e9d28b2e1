import { flag, parseMaxUnits, parseOptions, text, UsageError } from '../../terminal/command';

export const priceUsage = (
  program: string,
): string => `${program} price <documents.json | folder | operation.graphql>... [--max-units N]

Prints what each operation costs at most. It is offline: it needs no server, no token and no network. The schema is
that of this version of ${program}.

  --max-units N      maximum units of an operation; without it, the command only shows the prices
  --allow-unbounded  accepts operations whose price has no upper bound, if the assumed price is within --max-units
  --variables FILE   JSON object of operation names and their variables: {"EmployerYear":{"from":"2026-01","to":"2026-12"}}
                     a variable without a value may have any
  --prices FILE      price list of the provider; default: PRICE_LIST, and without it the prices of this version
  --json             prints JSON instead of a table
  --markdown         prints Markdown, for a pull request

Exit codes: 0 no operation is above --max-units, 1 an operation is above it or has no upper bound, 2 the arguments or the
documents are invalid.
`;

export const pricesUsage = `padron prices

Prints what each endpoint costs and which outcomes are charged, as JSON: the terms of this version, or those of the list in
PRICE_LIST. Save them, change what your contract says otherwise, raise "version" with each change, and set PRICE_LIST to the file.

  padron prices > prices.json

Exit codes: 0 printed, 2 the arguments or the list are invalid.
`;

export type PriceArguments = ReturnType<typeof parsePrice>;

export function parsePrice(args: readonly string[]) {
  const options = {
    'max-units': text,
    'allow-unbounded': flag,
    variables: text,
    prices: text,
    json: flag,
    markdown: flag,
  };
  const { positionals: paths, values } = parseOptions(args, options, true);
  if (paths.length === 0) throw new UsageError('Name the file or the folder of the operations.');
  if (values.json === true && values.markdown === true) throw new UsageError('Give --json or --markdown, not both.');
  return {
    paths,
    /** Maximum units of an operation. Null if the command only shows the prices. */
    maxUnits: parseMaxUnits(values['max-units']),
    allowUnbounded: values['allow-unbounded'] === true,
    /** File with values of variables by operation, or null. */
    variables: values.variables ?? null,
    /** File of the price list. If undefined, that of the environment. */
    prices: values.prices,
    format: values.json === true ? 'json' : values.markdown === true ? 'markdown' : 'table',
  } as const;
}
