/** One call to a registry, as `extensions.units` reports it. */
export interface UnitCall {
  /** The field that needed the call first. */
  readonly path: readonly (string | number)[];
  readonly endpoint: string;
  readonly outcome: string;
  readonly units: number;
  /** Price of the call if it may have been charged. The sum leaves out a REPLAY or KEPT, whose call another response has counted. */
  readonly uncertain: number;
  readonly servedFrom: string;
  /** Milliseconds after the request began. */
  readonly at: number;
  readonly ms: number;
}

/** Units of one request. */
export interface UnitUsage {
  readonly spent: number;
  /** The price of calls whose billing is unknown. */
  readonly uncertain: number;
  /** Units that repeated questions would have cost. */
  readonly saved: number;
  readonly calls: readonly UnitCall[];
}

/** The operation that spent the units. */
export interface SpendingOperation {
  readonly name: string | undefined;
  readonly variables: unknown;
}

/** Listener that is called once for each response from the network. Answers of a cache cost nothing and are not reported. */
export type OnUnits = (usage: UnitUsage, operation: SpendingOperation) => void;

/** Returns the units of a response. Returns null if it has none, for example behind a router that drops extensions. */
export function readUnits(extensions: unknown): UnitUsage | null {
  const units = Object(Object(extensions).units);
  return typeof units.spent === 'number' && Array.isArray(units.calls) ? units : null;
}
