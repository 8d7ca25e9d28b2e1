/** One call to a registry, as `extensions.units` reports it. */
export interface UnitCall {
  /** The field that asked first. */
  readonly path: readonly (string | number)[];
  readonly endpoint: string;
  readonly outcome: string;
  readonly units: number;
  readonly servedFrom: string;
  /** Milliseconds after the request began. */
  readonly at: number;
  readonly ms: number;
}

/** What one request spent. */
export interface UnitUsage {
  readonly spent: number;
  /** The price of calls whose billing is unknown. */
  readonly uncertain: number;
  /** What repeated questions would have cost. */
  readonly saved: number;
  readonly calls: readonly UnitCall[];
}

/** Whom the units belong to: the operation by name, with its variables. */
export interface SpendingOperation {
  readonly name: string | undefined;
  readonly variables: unknown;
}

/** Is called once for each answer that came over the network; what a cache answers costs nothing and is not reported. */
export type OnUnits = (usage: UnitUsage, operation: SpendingOperation) => void;

/** The units of an answer; null where there are none, as behind a router that drops extensions. */
export function readUnits(extensions: unknown): UnitUsage | null {
  const units = Object(Object(extensions).units);
  return typeof units.spent === 'number' && Array.isArray(units.calls) ? units : null;
}
