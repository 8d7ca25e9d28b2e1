import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type DocumentNode, print } from 'graphql';

/** What an operation would cost, as `extensions.estimate` tells it. */
export interface Estimate {
  readonly dataset: string | null;
  readonly rowCount: number;
  /** What is usual; with a list of unknown length, a month counts as two receipts. */
  readonly estimatedUnits: number;
  /** Null where nothing bounds it. */
  readonly atMost: number | null;
  /** `estimatedUnits` in pesos as decimal text. Null if padron has no `UNIT_PRICE`. */
  readonly amount: string | null;
  /** False where a list of unknown length holds a paid field: the run may then cost more. */
  readonly bounded: boolean;
  readonly endpoints: readonly {
    readonly url: string;
    readonly route: string | null;
    /** The fields that ask it, for example `person.credit`. */
    readonly fields: readonly string[];
    readonly calls: number;
    readonly unitsPerCall: number;
    readonly subtotal: number;
  }[];
  /** Identifiers that are refused before a registry is asked: they cost nothing. */
  readonly invalidRows: number;
  /** Why a part of it is free: what will not be asked. */
  readonly problems: readonly {
    readonly code: string;
    readonly message: string;
    readonly path: readonly string[] | null;
    readonly retryable: boolean;
  }[];
  readonly currentBalance: string | null;
  readonly sufficient: boolean | null;
}

/** Where padron is, and what it is to be told besides: the token, `x-max-units`. */
export interface PriceOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly fetch?: typeof fetch;
}

/**
 * What the operation would cost with these variables. Nothing is run and nothing is spent. Passwords and the contents of
 * files stay here, since no price depends on them. Throws where there is no price: the operation is refused, or nobody answers.
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

/** The same shape, with nothing in it that is nobody's business. */
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
