import { request } from 'undici';
import type { Estimate } from '../../../schema/client/price-of';
import type { UnitUsage } from '../../../schema/client/units';
import { SANDBOX_TOKEN } from '../../../src/extensions/sandbox/accounts/accounts';
import type { GraphqlAnswer, RunningPadron } from '../padrons/padron';

export const nothingSpent: UnitUsage = { spent: 0, uncertain: 0, saved: 0, calls: [] };

export interface PricedAnswer extends GraphqlAnswer {
  readonly units: UnitUsage | undefined;
  readonly estimate: Estimate | undefined;
  readonly unitsSpent: string | undefined;
}

export interface Request {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

type Headers = Readonly<Record<string, string>>;

/** One GraphQL request over HTTP; `signal` is the client that gives up. */
export async function askPriced(
  { url }: Pick<RunningPadron, 'url'>,
  body: Request,
  headers: Headers = {},
  signal?: AbortSignal,
): Promise<PricedAnswer> {
  const response = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${SANDBOX_TOKEN}`, ...headers },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the border to JSON; every test asserts what it reads.
  const { data, errors, extensions } = (await response.body.json()) as any;
  const spent = response.headers['x-units-spent'];
  return {
    status: response.statusCode,
    headers: response.headers,
    data,
    errors,
    units: extensions?.units,
    estimate: extensions?.estimate,
    unitsSpent: spent === undefined ? undefined : String(spent),
  };
}

export async function priceOf(
  padron: Pick<RunningPadron, 'url'>,
  body: Request,
  headers: Headers = {},
): Promise<Estimate> {
  const { estimate, errors } = await askPriced(padron, body, { 'x-dry-run': 'true', ...headers });
  if (estimate === undefined) throw new Error(`No estimate: ${JSON.stringify(errors)}`);
  return estimate;
}

export function callsBy({ endpoints }: Estimate): Readonly<Record<string, number>> {
  return Object.fromEntries(endpoints.map(({ route, calls }) => [route, calls]));
}
