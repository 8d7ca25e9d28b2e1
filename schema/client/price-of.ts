import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type DocumentNode, print } from 'graphql';

/** Price of an operation, from `extensions.estimate`. */
export interface Estimate {
  readonly dataset: string | null;
  readonly rowCount: number;
  /** Usual price. In a list of unknown length, a month counts as two receipts. */
  readonly estimatedUnits: number;
  /** Highest price. Null if it has no limit. */
  readonly atMost: number | null;
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
  /** Number of rows with an identifier that padron rejects. They cost nothing. */
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

/** Address of padron, and headers such as `authorization` and `x-max-units`. */
export interface PriceOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly fetch?: typeof fetch;
}

/**
 * Returns the price of an operation with these variables. The operation is not run, and spends nothing. Passwords and contents of files are
 * not sent, because no price depends on them. Throws if the operation is rejected or no response arrives.
 */
export async function priceOf<Variables>(
  document: TypedDocumentNode<unknown, Variables> | DocumentNode | string,
  variables: Variables,
  { url, headers = {}, signal, fetch: send = fetch }: PriceOptions,
): Promise<Estimate> {
  const query = typeof document === 'string' ? document : print(document);
  const response = await send(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json', 'x-dry-run': 'true' },
    body: JSON.stringify({ query, variables: withoutSecrets(variables) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const { errors, extensions } = Object(await response.json().catch(() => null));
  const estimate: Estimate | undefined = Object(extensions).estimate;
  if (estimate === undefined) throw new Error(errors?.[0]?.message ?? `No price came back (HTTP ${response.status}).`);
  return estimate;
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
