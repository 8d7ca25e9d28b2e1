import { type DocumentNode, print } from 'graphql';

/** Price of an operation. */
export interface Estimate {
  /** Usual price. In a list of unknown length, a month counts as two receipts. */
  readonly estimatedUnits: number;
  /** Highest price. Null if it has no limit. */
  readonly atMost: number | null;
  /** `estimatedUnits` for a caller with every scope. Null if this caller lacks none: otherwise do not show that the operation is free. */
  readonly unitsWithPermission: number | null;
  /** `estimatedUnits` in pesos as decimal text. Null if padron has no `UNIT_PRICE`. */
  readonly amount: string | null;
  /** False if a list of unknown length has a paid field. The operation may then cost more. */
  readonly bounded: boolean;
  readonly endpoints: readonly {
    readonly url: string;
    readonly route: string | null;
    /** Fields that call it, for example `person.credit`. */
    readonly fields: readonly string[];
    readonly calls: number;
    readonly unitsPerCall: number;
    readonly subtotal: number;
  }[];
  /** 1 if padron rejects an identifier of the variables, otherwise 0. Rejected calls cost nothing. */
  readonly invalidRows: number;
  /** Problems of the lookups that make no call and are therefore free. */
  readonly problems: readonly {
    readonly code: string;
    readonly message: string;
    readonly path: readonly string[] | null;
    readonly retryable: boolean;
  }[];
  readonly currentBalance: string | null;
  readonly sufficient: boolean | null;
}

/** A document as GraphQL Code Generator types it. */
interface TypedDocument<Variables> extends DocumentNode {
  readonly __apiType?: (variables: Variables) => unknown;
}

/** Address of padron or of a router, and headers such as `authorization`. */
export interface PriceOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The `x-max-age` of the operation, such as `30d`. An answer that is used again is free. */
  readonly maxAge?: string;
  readonly signal?: AbortSignal;
  readonly fetch?: typeof fetch;
}

/** The query that is sent. If you publish trusted documents, publish it too: it is `schema/price-of.graphql`. */
const priceQuery = /* GraphQL */ `
  query PriceOf($operation: String!, $variables: JSON!) {
    unitEstimate(input: { operation: $operation, rows: [$variables] }) {
      estimatedUnits
      atMost
      unitsWithPermission
      amount
      bounded
      invalidRows
      currentBalance
      sufficient
      endpoints { url route fields calls unitsPerCall subtotal }
      problems { code message path retryable }
    }
  }
`;

/**
 * Returns the price of an operation with these variables. The operation is only an argument of a free query, so it is never run, whatever
 * headers a router drops. Passwords and contents of files are not sent, because no price depends on them. Throws if the operation is
 * rejected, with the `errors` of the response, which `textOfError` reads, or if no response arrives.
 */
export async function priceOf<Variables>(
  document: TypedDocument<Variables> | DocumentNode | string,
  variables: Variables,
  { url, headers = {}, maxAge, signal, fetch: send = fetch }: PriceOptions,
): Promise<Estimate> {
  const operation = typeof document === 'string' ? document : print(document);
  const response = await send(url, {
    method: 'POST',
    headers: {
      ...headers,
      ...(maxAge === undefined ? {} : { 'x-max-age': maxAge }),
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify({ query: priceQuery, variables: { operation, variables: withoutSecrets(variables ?? {}) } }),
    ...(signal === undefined ? {} : { signal }),
  });
  const { data, errors } = Object(await response.json().catch(() => null));
  const estimate: Estimate | null | undefined = Object(data).unitEstimate;
  if (estimate) return estimate;
  const message = errors?.[0]?.message ?? `No price came back (HTTP ${response.status}).`;
  throw Object.assign(new Error(message), { errors: errors ?? [] });
}

/** Returns the variables without passwords and contents of files. */
function withoutSecrets(variables: unknown): unknown {
  if (variables instanceof Blob) return null;
  if (Array.isArray(variables)) return variables.map(withoutSecrets);
  if (typeof variables !== 'object' || variables === null) return variables;
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      if (name === 'password') return [name, '-'];
      return [name, name === 'base64' && typeof value === 'string' ? '' : withoutSecrets(value)];
    }),
  );
}
