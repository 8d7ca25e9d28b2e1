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

/** State of a budget over time. Units that are reserved or uncertain are not left. */
export interface BudgetLeft {
  /** The client whose calls count. Null: all clients. */
  readonly client: string | null;
  /** The tag whose calls count. Null: all tags. */
  readonly tag: string | null;
  readonly period: 'DAY' | 'MONTH';
  readonly units: number;
  readonly left: number;
  /** When the next period begins. */
  readonly resetsAt: string;
  /** When the store had these figures, at most five seconds before the response if it paid for no call. */
  readonly asOf: string;
}

/** Units of several responses. If the server's price list is right, the service charged at least `spent` and at most `spent + uncertain`. */
export type UnitTotal = Readonly<Record<'spent' | 'uncertain' | 'saved', number>>;

/** Units of one request. */
export interface UnitUsage {
  readonly spent: number;
  /** The price of calls whose billing is unknown. */
  readonly uncertain: number;
  /** Units that repeated questions would have cost. The follow-up of an early response saves nothing. */
  readonly saved: number;
  /**
   * Units that earlier responses have reported as `uncertain`, and how many of them were charged. One response tells it. Undefined if it tells
   * nothing.
   */
  readonly settled?: Pick<UnitTotal, 'spent' | 'uncertain'>;
  readonly calls: readonly UnitCall[];
  /** Budgets that limit the caller, the one with the fewest units left first. Undefined if none does, or if they are unknown. */
  readonly budgets?: readonly BudgetLeft[];
}

/** The operation that spent the units. */
export interface SpendingOperation {
  readonly name: string | undefined;
  readonly variables: unknown;
}

/** Listener that is called once for each response from the network. Answers of a cache cost nothing and are not reported. */
export type OnUnits = (usage: UnitUsage, operation: SpendingOperation) => void;

const nothing: UnitTotal = { spent: 0, uncertain: 0, saved: 0 };

/** Adds the units of a response to those of earlier ones, each unit once. Without a total, it begins one. */
export function addUnits(total: UnitTotal | undefined, usage: UnitUsage): UnitTotal {
  const { spent, uncertain, saved } = total ?? nothing;
  const { settled = nothing } = usage;
  return {
    spent: spent + usage.spent + settled.spent,
    // A page that was loaded again does not have the total of the response that is settled.
    uncertain: Math.max(0, uncertain - settled.uncertain) + usage.uncertain,
    saved: saved + usage.saved,
  };
}

/** Returns the units of a response. Returns null if it has none, for example behind a router that drops extensions. */
export function readUnits(extensions: unknown): UnitUsage | null {
  const units = Object(Object(extensions).units);
  return typeof units.spent === 'number' && Array.isArray(units.calls) ? units : null;
}
