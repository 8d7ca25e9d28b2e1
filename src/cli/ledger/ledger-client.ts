import { z } from 'zod';
import { type GraphClient, RequestFailedError } from '../../terminal/graph-client';
import type { Interval, SpendColumn } from './ledger-arguments';
import type { LedgerTexts } from './ledger-texts';

const column = z.string().nullish();

/** A sum of the ledger. Columns that were not requested are absent. */
const sumShape = z.object({
  day: column,
  month: column,
  client: column,
  tag: column,
  purpose: column,
  operation: column,
  endpoint: column,
  outcome: column,
  batch: column,
  saving: column,
  calls: z.int(),
  units: z.int(),
  uncertainUnits: z.int(),
  savedUnits: z.int(),
  refusedCalls: z.int().nullable(),
});

export type LedgerSum = Readonly<z.infer<typeof sumShape>>;

const spendShape = z.object({
  registrySpend: z.array(sumShape),
  registryUnitPrice: z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .nullable(),
});

/** Sums of the ledger, and the price of a unit in pesos. The price is null if padron has no UNIT_PRICE. */
export interface LedgerSpend {
  readonly sums: readonly LedgerSum[];
  readonly unitPrice: string | null;
}

export interface CallSettlement {
  readonly id: string;
  readonly billing: 'CHARGED' | 'NOT_CHARGED';
  readonly note: string | null;
}

const entryShape = z
  .object({ id: z.string(), client: column, uncertainUnits: z.int(), evidence: z.object({ endpoint: z.string() }) })
  .transform(({ id, client, uncertainUnits: units, evidence: { endpoint } }) => ({ id, client, endpoint, units }));

export type UnknownCall = Readonly<z.infer<typeof entryShape>>;

const endpointsShape = z.object({
  registryEndpoints: z.array(
    z.object({ name: z.string(), endpoint: z.string(), units: z.int(), charged: z.array(z.string()) }),
  ),
});

/** The terms of an endpoint in the price list that is in force. */
export type EndpointTerms = Readonly<z.infer<typeof endpointsShape>['registryEndpoints'][number]>;

const textOrNull = z.string().nullable();
const pageShape = z.object({
  registryLedger: z.object({ entries: z.array(entryShape), next: textOrNull, limitedToClient: textOrNull }),
});
const settledShape = z.object({ settleRegistryBilling: z.array(z.object({ id: z.string() })) });

/** Maximum number of entries that padron lists or settles at once. */
const maxEntries = 1_000;
/** Maximum number of pages that a list is read to. It would have a million unknown calls. */
const maxPages = 1_000;

export class LedgerClient {
  constructor(
    private readonly graph: GraphClient,
    private readonly texts: LedgerTexts,
  ) {}

  async spend(interval: Interval, columns: readonly SpendColumn[]): Promise<LedgerSpend> {
    const query = `query ($filter: RegistryLedgerFilter, $by: [RegistrySpendKey!]!) {
      registryUnitPrice
      registrySpend(filter: $filter, by: $by) { ${columns.join(' ')} calls units uncertainUnits savedUnits refusedCalls }
    }`;
    const by = columns.map((column) => column.toUpperCase());
    const data = await this.graph.ask(query, { filter: interval, by }, spendShape);
    return { sums: data.registrySpend, unitPrice: data.registryUnitPrice };
  }

  async terms(): Promise<readonly EndpointTerms[]> {
    const query = '{ registryEndpoints { name endpoint units charged } }';
    return (await this.graph.ask(query, {}, endpointsShape)).registryEndpoints;
  }

  /** Returns the calls whose billing is unknown. If `limitedToClient` names a client, the token sees only the calls of that client. */
  async unknownCalls(interval: Interval) {
    const query = `query ($filter: RegistryLedgerFilter, $first: Int!, $after: String) {
      registryLedger(filter: $filter, first: $first, after: $after) {
        entries { id client uncertainUnits evidence { endpoint } } next limitedToClient
      }
    }`;
    const calls: UnknownCall[] = [];
    let after: string | null = null;
    for (let page = 0; page < maxPages; page += 1) {
      const variables = { filter: { ...interval, unsettled: true }, first: maxEntries, after };
      const data: z.infer<typeof pageShape> = await this.graph.ask(query, variables, pageShape);
      const { entries, next, limitedToClient } = data.registryLedger;
      calls.push(...entries);
      if (next === null) return { calls, limitedToClient };
      if (next === after || entries.length === 0) break;
      after = next;
    }
    throw new RequestFailedError(this.texts.endlessList);
  }

  async settle(settlements: readonly CallSettlement[]): Promise<void> {
    const mutation = 'mutation ($input: [RegistryBillingInput!]!) { settleRegistryBilling(input: $input) { id } }';
    for (let start = 0; start < settlements.length; start += maxEntries)
      await this.graph.ask(mutation, { input: settlements.slice(start, start + maxEntries) }, settledShape);
  }
}
