import type { GraphClient } from '../graph-client';
import type { Interval, SpendColumn } from './ledger-arguments';

/** A sum of the ledger. Columns that were not requested are absent. */
export interface LedgerSum extends Partial<Readonly<Record<SpendColumn, string | null>>> {
  readonly calls: number;
  readonly units: number;
  readonly uncertainUnits: number;
  readonly savedUnits: number;
}

/** Sums of the ledger, and the price of a unit in pesos. The price is null if padron has no UNIT_PRICE. */
export interface LedgerSpend {
  readonly sums: readonly LedgerSum[];
  readonly unitPrice: string | null;
}

/** A call whose billing is unknown. */
export interface UnknownCall {
  readonly id: string;
  readonly endpoint: string;
  /** Price of the call. */
  readonly units: number;
}

export interface CallSettlement {
  readonly id: string;
  readonly billing: 'CHARGED' | 'NOT_CHARGED';
}

interface Page {
  readonly entries: readonly {
    readonly id: string;
    readonly uncertainUnits: number;
    readonly evidence: { readonly endpoint: string };
  }[];
  readonly next: string | null;
}

/** Maximum number of entries that padron lists or settles at once. */
const maxEntries = 1_000;

/** Reads and settles the ledger through the graph. */
export class LedgerClient {
  constructor(private readonly graph: GraphClient) {}

  async spend(interval: Interval, columns: readonly SpendColumn[]): Promise<LedgerSpend> {
    const query = `query ($filter: RegistryLedgerFilter, $by: [RegistrySpendKey!]!) {
      registryUnitPrice
      registrySpend(filter: $filter, by: $by) { ${columns.join(' ')} calls units uncertainUnits savedUnits }
    }`;
    const by = columns.map((column) => column.toUpperCase());
    const data = await this.graph.ask(query, { filter: interval, by });
    return { sums: data.registrySpend as readonly LedgerSum[], unitPrice: data.registryUnitPrice as string | null };
  }

  async unknownCalls(interval: Interval): Promise<readonly UnknownCall[]> {
    const query = `query ($filter: RegistryLedgerFilter, $first: Int!, $after: String) {
      registryLedger(filter: $filter, first: $first, after: $after) {
        entries { id uncertainUnits evidence { endpoint } } next
      }
    }`;
    const calls: UnknownCall[] = [];
    let after: string | null = null;
    do {
      const variables = { filter: { ...interval, unsettled: true }, first: maxEntries, after };
      const page = (await this.graph.ask(query, variables)).registryLedger as Page;
      for (const { id, uncertainUnits: units, evidence } of page.entries)
        calls.push({ id, endpoint: evidence.endpoint, units });
      after = page.next;
    } while (after !== null);
    return calls;
  }

  async settle(settlements: readonly CallSettlement[]): Promise<void> {
    const mutation = 'mutation ($input: [RegistryBillingInput!]!) { settleRegistryBilling(input: $input) { id } }';
    for (let start = 0; start < settlements.length; start += maxEntries)
      await this.graph.ask(mutation, { input: settlements.slice(start, start + maxEntries) });
  }
}
