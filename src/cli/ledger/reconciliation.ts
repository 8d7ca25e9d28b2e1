import type { CallSettlement, LedgerSum, UnknownCall } from './ledger-client';

/** Comparison of one endpoint's statement with its ledger. */
export interface Comparison {
  readonly endpoint: string;
  /** Units of the statement. */
  readonly statement: number;
  /** Units that the ledger knows to be charged. */
  readonly charged: number;
  /** Units of the calls whose billing is unknown. */
  readonly unknown: number;
  /** Units in the statement, but not in the ledger. Negative if the ledger has more. */
  readonly difference: number;
  /** Settlements of the unknown calls. Empty if the statement differs. */
  readonly settlements: readonly CallSettlement[];
}

/** Compares every endpoint of the statement and of the ledger. */
export function compare(
  statement: ReadonlyMap<string, number>,
  sums: readonly LedgerSum[],
  calls: readonly UnknownCall[],
): readonly Comparison[] {
  const ledger = new Map(sums.map((sum) => [sum.endpoint ?? '', sum]));
  const endpoints = [...new Set([...statement.keys(), ...ledger.keys()])].sort();
  return endpoints.map((endpoint) => {
    const { units: charged = 0, uncertainUnits: unknown = 0 } = ledger.get(endpoint) ?? {};
    const units = statement.get(endpoint) ?? 0;
    const own = calls.filter((call) => call.endpoint === endpoint);
    return { endpoint, statement: units, charged, unknown, ...explain(units - charged, unknown, own) };
  });
}

/** Assigns the units that the ledger does not know to be charged to the unknown calls, the most expensive calls first. */
function explain(
  units: number,
  unknown: number,
  calls: readonly UnknownCall[],
): Pick<Comparison, 'difference' | 'settlements'> {
  if (units < 0) return { difference: units, settlements: [] };
  if (units > unknown) return { difference: units - unknown, settlements: [] };
  let left = units;
  const settlements = [...calls]
    .sort((first, second) => second.units - first.units)
    .map(({ id, units: price }): CallSettlement => {
      if (left < price) return { id, billing: 'NOT_CHARGED' };
      left -= price;
      return { id, billing: 'CHARGED' };
    });
  return { difference: left, settlements: left === 0 ? settlements : [] };
}
